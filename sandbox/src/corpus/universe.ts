// All pages on one query: about ninety invented ones, best first. It depends on the seed and the query alone, never on
// the engine, so that engines have something to agree on.
import { type Ages, ageIn } from './ages.ts'
import { arrange, type Composition } from './arrange.ts'
import { CLIMATE_PAGES } from './climate.ts'
import type { Page } from './page.ts'
import { capitalised, fill, slugOf } from './phrasing.ts'
import { fraction, hash } from './random.ts'
import { ADULT_SITES, SITES, type Site, VOICES } from './sites.ts'
import { subjectOf } from './subject.ts'

const PAGES_PER_SITE = 2

const AGES: Ages = [
  [0.1, 1, 20],
  [0.15, 30, 140],
  [0.2, 200, 640],
  [0.3, 900, 8_000],
  [0.15, 9_500, 60_000],
]

/** `text` is in lower case. */
export function buildUniverse(seed: string, text: string): readonly Page[] {
  const handWritten = text === 'climate' ? CLIMATE_PAGES : []
  const subject = subjectOf(text)
  const composed = arrange({
    state: hash(`${seed}\n${text}`),
    sites: SITES,
    adultSites: ADULT_SITES,
    perSite: PAGES_PER_SITE,
    hasHandWritten: handWritten.length > 0,
  })
  return [...handWritten, ...composed.map((composition) => composePage(composition, subject))]
}

function composePage({ site, isAdult, round, place, own }: Composition<Site>, subject: string): Page {
  const voice = VOICES[site.kind]
  return {
    place,
    host: site.host,
    siteName: site.name,
    ageHours: ageIn(AGES, fraction(own, round)),
    isAdult,
    sections: round === 0 && own % 4 === 0 ? ['About', capitalised(voice.section), 'Contact'] : [],
    write: () => {
      const [title, path] = voice.titles[(own + round) % voice.titles.length] ?? ['{Q}', '']
      const start = (own >>> 8) + round
      const sentences = [0, 1, 2].map((step) => voice.sentences[(start + step) % voice.sentences.length] ?? '')
      return {
        path: `/${voice.section}/${slugOf(subject)}${path}`,
        title: fill(isAdult ? `${title} (adults only)` : title, subject),
        sentences: sentences.map((sentence) => fill(sentence, subject)),
      }
    },
  }
}
