// Version 1 of the API only grows: everything that the document ever promised is still in it. `openapi-v1.json` is the
// document of the first version without its prose; later members may be added there, but none is ever removed or
// changed. Only what refused values that the service had always accepted was widened there, `lang` and `include`, and
// the bounds that zod gives every whole number left out. Its objects were closed; opening them breaks no promise to a
// client that reads responses, because closed ones never guaranteed that nothing would be added
// (docs/api/versioning.md).
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { useSharedInstance } from '../support/shared-instance.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const PROMISED: Json = JSON.parse(readFileSync(new URL('fixtures/openapi-v1.json', import.meta.url), 'utf8'))

const server = useSharedInstance()

const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Where `served` lacks something promised. Lists may be reordered or longer. */
function missing(promised: Json, served: Json | undefined, at = ''): string[] {
  if (isObject(promised)) {
    if (!isObject(served)) return [at]
    return Object.entries(promised).flatMap(([name, value]) =>
      isOpened(name, value, served[name]) ? [] : missing(value, served[name], `${at}/${name}`),
    )
  }
  if (Array.isArray(promised)) {
    if (!Array.isArray(served)) return [at]
    return promised.flatMap((value, index) =>
      served.some((candidate) => missing(value, candidate).length === 0) ? [] : [`${at}/${index}`],
    )
  }
  return promised === served ? [] : [`${at}: ${JSON.stringify(promised)} is ${JSON.stringify(served)}`]
}

const isOpened = (name: string, promised: Json, served: Json | undefined): boolean =>
  name === 'additionalProperties' && promised === false && served === undefined

type Schemas = Record<string, { anyOf?: { $ref?: string }[] }>

/** A union of unions equals the union of all their branches. */
function withFlatUnions<Document extends { components: { schemas: Schemas } }>(document: Document): Document {
  const flat = structuredClone(document)
  const branchesOf = ($ref = '') => document.components.schemas[$ref.split('/').at(-1) ?? '']?.anyOf
  for (const schema of Object.values(flat.components.schemas)) {
    schema.anyOf &&= schema.anyOf.flatMap((branch) => [branch, ...(branchesOf(branch.$ref) ?? [])])
  }
  return flat
}

it('the document still has everything that version 1 promised', async () => {
  const reply = await fetch(`${server.url}/api/v1/openapi.json`)
  expect(missing(PROMISED, withFlatUnions(JSON.parse(await reply.text())))).toEqual([])
})

it('a closed object may be opened, but an open one may not be closed', async () => {
  expect(missing({ additionalProperties: false }, {})).toEqual([])
  expect(await (await fetch(`${server.url}/api/v1/openapi.json`)).text()).not.toContain('"additionalProperties":false')
})
