// docs/reference/engine-document.schema.json: the format of engine documents for editors, which complete and check with it.
import { documentFormat } from '@bowerbird/engines/documents/document-format.ts'
import { z } from 'zod'

/** A document that extends another says only what is different, so only its name can be checked without the other one. */
export const makeEngineDocumentSchema = (): string => {
  const { $schema, $defs, ...document } = z.toJSONSchema(documentFormat(), { target: 'draft-2020-12' })
  const extending = { extends: document.properties?.['slug'] ?? {}, slug: document.properties?.['slug'] ?? {} }
  const schema = {
    $schema,
    title: 'Bowerbird engine document, version 1',
    type: 'object',
    anyOf: [
      { properties: extending, required: ['extends', 'bowerbird', 'slug', 'name'] },
      { $ref: '#/$defs/document' },
    ],
    $defs: { document, ...$defs },
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}
