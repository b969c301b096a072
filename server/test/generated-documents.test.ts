// Every generated document is what its generator writes: the pages of docs/reference/ and docs/connect/, the table of
// error codes, and the facts that other pages repeat.
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { generateDocuments } from '../../tools/docs/generated-documents.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const DOCUMENTS = await generateDocuments()
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8')

it.each([...DOCUMENTS])('every table and every fact in %s is current', (path, text) => {
  expect(read(path), `${path} is out of date: run npm run docs`).toBe(text)
})

it('docs/connect has no page for a program that is gone', () => {
  const generated = globSync('docs/connect/*.md', { cwd: ROOT }).filter((path) => /^<!-- Generated/m.test(read(path)))
  expect(generated.filter((path) => !DOCUMENTS.has(path))).toEqual([])
})
