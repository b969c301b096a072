// Tools for instant answers, cards, places and translation.
import { findPlace } from '@bowerbird/answers/lib/places.ts'
import { fold, LANGUAGES } from '@bowerbird/answers/question.ts'
import { z } from 'zod'
import { alwaysChecked, latWithLon, lonWithLat } from '../../api/endpoints/place-params.ts'
import { type Cards, cardStatusHeader } from '../../cards/cards.ts'
import type { InstantAnswers } from '../../cards/instant-answers.ts'
import { Refusal } from '../../errors.ts'
import { mapLinks } from '../../maps/map-links.ts'
import type { Maps } from '../../maps/maps.ts'
import type { Caller } from '../../search/caller.ts'
import { readDecimal } from '../../text/query-params.ts'
import type { Translate } from '../../translate/translate.ts'
import { queryText } from '../compat-params.ts'
import { defineTool, oneLine } from './tool.ts'
import { degrees, languageTag, optional, timeZone, wholeNumber } from './tool-params.ts'

const PLACE_HINT = 'Send a city, or latitude and longitude such as 52.52,13.41.'

/** A city's zone is known, and answers without a request. Anything smaller needs its coordinates. */
async function whereIs(place: string, lang: string) {
  const [lat, lon, ...others] = place.split(',').map((part) => readDecimal(part.trim()))
  if (lat !== undefined && lon !== undefined && others.length === 0 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180)
    return { point: { latitude: lat, longitude: lon }, zone: undefined }
  const language = LANGUAGES.find((known) => known === lang.slice(0, 2)) ?? 'en'
  const city = await findPlace(fold(place), { language, minPopulation: 0 })
  if (!city) throw new Refusal('parameter_invalid', { place: [PLACE_HINT] })
  const { latitude, longitude, zone } = city
  return { point: { latitude, longitude }, zone }
}

export const answerTool = defineTool({
  name: 'answer',
  title: 'Instant answer',
  description:
    'Exact answers to short questions: arithmetic, units, currencies, time zones, dates, weather, definitions and more. Says so if there is none.',
  params: z.object({
    query: queryText.describe('The question, such as 5 km in miles.'),
    language: languageTag,
    tz: timeZone.describe('Time zone of the asker, such as Europe/Berlin.'),
    place: optional(z.string({ error: PLACE_HINT }).trim()).describe('Where the asker is: a city, or 52.52,13.41.'),
  }),
  reply: z.object({ query: z.string(), answer: z.string().nullable(), type: z.string().nullable() }),
  scope: 'answers',
  countedAs: () => 'instant',
  async run({ params: { query, language = '', tz, place }, caller, client }, { answers }: { answers: InstantAnswers }) {
    const here = place === undefined ? undefined : await whereIs(place, language)
    const where = { zone: tz ?? here?.zone, point: here?.point }
    const instant = await answers.answer(caller, { text: query, lang: language, client, ...where })
    return {
      text: instant ? oneLine(instant.answer.text) : 'No instant answer to this. Use search instead.',
      structured: { query, answer: instant?.answer.text ?? null, type: instant?.answer.type ?? null },
    }
  },
})

const MAX_PLACES = 10
const DEFAULT_PLACES = 3

export const placeTool = defineTool({
  name: 'find_place',
  title: 'Find a place',
  description:
    'Find places and addresses by name, or the address at a point. Returns the full address and coordinates.',
  params: z
    .object({
      query: optional(queryText).describe('A place name or an address.'),
      lat: degrees(90).describe('Latitude of a point, with lon, instead of query.'),
      lon: degrees(180).describe('Longitude.'),
      language: languageTag,
      limit: wholeNumber(MAX_PLACES).describe('Most places to return; 3 by default.'),
    })
    .refine(
      ({ query, lat, lon }) => query !== undefined || lat !== undefined || lon !== undefined,
      alwaysChecked('query', 'Send a place in query, or a point in lat and lon.'),
    )
    .refine(
      ({ query, lat, lon }) => query === undefined || (lat === undefined && lon === undefined),
      alwaysChecked('query', 'Send either query or lat and lon, not both.'),
    )
    .refine(...latWithLon)
    .refine(...lonWithLat),
  reply: z.object({
    query: z.string(),
    places: z.array(
      z.object({ name: z.string(), address: z.string(), lat: z.number(), lon: z.number(), osm_url: z.string() }),
    ),
    attribution: z.string(),
  }),
  scope: 'maps',
  countedAs: () => 'maps',
  async run({ params, caller }, { maps }: { maps: Maps }) {
    const { query = '', lat, lon, language: lang = '', limit = DEFAULT_PLACES } = params
    const { places, attribution } =
      lat === undefined || lon === undefined
        ? await maps.forward(caller, { text: query, limit, lang })
        : await maps.reverse(caller, { lat, lon, lang })
    const found = places.map((place) => ({
      name: oneLine(place.name),
      address: oneLine(place.displayName),
      lat: place.lat,
      lon: place.lon,
      osm_url: mapLinks(place).osmUrl,
    }))
    const lines = found.flatMap(({ name, address, lat, lon, osm_url }, index) => [
      `[${index + 1}] ${name || address}`,
      `    ${address}`,
      `    ${lat}, ${lon} · ${osm_url}`,
    ])
    return {
      text: [...(lines.length > 0 ? lines : ['No place found.']), '', attribution].join('\n').trim(),
      structured: { query: query || `${lat},${lon}`, places: found, attribution },
    }
  },
})

