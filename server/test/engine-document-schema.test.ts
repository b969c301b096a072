// The published schema of engine documents takes what is shipped, and refuses what the program refuses.
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { makeEngineDocumentSchema } from './support/engine-document-schema.ts'

const FOLDER = resolve(import.meta.dirname, '../../engines/documents')
const FILES = readdirSync(FOLDER)
const isValid = new Ajv2020({ strict: false }).compile(JSON.parse(makeEngineDocumentSchema()))
const read = (name: string) => JSON.parse(readFileSync(resolve(FOLDER, name), 'utf8'))

it.each(FILES)('%s is valid, and names the schema for editors', (name) => {
  const document = read(name)
  expect(isValid(document) || isValid.errors).toBe(true)
  expect(document.$schema).toBe('../../docs/reference/engine-document.schema.json')
  expect(`${document.slug}.json`).toBe(name)
})

it('a document with a secret in its path, an unknown member or a script is not', () => {
  const mwmbl = read('mwmbl.json')
  const { web } = mwmbl.tabs
  const withPath = (path: string) => ({ ...mwmbl, tabs: { web: { ...web, request: { ...web.request, path } } } })
  expect(isValid(withPath('/a'))).toBe(true)
  expect(
    [withPath('/${apiKey}'), withPath('/a?b'), { ...mwmbl, script: '' }].map((document) => isValid(document)),
  ).toEqual([false, false, false])
  expect(isValid({ bowerbird: 1, extends: 'mwmbl', slug: 'mine', name: 'Mine' })).toBe(true)
})
