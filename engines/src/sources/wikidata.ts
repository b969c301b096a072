// Wikidata: statements about a thing, and the labels of things in a language. The Wikibase API, JSON over HTTP, no key.
// Its replies are large (a country is about a megabyte), so only the statements for `properties` are kept. Values refer
// to other items by id, and their labels take a second call. Data is CC0.
import { z } from 'zod'
import { asArray, asObject, asString, asTitle, type JsonObject } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { mediaWikiReply } from '../parsing/mediawiki.ts'
import { setting } from '../setting.ts'
import { defineCall, defineSource } from '../source.ts'
import { UpstreamError } from '../upstream-error.ts'

const settings = { baseUrl: setting('WIKIDATA_URL', 'https://www.wikidata.org') }

/** The provider's maximum per call. */
export const MAX_IDS = 50
const MAX_VALUES = 60

const INSTANCE_OF = 'P31'
const POINT_IN_TIME = 'P585'
const END_TIME = 'P582'

const Value = z.discriminatedUnion('type', [
  z.object({ type: z.literal('item'), id: z.string() }),
  z.object({ type: z.literal('text'), text: z.string() }),
  /**
   * `time` as in `+1994-01-00T00:00:00Z`, which no date parser reads. Precision: 11 is a day, 10 a month, 9 a year;
   * lower is coarser.
   */
  z.object({ type: z.literal('time'), time: z.string(), precision: z.number() }),
  /** `amount` is a signed decimal; `unit` is an item, or '' for a bare number. */
  z.object({ type: z.literal('quantity'), amount: z.string(), unit: z.string() }),
])
export type WikidataValue = z.infer<typeof Value>

const Statement = z.object({
  value: Value,
  /** When the statement held, in the format above, or ''. */
  pointInTime: z.string(),
  hasEnded: z.boolean(),
})
export type WikidataStatement = z.infer<typeof Statement>

const Item = z.object({
  id: z.string(),
  /** The items it is an instance of. */
  kinds: z.array(z.string()),
  /** By property, best first. Only requested properties that it has. */
  statements: z.record(z.string(), z.array(Statement)),
})
export type WikidataItem = z.infer<typeof Item>

const itemId = (value: unknown): string => {
  const id = asString(value)
  return /^[QP]\d{1,12}$/.test(id) ? id : ''
}

const DECIMAL = /^[+-]?\d{1,40}(?:\.\d{1,40})?$/
const TIME = /^[+-]\d{1,16}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

const readSnak = (snak: JsonObject): WikidataValue | undefined => {
  const { type, value } = asObject(snak['datavalue'])
  if (type === 'string') return textOf(value)
  const parts = asObject(value)
  if (type === 'monolingualtext') return textOf(parts['text'])
  if (type === 'wikibase-entityid') {
    const id = itemId(parts['id'])
    return id === '' ? undefined : { type: 'item', id }
  }
  if (type === 'time') {
    const { time, precision } = parts
    const isTime = typeof precision === 'number' && TIME.test(asString(time))
    return isTime ? { type: 'time', time: asString(time), precision } : undefined
  }
  const amount = asString(parts['amount'])
  if (type !== 'quantity' || !DECIMAL.test(amount)) return undefined
  // The unit is the URL of an item, or '1'.
  return { type: 'quantity', amount, unit: itemId(asString(parts['unit']).split('/').at(-1)) }
}

const textOf = (value: unknown): WikidataValue | undefined => {
  const text = asTitle(value)
  return text === '' ? undefined : { type: 'text', text }
}

const pointInTimeOf = (qualifiers: JsonObject): string => {
  const value = readSnak(asObject(asArray(qualifiers[POINT_IN_TIME])[0]))
  return value?.type === 'time' ? value.time : ''
}

const statementOf = (claim: JsonObject): WikidataStatement | undefined => {
  const value = readSnak(asObject(claim['mainsnak']))
  const qualifiers = asObject(claim['qualifiers'])
  return value && { value, pointInTime: pointInTimeOf(qualifiers), hasEnded: asArray(qualifiers[END_TIME]).length > 0 }
}

