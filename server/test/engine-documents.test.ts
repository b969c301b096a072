// The published schema of engine documents takes what is shipped and refuses what the program refuses, and the examples
// of docs/reference/engine-documents.md are valid.
import { globSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { DOCUMENTS } from '@bowerbird/engines/documents/all.ts'
import { readDocument } from '@bowerbird/engines/documents/read-document.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const SCHEMA = 'docs/reference/engine-document.schema.json'
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8')
const isValid = new Ajv2020({ strict: false }).compile(JSON.parse(read(SCHEMA)))

it.each(globSync('engines/documents/*.json', { cwd: ROOT }))(
  '%s is valid, and names the schema for editors',
  (path) => {
    const document = JSON.parse(read(path))
    expect(isValid(document) || isValid.errors).toBe(true)
    expect(document.$schema).toBe(`../../${SCHEMA}`)
    expect(`${document.slug}.json`).toBe(basename(path))
  },
)

const mwmbl = JSON.parse(read('engines/documents/mwmbl.json'))
const { web } = mwmbl.tabs
const withPath = (path: string) => ({ ...mwmbl, tabs: { web: { ...web, request: { ...web.request, path } } } })

it.each([
  ['takes a path', withPath('/a'), true],
  ['takes a document that extends another', { bowerbird: 1, extends: 'mwmbl', slug: 'mine', name: 'Mine' }, true],
  ['refuses a secret in a path', withPath('/${apiKey}'), false],
  ['refuses a query in a path', withPath('/a?b'), false],
  ['refuses an unknown member', { ...mwmbl, script: '' }, false],
])('the schema %s', (_, document, expected) => {
  expect(isValid(document)).toBe(expected)
})

const PAGE = read('docs/reference/engine-documents.md')
const EXAMPLES = [...PAGE.matchAll(/^```json\n(\{[\s\S]*?)^```/gm)].map(([, text = '']) => text)
const [, VALUES = ''] = PAGE.split(/^## (?:Values|Errors)$/m)
/** Each form of a value, put into the first example. */
const WITH_VALUES = [...VALUES.matchAll(/^\|[^|]*\| `([^`]+)` \|/gm)].map(([, value = '']) => {
  const document = JSON.parse(EXAMPLES[0] ?? '')
  document.tabs.web.reply.hit.description = JSON.parse(value)
  return JSON.stringify(document)
})

it('docs/reference/engine-documents.md has a whole document, one that extends another, and the forms of values', () => {
  expect(EXAMPLES).toHaveLength(2)
  expect(WITH_VALUES.length).toBeGreaterThan(10)
})

it.each([...EXAMPLES, ...WITH_VALUES])('docs/reference/engine-documents.md has a valid example: %s', (text) => {
  expect(readDocument(text, DOCUMENTS)).toMatchObject({ ok: true })
})
