// Keeps the guides to engines true: docs/set-up/engines.md and docs/install/coming-from-searxng.md name the engines,
// prices, filters and settings of the code.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import type { Engine } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import { keylessNames } from '../src/settings/slot-configuration.ts'

const DOCS = resolve(import.meta.dirname, '../../docs')
const read = (path: string): string => readFileSync(resolve(DOCS, path), 'utf8')

/** The cells of the rows below a table's heading. */
function rowsBelow(page: string, heading: string): string[][] {
  const [, table = ''] = page.split(`${heading}\n`)
  const rows = table.split('\n\n', 1)[0]?.split('\n').slice(1) ?? []
  expect(rows.length).toBeGreaterThan(3)
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

describe('docs/set-up/engines.md', () => {
  const page = read('set-up/engines.md')

  it('names every engine that is asked without a key', () => {
    const { foundations, all } = keylessNames()
    const names = [...foundations, ...all].map((name) => name.replace(' (keyless)', ''))
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => !page.includes(name))).toEqual([])
  })

  const priced = rowsBelow(page, '| you want | consider | US$ per 1,000 searches |').flatMap(
    ([, names = '', prices = '']) =>
      prices === '' ? [] : names.split('; ').map((name, index) => [name, prices.split('; ')[index]] as const),
  )

  it.each(priced)('%s: its price, and whether it has a safe-search filter', (written, price) => {
    const name = written.replace('\\*', '')
    const engine = ALL_ENGINES.find((candidate) => candidate.name === name)
    expect(String((engine?.terms.pricePerCallMicros ?? 0) / 1_000)).toBe(price)
    expect(written.endsWith('\\*')).toBe(engine !== undefined && !isSafe(engine))
  })
})

const isSafe = ({ tabs }: Engine): boolean => Object.values(tabs).some(({ honours }) => honours.includes('safe'))

describe('docs/install/coming-from-searxng.md', () => {
  const page = read('install/coming-from-searxng.md')

  it('names engines that exist here', () => {
    const slugs = new Set(ALL_ENGINES.map(({ slug }) => slug))
    const settings = /^[A-Z_]+$/
    const named = rowsBelow(page, '| in SearXNG | here | note |').flatMap(([, here = '', note = '']) =>
      [...`${here} ${note}`.matchAll(/`([^`=]+)`/g)]
        .map(([, name = '']) => name)
        .filter((name) => !settings.test(name)),
    )
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((name) => !slugs.has(name))).toEqual([])
  })

  it('names settings that exist', () => {
    const reference = read('reference/settings.md')
    const named = rowsBelow(page, '| in `settings.yml` | here |').flatMap(([, here = '']) =>
      [...here.matchAll(/`([A-Z_<>]+)(?:=\w+)?`/g)].map(([, name = '']) => name),
    )
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter((name) => name !== 'ENGINE_Z' && !reference.includes(`\`${name}\``))).toEqual([])
  })
})
