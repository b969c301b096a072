// GET /maps: finds places by name (`q`) or by coordinates (`lat` and `lon`). `show=2` opens the map of the second
// place. Places are found as in the API. Their names are in the reader's preferred language for results or, if none is
// set, in the language of the interface.

import { plainDecimal } from '@bowerbird/engines/parsing/geo-place.ts'
import { z } from 'zod'
import { Refusal } from '../../errors.ts'
import type { MapTiles } from '../../maps/map-tiles.ts'
import type { FoundPlaces, Maps } from '../../maps/maps.ts'
import type { GuardMode } from '../../search/query-guard.ts'
import { isTooLong, MAX_QUERY_LENGTH } from '../../search/read-filters.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, type View } from '../http/page.ts'
import { OWN_MAP_HEADERS } from '../http/send-page.ts'
import { addressOf } from '../parts/address.ts'
import { buttonLink } from '../parts/form.ts'
import { guardSearch, removedNote } from '../search/guard-page.ts'
import { notSetUp, statePage, unavailable } from '../search/search-notes.ts'
import { sureOf } from '../search/search-query.ts'
import { mapAssets } from './map-assets.ts'
import { type IsOnMap, mapFor, mapPanel } from './map-panel.ts'
import { formatPoint, placeList } from './place-list.ts'

export interface MapsPageParts {
  maps: Maps
  /** undefined: there is no map of our own, only links to maps. */
  mapTiles: MapTiles | undefined
  queryGuard: GuardMode
}

const MapsQuery = z.object({
  q: z.string().catch(''),
  lat: z.string().catch(''),
  lon: z.string().catch(''),
  limit: z.string().catch(''),
  show: z.string().catch(''),
  sure: z.string().catch(''),
  removed: z.string().catch(''),
})

type PlaceQuery =
  | { kind: 'nothing' }
  | { kind: 'name'; text: string; limit: number }
  | { kind: 'point'; lat: number; lon: number; label: string }
  | { kind: 'badPoint' }

const DEFAULT_PLACES = 10
const MAX_PLACES = 50

const DEGREES = /^[+-]?\d{1,3}(?:\.\d{0,20})?$/

/**
 * A name takes precedence over coordinates, because it is what the search field shows. Incomplete or out-of-range
 * coordinates are an error, because any guess would be a different place.
 */
function parsePlaceQuery({ q, lat, lon, limit }: z.output<typeof MapsQuery>): PlaceQuery {
  const text = q.trim()
  if (text !== '') return { kind: 'name', text, limit: parseLimit(limit) }
  if (lat.trim() === '' && lon.trim() === '') return { kind: 'nothing' }
  const point = { lat: parseDegrees(lat, 90), lon: parseDegrees(lon, 180) }
  if (point.lat === undefined || point.lon === undefined) return { kind: 'badPoint' }
  return { kind: 'point', lat: point.lat, lon: point.lon, label: formatPoint({ lat: point.lat, lon: point.lon }) }
}

function parseDegrees(param: string, max: number): number | undefined {
  const text = param.trim()
  const value = DEGREES.test(text) ? Number(text) : Number.NaN
  return Math.abs(value) <= max ? value : undefined
}

/** Which place's map is open, from 1; 0 for none. */
const parseShown = ({ show }: z.output<typeof MapsQuery>): number => (/^\d{1,2}$/.test(show) ? Number(show) : 0)

function parseLimit(param: string): number {
  const limit = /^\d{1,2}$/.test(param) ? Number(param) : 0
  return limit >= 1 && limit <= MAX_PLACES ? limit : DEFAULT_PLACES
}

/** The API's precision for coordinates. */
const DECIMALS = 6

type Content = Pick<View, 'body' | 'status' | 'headers'>

export const mapsPage = ({ maps, mapTiles, queryGuard }: MapsPageParts) =>
  definePage({
    method: 'GET',
    path: '/maps',
    access: 'searcher',
    quota: 'search',
    query: MapsQuery,
    framesMap: true,
    search: ({ query }) => ({ text: query.q.trim(), tab: 'maps' }),
    async handle(context) {
      const placeQuery = parsePlaceQuery(context.query)
      const text = placeQuery.kind === 'name' ? placeQuery.text : ''
      const { tabs } = context.words.frame
      const held = guardSearch(queryGuard, context, {
        text,
        isSure: context.query.sure === sureOf(text),
        addressWith: (params) => addressOf('/maps', params),
      })
      if (held && 'redirect' in held) return held
      const content = held ?? (await contentFor({ maps, mapTiles }, context, placeQuery, parseShown(context.query)))
      return {
        title: text === '' ? tabs.maps : `${text} · ${tabs.maps}`,
        layout: 'results',
        search: { text, tab: 'maps' },
        ...content,
        body: html`${removedNote(context, context.query.removed)}${content.body}`,
      }
    },
  })

