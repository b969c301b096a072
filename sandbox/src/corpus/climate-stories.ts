// The hand-written news stories for `climate`. All of it is invented.
import type { Story } from './media.ts'

interface ClimateStory {
  host: string
  publisher: string
  path: string
  title: string
  sentences: readonly string[]
  author: string
  ageHours: number
}

const STORIES: readonly ClimateStory[] = [
  {
    host: 'morning-ledger.example',
    publisher: 'The Morning Ledger',
    path: '/stories/climate-talks-run-through-the-night',
    title: 'Climate talks run through the night as ministers argue over one word',
    sentences: ['The text says "phase down" in brackets and "phase out" in the margin.', 'A vote is expected at noon.'],
    author: 'Edda Lindqvist',
    ageHours: 2,
  },
  {
    host: 'harbour-gazette.example',
    publisher: 'The Harbour Gazette',
    path: '/stories/sea-wall-vote',
    title: "Harbour town votes to move, not to build: 'The sea was here first'",
    sentences: ['By 412 votes to 390 the town gave up on a higher wall.', 'The school will move uphill first.'],
    author: 'Samuel Oyelaran',
    ageHours: 6,
  },
  {
    host: 'northern-dispatch.example',
    publisher: 'Northern Dispatch',
    path: '/stories/warmest-october',
    title: 'October was the warmest in the record, by the width of a pencil line',
    sentences: ['The margin is small and the trend is not.', 'Figures from 4,200 stations were released on Friday.'],
    author: 'P. Marchetti',
    ageHours: 15,
  },
  {
    host: 'public-square.example.org',
    publisher: 'Public Square',
    path: '/stories/heat-pump-queue',
    title: 'The queue for heat pumps is now eleven months long. Here is why',
    sentences: [
      'There are enough pumps & not enough people to fit them.',
      'One training centre has tripled its classes.',
    ],
    author: 'Ruth Adeyemi',
    ageHours: 19,
  },
  {
    host: 'valley-observer.test',
    publisher: 'Valley Observer',
    path: '/stories/vineyard-moves-north',
    title: 'A vineyard moves north, one row at a time',
    sentences: [
      'The oldest vines stay where they are.',
      "The climate changed faster than the grandfather's map of the hill.",
    ],
    author: 'Our correspondent',
    ageHours: 34,
  },
  {
    host: 'evening-wire.example',
    publisher: 'Evening Wire',
    path: '/stories/insurers-publish-flood-model',
    title: 'Insurers publish the flood model they used to keep to themselves',
    sentences: ['Every street has a number from 1 to 10.', 'Economists expect house prices to follow within the year.'],
    author: 'Edda Lindqvist',
    ageHours: 53,
  },
  {
    host: 'the-weekly-round.example',
    publisher: 'The Weekly Round',
    path: '/stories/carbon-price-in-six-charts',
    title: 'Twenty years of carbon prices in six charts',
    sentences: [
      'It worked better than its critics say and worse than its friends do.',
      'The sixth chart is the surprising one.',
    ],
    author: 'Samuel Oyelaran',
    ageHours: 84,
  },
  {
    host: 'plain-report.example',
    publisher: 'The Plain Report',
    path: '/stories/young-plaintiffs-win',
    title: 'Court sides with nine teenagers in climate case',
    sentences: [
      'The ministry has six months to show a plan that adds up.',
      'It can appeal until the end of the month.',
    ],
    author: 'Ruth Adeyemi',
    ageHours: 122,
  },
  {
    host: 'coast-and-country.example.net',
    publisher: 'Coast & Country',
    path: '/stories/oysters-return',
    title: 'Oysters return to a warmer bay, to the surprise of those who study them',
    sentences: ['Nobody planted them.', 'Biologists had expected the opposite & say so cheerfully.'],
    author: 'P. Marchetti',
    ageHours: 210,
  },
  {
    host: 'capital-notes.test',
    publisher: 'Capital Notes',
    path: '/stories/adaptation-fund-spent',
    title: 'Where the adaptation money went: a ledger, line by line',
    sentences: ['A third was spent on drains, which turns out to be wise.', 'The largest single item is a bridge.'],
    author: 'Our correspondent',
    ageHours: 300,
  },
  {
    host: 'workshop-weekly.example',
    publisher: 'Workshop Weekly',
    path: '/stories/forecast-on-a-laptop',
    title: 'A climate model that runs on a laptop, and what it is good for',
    sentences: [
      'It is wrong in ways that its makers list on the first page.',
      'Schools have downloaded it 90,000 times.',
    ],
    author: 'Samuel Oyelaran',
    ageHours: 450,
  },
  {
    host: 'the-second-edition.example',
    publisher: 'The Second Edition',
    path: '/stories/seed-catalogue-redrawn',
    title: 'The seed catalogue redraws its frost map for the first time since 1990',
    sentences: ['Half of the gardens in the country have changed their zone.', 'The peas can go in two weeks earlier.'],
    author: 'Edda Lindqvist',
    ageHours: 620,
  },
]

export const CLIMATE_STORIES: readonly Story[] = STORIES.map(
  ({ host, publisher, ageHours, path, title, sentences, author }, index) => ({
    place: index * 2,
    host,
    publisher,
    ageHours,
    isAdult: false,
    write: () => ({ path, title, sentences, author }),
  }),
)
