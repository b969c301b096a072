// What every engine of papers says of each paper in its fixture, as its provider gives it.
import { describe, expect, it } from 'vitest'
import { EVERY_READING, QUERY } from '../test/engine-cases.ts'
import { readFixture } from '../test/read-fixture.ts'
import type { WebHit } from './engine.ts'

/** By engine, one row a paper: authors, venue, year, DOI, abstract, whether it is open access. */
const FACTS: Readonly<Record<string, readonly string[]>> = {
  arxiv: [
    'Ada Lovelace, Emmy Noether (2) | Inv. J. Phys. 1 (2027) 1 | 2027 | 10.5555/ijp.1 | We show that $S > 0$. | ',
    'E. Noether (1) |  | 1999 |  | Strings. | ',
    'E. Noether (1) |  | 2026 |  | One leaf. | ',
  ],
  // Another instance glues authors and journal to the description.
  bowerbird: [],
  crossref: [
    'Ada Lovelace, The Heat Consortium (2) | Journal of Invented Energy | 2026 | 10.5555/heat.2026.01 | A field study of forty houses. | ',
    'Noether (1) | Handbuch | 2024 | 10.5555/chapter.7 |  | ',
    ' |  | 2025 | 10.5555/preprint.3 | We guess. | ',
  ],
  europepmc: Array.from(
    { length: 10 },
    (_, at) =>
      `A Lovelace, E Noether (2) | Invented Heart Journal | 2026 | 10.5555/heart.${at + 1} | Hot days are hard on hearts. | open`,
  ),
  openalex: [
    'Ada Lovelace, Emmy Noether (2) | Journal of Trees | 2026 | 10.5555/oak.1 | Oaks shade streets and cool streets | ',
    ' |  | 2019 |  |  | ',
    'E. Noether (1) | arXiv | 2026 | 10.48550/arxiv.2611.00007 | One leaf | ',
  ],
  semanticscholar: [
    'Ada Lovelace (1) | Invented Conference | 2026 | 10.5555/net.1 | We teach a net. | open',
    ' |  |  | 10.48550/arxiv.2611.01234 |  | ',
    'E. Noether (1) | Reports | 1971 |  | It is old. | ',
  ],
}

const factsOf = ({ paper }: WebHit): string[] => {
  if (!paper) return []
  const { authors = [], authorCount, venue = '', year = '', doi = '', abstract = '', isOpenAccess } = paper
  const names = authorCount === undefined ? '' : `${authors.join(', ')} (${authorCount})`
  return [[names, venue, year, doi, abstract, isOpenAccess ? 'open' : ''].join(' | ')]
}

const SCIENCE_TABS = EVERY_READING.filter(({ name, engine }) => name === 'science' && engine.tierOf === undefined)

it('lists every engine that finds papers', () => {
  expect(SCIENCE_TABS.map(({ engine }) => engine.slug).toSorted()).toEqual(Object.keys(FACTS).toSorted())
})

describe.each(SCIENCE_TABS)('$engine.slug', ({ engine, tab, fixture }) => {
  it('says who wrote a paper, where and when it was published, and whether it is open', () => {
    const { hits } = tab.parse(readFixture(`${fixture}-page`), QUERY)
    expect((hits as WebHit[]).flatMap(factsOf)).toEqual(FACTS[engine.slug])
  })
})
