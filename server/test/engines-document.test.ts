import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { describe, expect, it } from 'vitest'
import { makeEnginesDocument } from './support/engines-document.ts'

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/reference/engines.md'), 'utf8')

describe('docs/reference/engines.md', () => {
  it('is current: npm run docs writes the same text', () => {
    expect(PAGE).toBe(makeEnginesDocument())
  })

  it('has a row for every engine', () => {
    expect([...PAGE.matchAll(/^\| `([a-z0-9]+)` \|/gm)].map((match) => match[1])).toEqual(
      ALL_ENGINES.map(({ slug }) => slug),
    )
    expect(ALL_ENGINES.length).toBeGreaterThanOrEqual(40)
  })
})
