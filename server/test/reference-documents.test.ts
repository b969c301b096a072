// The pages of docs/reference/ that are generated are current.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { REFERENCE_PAGES } from './support/reference-pages.ts'

const read = (name: string): string => readFileSync(resolve(import.meta.dirname, '../../docs/reference', name), 'utf8')

it.each(Object.entries(REFERENCE_PAGES))(
  'docs/reference/%s is current: npm run docs writes the same text',
  async (name, make) => {
    expect(read(name)).toBe(await make())
  },
)