/** The preferred statements if there are any, otherwise the normal ones; never the deprecated ones. */
const bestOf = (claims: unknown): WikidataStatement[] => {
  const all = asArray(claims).map(asObject)
  const withRank = (rank: string) =>
    all
      .filter((claim) => claim['rank'] === rank)
      .map(statementOf)
      .filter((statement) => statement !== undefined)
  const preferred = withRank('preferred')
  return (preferred.length > 0 ? preferred : withRank('normal')).slice(0, MAX_VALUES)
}

/** Labels are keyed by language; with `languagefallback`, a fallback is under the requested code. */
const labelIn = (labels: unknown, lang: string): string =>
  asTitle(asObject(asObject(labels)[lang])['value']) || asTitle(asObject(asObject(labels)['en'])['value'])

interface ItemQuery {
  id: string
  properties: readonly string[]
}

const entitiesIn = (body: JsonObject): JsonObject => {
  const entities = asObject(body['entities'])
  const isReadable = Object.values(entities).every((entity) => itemId(asObject(entity)['id']) !== '')
  if (Object.keys(entities).length === 0 || !isReadable) {
    throw new UpstreamError('malformed', 'The provider answered with no entities.')
  }
  return entities
}

const requestOf = (parameters: Record<string, string | number>) =>
  getJson('/w/api.php', { action: 'wbgetentities', format: 'json', formatversion: 2, ...parameters })

/** Fetches an item with its statements; null if it doesn't exist. */
export const wikidataItem = defineCall<typeof settings>()({
  name: 'item',
  keepSeconds: 86_400,
  keyOf: ({ id, properties }: ItemQuery) => [id, ...properties].join('\n'),
  request: ({ id }) => requestOf({ ids: id, props: 'claims' }),
  parse: (reply, { query: { id, properties }, now }): WikidataItem | null => {
    const entity = asObject(entitiesIn(mediaWikiReply(reply, now))[id])
    if (entity['missing'] !== undefined) return null
    const claims = asObject(entity['claims'])
    const statements = properties
      .map((property): [string, WikidataStatement[]] => [property, bestOf(claims[property])])
      .filter(([, values]) => values.length > 0)
    return {
      id,
      kinds: bestOf(claims[INSTANCE_OF]).flatMap(({ value }) => (value.type === 'item' ? [value.id] : [])),
      statements: Object.fromEntries(statements),
    }
  },
  schema: Item.nullable(),
})

interface LabelsQuery {
  /** At most MAX_IDS. */
  ids: readonly string[]
  /** A Wikidata language code: `en`, `fr`. */
  lang: string
}

/** Fetches the labels of items and properties, by id; those without one are left out. */
export const wikidataLabels = defineCall<typeof settings>()({
  name: 'labels',
  keepSeconds: 86_400,
  keyOf: ({ ids, lang }: LabelsQuery) => [lang, ...ids].join('\n'),
  request: ({ ids, lang }) =>
    requestOf({
      ids: ids.join('|'),
      props: 'labels',
      languages: lang === 'en' ? 'en' : `${lang}|en`,
      languagefallback: 1,
    }),
  parse: (reply, { query: { lang }, now }): Record<string, string> => {
    const entities = entitiesIn(mediaWikiReply(reply, now))
    const labels = Object.entries(entities).map(([id, entity]) => [id, labelIn(asObject(entity)['labels'], lang)])
    return Object.fromEntries(labels.filter(([id, label]) => itemId(id) !== '' && label !== ''))
  },
  schema: z.record(z.string(), z.string()),
})

export const wikidata = defineSource({
  slug: 'wikidata',
  name: 'Wikidata',
  homepage: 'https://www.wikidata.org',
  group: 'cards',
  settings,
  terms: {
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Facts from Wikidata, CC0',
    rateLimit: { calls: 200, perSeconds: 60 },
  },
})
