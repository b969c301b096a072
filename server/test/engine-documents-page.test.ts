// The examples of docs/reference/engine-documents.md are what they say.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { DOCUMENTS } from '@bowerbird/engines/documents/all.ts'
import { readDocument } from '@bowerbird/engines/documents/read-document.ts'
import { expect, it } from 'vitest'

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/reference/engine-documents.md'), 'utf8')
const EXAMPLES = [...PAGE.matchAll(/^```json\n(\{[\s\S]*?)^```/gm)].map(([, text = '']) => text)

it('has a whole document, and one that extends another', () => {
  expect(EXAMPLES).toHaveLength(2)
})

it.each(EXAMPLES)('its documents are valid: %s', (text) => {
  expect(readDocument(text, DOCUMENTS)).toMatchObject({ ok: true })
})

/** The forms of values, one in each row of the table. */
const VALUES = [...(PAGE.split('## Values')[1]?.split('## Errors')[0] ?? '').matchAll(/^\|[^|]*\| `([^`]+)` \|/gm)].map(
  ([, text = '']) => text,
)

it.each(VALUES)('%s is a value', (value) => {
  const [whole = ''] = EXAMPLES
  const document = JSON.parse(whole)
  document.tabs.web.reply.hit.description = JSON.parse(value)
  expect(readDocument(JSON.stringify(document), DOCUMENTS)).toMatchObject({ ok: true })
})

it('has the forms of values in its table', () => {
  expect(VALUES.length).toBeGreaterThan(10)
})