export const translateTool = defineTool({
  name: 'translate',
  title: 'Translate',
  description: 'Translate a text into another language.',
  params: z.object({
    text: z.string({ error: 'Send a text.' }).min(1, 'Send a text.').describe('The text.'),
    target: z
      .string({ error: 'Send a language code.' })
      .trim()
      .min(1, 'Send a language code.')
      .describe('Language code, such as fr.'),
    source: optional(z.string({ error: 'Send a language code.' }).trim()).describe(
      'Language code of the text; detected if omitted.',
    ),
  }),
  reply: z.object({ text: z.string(), source: z.string(), target: z.string(), detected: z.string() }),
  scope: 'translate',
  countedAs: () => 'translate',
  async run({ params: { text, target, source }, caller }, { translate }: { translate: Translate }) {
    try {
      const translation = await translate.translate(caller, {
        text,
        target,
        source: source || 'auto',
        textParameter: 'text',
      })
      return { text: translation.text, structured: { ...translation } }
    } catch (error) {
      throw await namingCodes(error, caller, translate)
    }
  },
})

/** Lists the codes if one of them was wrong: a model can't look them up. */
async function namingCodes(error: unknown, caller: Caller, translate: Translate): Promise<unknown> {
  if (!(error instanceof Refusal) || error.code !== 'parameter_invalid') return error
  const wrong = Object.entries(error.body).flatMap(([name, messages]) =>
    [messages].flat().some((message) => String(message).includes('/languages/')) ? [name] : [],
  )
  if (wrong.length === 0) return error
  const codes = (await translate.languages(caller)).map(({ code }) => code).join(', ')
  const hint = [`This language is not available. Send one of these codes: ${codes}.`]
  return new Refusal('parameter_invalid', Object.fromEntries(wrong.map((name) => [name, hint])))
}

/** What is known of the thing that a query names, kind by kind. */
export const cardsTool = defineTool({
  name: 'cards',
  title: 'Knowledge cards',
  description:
    'Facts about what a query names: an encyclopedia summary, a dictionary entry, a book, a map, an answer for programmers.',
  params: z.object({ query: queryText.describe('A name or a word, such as Eiffel Tower.'), language: languageTag }),
  reply: z.object({ query: z.string(), status: z.string(), cards: z.record(z.string(), z.unknown()) }),
  scope: 'answers',
  countedAs: () => 'cards',
  async run({ params: { query, language = '' }, caller, setHeader }, { cards }: { cards: Cards }) {
    const wanted = { text: query, lang: language, safe: true }
    const { cards: found, reports, status } = await cards.cards(caller, wanted)
    setHeader('Search-Status', status)
    setHeader('Card-Status', cardStatusHeader(reports))
    const lines = linesOf(found)
    const note = status === 'partial' ? ['', 'Some sources failed, so cards may be missing.'] : []
    return {
      text: [...(lines.length > 0 ? lines : ['No cards for this. Use search instead.']), ...note].join('\n'),
      structured: { query, status, cards: found },
    }
  },
})

/** One line a member, indented below the object it belongs to. Members without a value are left out. */
function linesOf(value: object, indent = ''): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const label = Array.isArray(value) ? '-' : `${name}:`
    if (member === null || member === '' || member === undefined) return []
    if (typeof member !== 'object') return [`${indent}${label} ${oneLine(String(member))}`]
    const inner = linesOf(member, `${indent}  `)
    return inner.length === 0 ? [] : [`${indent}${label}`, ...inner]
  })
}
