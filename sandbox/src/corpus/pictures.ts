// All pictures of one query: about a hundred and sixty, on sites that collect them.
import { type Ages, knownAgeIn } from './ages.ts'
import { arrange, type Composition } from './arrange.ts'
import { CLIMATE_PICTURES } from './climate-pictures.ts'
import type { Licence, Picture } from './media.ts'
import { fill, nth, slugOf } from './phrasing.ts'
import { fraction, hash, mix } from './random.ts'
import { subjectOf } from './subject.ts'

interface PictureSite {
  host: string
  name: string
  section: string
}

const SITES: readonly PictureSite[] = [
  { host: 'open-pictures.example', name: 'Open Pictures', section: 'photos' },
  { host: 'field-photographs.example', name: 'Field Photographs', section: 'frames' },
  { host: 'lantern-slides.example', name: 'Lantern Slides', section: 'slides' },
  { host: 'city-museum.example', name: 'City Museum', section: 'collection' },
  { host: 'paper-and-ink.test', name: 'Paper and Ink', section: 'prints' },
  { host: 'daylight-studio.example', name: 'Daylight Studio', section: 'work' },
  { host: 'shared-album.example.org', name: 'The Shared Album', section: 'albums' },
  { host: 'plate-archive.example', name: 'Plate Archive', section: 'plates' },
  { host: 'sketchbook.example.net', name: 'The Open Sketchbook', section: 'pages' },
  { host: 'wide-angle.example', name: 'Wide Angle', section: 'series' },
  { host: 'herbarium-scans.example', name: 'Herbarium Scans', section: 'sheets' },
  { host: 'press-pictures.test', name: 'Press Pictures', section: 'files' },
]
const ADULT_SITES: readonly PictureSite[] = [
  { host: 'after-hours-club.example', name: 'After Hours Club', section: 'gallery' },
  { host: 'late-lounge.test', name: 'Late Lounge', section: 'gallery' },
]
const PICTURES_PER_SITE = 13

const TITLES = [
  '{Q} at first light',
  '{Q}, seen from above',
  'Study of {q}, pencil on paper',
  '{Q} in the rain',
  'A closer look at {q}',
  '{Q} & friends',
  'The colours of {q}',
  "{Q}: a photographer's notebook",
  '{Q} in winter',
  'Hands and {q}',
  '{Q}, black and white',
  'Early print of {q}',
  'Diagram of {q}',
  '{Q} by the window',
  'An afternoon of {q}',
  '{Q}, plate seven',
  'Small {q}, large sky',
] as const
const CREATORS = [
  'Ines Halloway',
  'Tomás Berg',
  'R. Okonedo',
  'Field Team North',
  'Maud Ellery',
  'Juno Park',
  'The Plate Room',
] as const
const LICENCES: readonly [Licence, ...Licence[]] = [
  { code: 'by', version: '4.0' },
  { code: 'by-sa', version: '4.0' },
  { code: 'cc0', version: '1.0' },
  { code: 'by-nc', version: '2.0' },
]
type Size = readonly [width: number, height: number]
const SIZES: readonly [Size, ...Size[]] = [
  [1920, 1280],
  [4000, 2250],
  [1200, 1600],
  [960, 640],
  [2048, 2048],
]
const AGES: Ages = [
  [0.05, 1, 20],
  [0.1, 30, 140],
  [0.15, 200, 640],
  [0.3, 900, 8_000],
  [0.4, 9_500, 90_000],
]

/** `text` is in lower case. */
export function buildPictures(seed: string, text: string): readonly Picture[] {
  const handWritten = text === 'climate' ? CLIMATE_PICTURES : []
  const subject = subjectOf(text)
  const composed = arrange({
    state: hash(`${seed}\npictures\n${text}`),
    sites: SITES,
    adultSites: ADULT_SITES,
    perSite: PICTURES_PER_SITE,
    hasHandWritten: handWritten.length > 0,
  })
  return [...handWritten, ...composed.map((composition) => composePicture(composition, subject))]
}

function composePicture({ site, isAdult, round, place, own }: Composition<PictureSite>, subject: string): Picture {
  const mark = mix(own, round)
  const [width, height] = nth(SIZES, mark)
  return {
    place,
    host: site.host,
    siteName: site.name,
    ageHours: knownAgeIn(AGES, fraction(own, round)),
    isAdult,
    width,
    height,
    licence: nth(LICENCES, mark >>> 3),
    write: () => {
      const title = nth(TITLES, own + round)
      return {
        path: `/${site.section}/${slugOf(subject)}-${(own % 9_000) + 1_000}${String(round).padStart(2, '0')}`,
        title: fill(isAdult ? `${title} (adults only)` : title, subject),
        creator: nth(CREATORS, mark >>> 7),
        tags: [...subject.toLowerCase().split(' ').slice(0, 3), site.section],
      }
    },
  }
}
