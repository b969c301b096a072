// Tools for instant answers, places and translation.
import { z } from 'zod'
import { mapLinks } from '../../maps/map-links.ts'
import { languageTag, queryText, wholeNumber } from './search-tools.ts'
import { defineTool, oneLine } from './tool.ts'

export const answerTool = defineTool({
  name: 'answer',
  title: 'Instant answer',
  description:
    'Exact answers to short questions: arithmetic, units, currencies, time zones, dates, weather, definitions and more. Says so if there is none.',
  params: z.object({ query: queryText.describe('The question, such as 5 km in miles.'), language: languageTag }),
  reply: z.object({ query: z.string(), answer: z.string().nullable(), type: z.string().nullable() }),
  scope: 'answers',
  countedAs: () => 'instant',
  async run({ params: { query, language = '' }, services, client }) {
    const instant = await services.answers.answer({ text: query, lang: language, client })
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
  description: 'Find places and addresses by name. Returns the full address and coordinates.',
  params: z.object({
    query: queryText.describe('A place name or an address.'),
    limit: wholeNumber(MAX_PLACES).describe('Most places to return; 3 by default.'),
  }),
  reply: z.object({
    query: z.string(),
    places: z.array(
      z.object({ name: z.string(), address: z.string(), lat: z.number(), lon: z.number(), osm_url: z.string() }),
    ),
    attribution: z.string(),
  }),
  scope: 'maps',
  countedAs: () => 'maps',
  async run({ params: { query, limit = DEFAULT_PLACES }, services: { maps } }) {
    const { places, attribution } = await maps.forward({ text: query, limit, lang: '' })
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
      structured: { query, places: found, attribution },
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
    source: z.string().trim().optional().describe('Language code of the text; detected if omitted.'),
  }),
  reply: z.object({ text: z.string(), source: z.string(), target: z.string(), detected: z.string() }),
  scope: 'translate',
  countedAs: () => 'translate',
  async run({ params: { text, target, source }, services: { translate } }) {
    const translation = await translate.translate({ text, target, source: source || 'auto', textParameter: 'text' })
    return { text: translation.text, structured: { ...translation } }
  },
})
