// All news stories of one query: about a hundred, the oldest of them eleven weeks old.
import { type Ages, knownAgeIn } from './ages.ts'
import { arrange, type Composition } from './arrange.ts'
import { CLIMATE_STORIES } from './climate-stories.ts'
import type { Story } from './media.ts'
import { fill, nth, slugOf } from './phrasing.ts'
import { fraction, hash, mix } from './random.ts'
import { subjectOf } from './subject.ts'

interface Paper {
  host: string
  name: string
}

const PAPERS: readonly Paper[] = [
  { host: 'harbour-gazette.example', name: 'The Harbour Gazette' },
  { host: 'morning-ledger.example', name: 'The Morning Ledger' },
  { host: 'northern-dispatch.example', name: 'Northern Dispatch' },
  { host: 'valley-observer.test', name: 'Valley Observer' },
  { host: 'the-weekly-round.example', name: 'The Weekly Round' },
  { host: 'public-square.example.org', name: 'Public Square' },
  { host: 'evening-wire.example', name: 'Evening Wire' },
  { host: 'plain-report.example', name: 'The Plain Report' },
  { host: 'capital-notes.test', name: 'Capital Notes' },
  { host: 'workshop-weekly.example', name: 'Workshop Weekly' },
  { host: 'coast-and-country.example.net', name: 'Coast & Country' },
  { host: 'the-second-edition.example', name: 'The Second Edition' },
]
const ADULT_PAPERS: readonly Paper[] = [
  { host: 'after-hours-club.example', name: 'After Hours Club' },
  { host: 'late-lounge.test', name: 'Late Lounge' },
]
const STORIES_PER_PAPER = 8

const TITLES = [
  '{Q}: what changed this week',
  'Council votes on {q} after a long night',
  "'We did not expect this': how {q} came to town",
  '{Q} in numbers, and what they leave out',
  'Five questions about {q}, answered',
  'Why everybody is suddenly talking about {q}',
  'New figures on {q} surprise the experts',
  '{Q}: the case for patience',
  'A quiet year for {q} ends with a bang',
  "Readers' letters: your views on {q}",
  'Inside the workshop that took {q} apart',
] as const
const SENTENCES = [
  'The report on {q} was published this morning and runs to 140 pages.',
  'Three people who know the subject well explain what they expect next, and why they disagree.',
  "It's the first time in a decade that the question has been put to a vote.",
  'Costs, dates and names are listed at the end of the article.',
  'Our correspondent spent two days with the people who work on {q} & came back with a notebook full of doubts.',
  'A decision is expected before the end of the month.',
] as const
const AUTHORS = ['Edda Lindqvist', 'Samuel Oyelaran', 'P. Marchetti', 'Our correspondent', 'Ruth Adeyemi'] as const
const AGES: Ages = [
  [0.25, 1, 20],
  [0.35, 30, 140],
  [0.3, 200, 640],
  [0.1, 900, 1_900],
]

/** `text` is in lower case. */
export function buildStories(seed: string, text: string): readonly Story[] {
  const handWritten = text === 'climate' ? CLIMATE_STORIES : []
  const subject = subjectOf(text)
  const composed = arrange({
    state: hash(`${seed}\nstories\n${text}`),
    sites: PAPERS,
    adultSites: ADULT_PAPERS,
    perSite: STORIES_PER_PAPER,
    hasHandWritten: handWritten.length > 0,
  })
  return [...handWritten, ...composed.map((composition) => composeStory(composition, subject))]
}

function composeStory({ site, isAdult, round, place, own }: Composition<Paper>, subject: string): Story {
  const mark = mix(own, round)
  return {
    place,
    host: site.host,
    publisher: site.name,
    ageHours: knownAgeIn(AGES, fraction(own, round)),
    isAdult,
    write: () => {
      const title = nth(TITLES, own + round)
      return {
        path: `/stories/${slugOf(subject)}-${(own % 9_000) + 1_000}${round}`,
        title: fill(isAdult ? `${title} (adults only)` : title, subject),
        sentences: [0, 1].map((step) => fill(nth(SENTENCES, (mark >>> 4) + step), subject)),
        author: nth(AUTHORS, mark >>> 9),
      }
    },
  }
}