async function contentFor(
  parts: Pick<MapsPageParts, 'maps' | 'mapTiles'>,
  context: PageContext,
  placeQuery: PlaceQuery,
  shown: number,
): Promise<Content> {
  const { words } = context
  const { maps, search } = words
  if (!parts.maps.isConfigured) {
    const toContact = buttonLink(maps.notSetUp.enterContact, '/admin/instance', 'primary')
    return { status: 503, body: notSetUp(context, maps.notSetUp, [toContact]) }
  }
  if (placeQuery.kind === 'nothing') return { body: statePage(maps.ask.title, [maps.ask.help]) }
  if (placeQuery.kind === 'badPoint') return { status: 400, body: statePage(maps.badPoint.title, [maps.badPoint.help]) }
  if (placeQuery.kind === 'name' && isTooLong(placeQuery.text)) {
    return { status: 400, body: statePage(search.tooLong.title, [search.tooLong.help({ most: MAX_QUERY_LENGTH })]) }
  }
  try {
    const found = await findPlaces(parts.maps, context, placeQuery)
    const isOnMap = mapFor(parts.mapTiles, found.places)
    const body = placesView(context, placeQuery, { ...found, shown, isOnMap, mapTiles: parts.mapTiles })
    return { body, ...(isOnMap && { headers: OWN_MAP_HEADERS, styles: [mapAssets().stylesheet.path] }) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 503) throw error
    const { headers } = error
    const body = unavailable(context, maps.failed, { seconds: Number(headers['Retry-After'] ?? 1) })
    return { status: 503, headers, body }
  }
}

type ValidPlaceQuery = Extract<PlaceQuery, { kind: 'name' | 'point' }>

function findPlaces(
  maps: Maps,
  { caller, preferences, language }: PageContext,
  placeQuery: ValidPlaceQuery,
): Promise<FoundPlaces> {
  const lang = preferences.lang || language
  return placeQuery.kind === 'name'
    ? maps.forward(caller, { text: placeQuery.text, limit: placeQuery.limit, lang })
    : maps.reverse(caller, { lat: placeQuery.lat, lon: placeQuery.lon, lang })
}

interface Shown {
  /** The number of the place whose map is open; 0 for none. */
  shown: number
  isOnMap: IsOnMap | undefined
  mapTiles: MapTiles | undefined
}

function placesView(
  context: PageContext,
  placeQuery: ValidPlaceQuery,
  { places, attribution, shown, isOnMap, mapTiles }: FoundPlaces & Shown,
): Html {
  const { maps } = context.words
  if (places.length === 0) {
    return statePage(maps.nothing.title, [placeQuery.kind === 'point' ? maps.nothing.atPoint : maps.nothing.help])
  }
  const mayHaveMore = placeQuery.kind === 'name' && placeQuery.limit < MAX_PLACES && places.length === placeQuery.limit
  const addressWith = (show: number | undefined) => addressOf('/maps', { ...paramsOf(placeQuery), show })
  // The class is before the list, so that the list has its width at once, and not when the map's place is read.
  return html`<div class="columns${isOnMap && ' with-map'}"><div class="column">
${placeQuery.kind === 'point' ? html`<h1 class="point">${maps.at({ point: `\u2066${placeQuery.label}\u2069` })}</h1>` : html`<h1 class="visually-hidden">${maps.results}</h1>`}
${placeList(context, places, { shown, addressWith, isOnMap })}
${mayHaveMore && html`<p class="more">${buttonLink(maps.more, addressOf('/maps', { q: placeQuery.text, limit: MAX_PLACES }))}</p>`}
<div class="small-print"><p>${attribution}</p><p>${isOnMap ? maps.ownMap.privacy : maps.privacy}</p></div></div>${isOnMap && mapPanel(mapTiles, context)}</div>`
}

const paramsOf = (placeQuery: ValidPlaceQuery): Record<string, string | number> =>
  placeQuery.kind === 'name'
    ? { q: placeQuery.text, limit: placeQuery.limit === DEFAULT_PLACES ? '' : placeQuery.limit }
    : { lat: plainDecimal(placeQuery.lat, DECIMALS), lon: plainDecimal(placeQuery.lon, DECIMALS) }
