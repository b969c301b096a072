// All videos of one query: about a hundred, from half a minute to three hours long.
import { type Ages, knownAgeIn } from './ages.ts'
import { arrange, type Composition } from './arrange.ts'
import { CLIMATE_VIDEOS } from './climate-videos.ts'
import type { Video } from './media.ts'
import { fill, nth } from './phrasing.ts'
import { fraction, hash, mix } from './random.ts'
import { subjectOf } from './subject.ts'

interface Tube {
  host: string
  name: string
}

const TUBES: readonly Tube[] = [
  { host: 'tube.example', name: 'Tube' },
  { host: 'open-lectures.example', name: 'Open Lectures' },
  { host: 'kitchen-cinema.example', name: 'Kitchen Cinema' },
  { host: 'field-films.example.org', name: 'Field Films' },
  { host: 'slow-channel.test', name: 'The Slow Channel' },
  { host: 'workshop-video.example', name: 'Workshop Video' },
  { host: 'public-screen.example.net', name: 'Public Screen' },
  { host: 'projector.example', name: 'Projector' },
]
const ADULT_TUBES: readonly Tube[] = [
  { host: 'after-hours-club.example', name: 'After Hours Club' },
  { host: 'late-lounge.test', name: 'Late Lounge' },
]
const VIDEOS_PER_TUBE = 12
const SHORTEST_SECONDS = 30
const LONGEST_SECONDS = 10_800

const TITLES = [
  '{Q} explained in ten minutes',
  '{Q}: the full documentary',
  'I tried {q} every day for a month',
  'Lecture 3: {q}, from the beginning',
  '{Q} – what nobody tells you',
  'How {q} is made',
  'A walk through {q}, no talking',
  '{Q} questions & answers, live',
  'The strange history of {q}',
  '{Q} for complete beginners',
  'Restoring {q}, part one',
] as const
const SENTENCES = [
  'Everything about {q} that fits into one film, with chapters.',
  'Sources and corrections are in the notes below; thank you for two million minutes.',
  'Filmed over three seasons with one camera & no script.',
  'Recorded in front of an audience; the questions begin at the half-hour.',
] as const
const CHANNELS = [
  'Plainly Put',
  'The Evening Lecture',
  'Mara & the Camera',
  'Northfield University',
  'Bench and Vice',
  'Quiet Hours',
  'Second Look',
] as const
const AGES: Ages = [
  [0.08, 1, 20],
  [0.14, 30, 140],
  [0.18, 200, 640],
  [0.35, 900, 8_000],
  [0.25, 9_500, 60_000],
]

/** `text` is in lower case. */
export function buildVideos(seed: string, text: string): readonly Video[] {
  const handWritten = text === 'climate' ? CLIMATE_VIDEOS : []
  const subject = subjectOf(text)
  const composed = arrange({
    state: hash(`${seed}\nvideos\n${text}`),
    sites: TUBES,
    adultSites: ADULT_TUBES,
    perSite: VIDEOS_PER_TUBE,
    hasHandWritten: handWritten.length > 0,
  })
  return [...handWritten, ...composed.map((composition) => composeVideo(composition, subject))]
}

function composeVideo({ site, isAdult, round, place, own }: Composition<Tube>, subject: string): Video {
  const mark = mix(own, round)
  return {
    place,
    host: site.host,
    platform: site.name,
    ageHours: knownAgeIn(AGES, fraction(own, round)),
    isAdult,
    // The third power, because most videos are short.
    seconds: Math.round(SHORTEST_SECONDS + fraction(mark, 0) ** 3 * (LONGEST_SECONDS - SHORTEST_SECONDS)),
    write: () => {
      const title = nth(TITLES, own + round)
      return {
        path: `/w/${own.toString(36)}${round.toString(36)}`,
        title: fill(isAdult ? `${title} (adults only)` : title, subject),
        sentences: [0, 1].map((step) => fill(nth(SENTENCES, (mark >>> 4) + step), subject)),
        channel: nth(CHANNELS, mark >>> 9),
      }
    },
  }
}
