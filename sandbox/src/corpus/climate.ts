// The hand-written pages for `climate`, the query of the README and the screenshots. All of it is invented.
import type { Page } from './page.ts'

const HOURS_A_DAY = 24

interface ClimatePage {
  host: string
  siteName: string
  path: string
  title: string
  sentences: readonly string[]
  ageDays?: number
  sections?: readonly string[]
}

const PAGES: readonly ClimatePage[] = [
  {
    host: 'climate-primer.example',
    siteName: 'Climate Primer',
    path: '/what-is-climate',
    title: 'Climate, explained: what it is and how it differs from weather',
    sentences: [
      'Weather is what happens today; climate is what thirty years of days add up to.',
      'A plain-language primer on the climate system, with charts you may reuse.',
    ],
    ageDays: 19,
    sections: ['Greenhouse effect', 'Climate zones', 'Glossary', 'For teachers'],
  },
  {
    host: 'temperature-record.example',
    siteName: 'The Temperature Record',
    path: '/global',
    title: 'Global temperature record, 1850 to today',
    sentences: [
      'Monthly mean surface temperature from 4,200 stations and ships, with uncertainty bands.',
      'Download the series as CSV, or read how the gaps in the record are filled.',
    ],
    ageDays: 3,
    sections: ['Download', 'Methods', 'Stations'],
  },
  {
    host: 'wetland-journal.example',
    siteName: 'The Wetland Journal',
    path: '/articles/peatlands-and-climate',
    title: 'Why peatlands matter more to the climate than their size suggests',
    sentences: [
      'Peat covers three per cent of the land and holds more carbon than every forest on it.',
      "What happens when a bog dries out, and what it takes to bring one back: a field scientist's account.",
    ],
    ageDays: 12,
  },
  {
    host: 'northfield-university.example',
    siteName: 'Northfield University',
    path: '/courses/earth-science-101/climate-system',
    title: 'Lecture notes: The climate system (Earth Science 101)',
    sentences: [
      'Radiation balance, circulation, oceans & ice in eleven lectures, each with worked problems.',
      'Open to everyone; solutions are linked from the last page.',
    ],
    ageDays: 240,
    sections: ['Syllabus', 'Problem sets', 'Reading list'],
  },
  {
    host: 'forecast-lab.example',
    siteName: 'Forecast Lab',
    path: '/reading/how-climate-models-work',
    title: 'How climate models work, and where they disagree',
    sentences: [
      'A climate model divides the air and the sea into boxes and lets physics do the rest.',
      "Why two good models can differ by a degree, and why that doesn't make either of them useless.",
    ],
    ageDays: 5,
  },
  {
    host: 'harbour-gazette.example',
    siteName: 'The Harbour Gazette',
    path: '/stories/port-towns-redraw-flood-maps',
    title: 'Port towns redraw their flood maps as the sea rises',
    sentences: [
      'Eleven councils have published new maps this autumn; four of them move the line past the railway station.',
      'What it means for insurance, for schools and for the fish market.',
    ],
    ageDays: 0.4,
  },
  {
    host: 'policy-desk.example.org',
    siteName: 'Policy Desk',
    path: '/briefs/carbon-pricing-evidence',
    title: 'Carbon pricing: what twenty years of evidence show',
    sentences: [
      'Emissions fell in most of the 37 schemes studied, by less than supporters hoped and more than critics feared.',
      'A four-page brief on climate policy with sources, tables & a summary of the exceptions.',
    ],
    ageDays: 26,
  },
  {
    host: 'icecore-archive.example',
    siteName: 'Ice Core Archive',
    path: '/reading-the-ice',
    title: 'Reading 800,000 years of climate from air trapped in ice',
    sentences: [
      'Each bubble is a sample of the air on the day the snow closed over it.',
      'Follow one core from the drill to the laboratory, metre by metre.',
    ],
    ageDays: 900,
  },
  {
    host: 'city-heat.example',
    siteName: 'City Heat Map',
    path: '/map',
    title: 'City heat map: how much hotter is your street?',
    sentences: [
      'Measured on foot by 600 volunteers on the warmest evening of each summer.',
      'Search by address and compare shade, paving & distance to the nearest park.',
    ],
    ageDays: 64,
    sections: ['Find your street', 'Join the next walk'],
  },
  {
    host: 'open-compendium.example',
    siteName: 'Open Compendium',
    path: '/entries/climate',
    title: 'Climate – Open Compendium',
    sentences: [
      'Climate is the long-term pattern of temperature, rain and wind in a place.',
      'This entry covers its causes, its classification, how it is measured and how it has changed.',
    ],
    ageDays: 8.5,
    sections: ['Causes', 'Classification', 'Change', 'History'],
  },
  {
    host: 'morning-ledger.example',
    siteName: 'The Morning Ledger',
    path: '/stories/who-pays-for-adaptation',
    title: 'Who pays for adaptation? Climate finance in six charts',
    sentences: [
      'Promises, payments and the gap between them, from 2010 to today.',
      'The figures are small enough to fit on one page and large enough to argue about.',
    ],
    ageDays: 1.6,
  },
  {
    host: 'reef-watch.example',
    siteName: 'Reef Watch',
    path: '/status',
    title: 'Reef Watch: sea temperatures & bleaching alerts',
    sentences: [
      'Daily sea-surface temperature for 214 reefs, with alerts at two levels.',
      'Compare this season with any year since the measurements began.',
    ],
    ageDays: 0.2,
  },
  {
    host: 'from-the-allotment.example',
    siteName: 'From the Allotment',
    path: '/notes/climate-zones-for-gardeners',
    title: "Climate zones for gardeners: what's safe to plant, and when",
    sentences: [
      'The map in the seed catalogue is twenty years old, and the frost has moved.',
      'How to find the true zone of your own garden with a notebook & a cheap thermometer.',
    ],
    ageDays: 150,
  },
  {
    host: 'schoolroom.example',
    siteName: 'Schoolroom',
    path: '/plans/climate-9-to-14',
    title: 'Climate lesson plans for ages 9 to 14',
    sentences: [
      'Six lessons that begin with a jar, a lamp and a thermometer.',
      'Worksheets, answers and a short climate quiz are free to print and change.',
    ],
    ageDays: 330,
  },
  {
    host: 'mountain-hut.test',
    siteName: 'Notes from the Hut',
    path: '/glacier-diary',
    title: 'A glacier diary: forty summers at the same hut',
    sentences: [
      'Every July since 1986 the same photograph, from the same step of the same door.',
      'What a hut warden notices about the climate before the instruments do.',
    ],
    ageDays: 420,
  },
  {
    host: 'warm-rooms.example',
    siteName: 'Warm Rooms',
    path: '/guides/heat-pumps-in-a-cold-climate',
    title: 'Heat pumps in a cold climate: measured, not promised',
    sentences: [
      'Two winters of meter readings from 48 houses, the coldest of them at minus 27 °C.',
      'What worked, what did not, and what the owners would do differently.',
    ],
    ageDays: 22,
  },
  {
    host: 'old-almanacs.test',
    siteName: 'Old Almanacs',
    path: '/collections/weather-diaries',
    title: 'Three centuries of weather diaries, transcribed',
    sentences: [
      'Clergymen, lighthouse keepers and one patient schoolgirl wrote down the wind every morning.',
      'Historians of climate can now search all 11,000 pages.',
    ],
  },
  {
    host: 'farm-notebook.example',
    siteName: 'Farm Notebook',
    path: '/notes/farming-with-less-rain',
    title: 'Farming with less rain: notes from a dry decade',
    sentences: [
      'Deeper roots, later sowing and a pond nobody believed in.',
      'Costs & yields of nine farms that changed what they grow as the climate changed.',
    ],
    ageDays: 95,
  },
  {
    host: 'ask-the-room.example',
    siteName: 'Ask the Room',
    path: '/threads/ask-a-climatologist',
    title: "Ask a climatologist: readers' questions, answered",
    sentences: [
      'If the climate has always changed, how do we know that this time is different?',
      'Forty questions from readers, with short answers first and long ones below.',
    ],
    ageDays: 4.5,
  },
  {
    host: 'drawing-office.example.org',
    siteName: 'The Drawing Office',
    path: '/projects/schools-for-hotter-summers',
    title: 'Designing schools for hotter summers',
    sentences: [
      'Shade first, then air, then machines: three classrooms built for the climate of 2050.',
      'Plans, costs and temperatures measured after the first year of use.',
    ],
    ageDays: 48,
  },
]

export const CLIMATE_PAGES: readonly Page[] = PAGES.map(
  ({ host, siteName, path, title, sentences, ...rest }, index) => ({
    place: index * 2,
    host,
    siteName,
    ageHours: rest.ageDays === undefined ? undefined : rest.ageDays * HOURS_A_DAY,
    isAdult: false,
    sections: rest.sections ?? [],
    write: () => ({ path, title, sentences }),
  }),
)
