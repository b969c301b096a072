// GET /maps: finds places by name (`q`) or by coordinates (`lat` and `lon`). `show=2` opens the map of the second
// place. The places are the API's; their names are in the reader's preferred language for results, or in the
// interface's.

import { plainDecimal } from '@bowerbird/engines/parsing/geo-place.ts'
import { Refusal } from '../../errors.ts'
import type { FoundPlaces } from '../../maps/maps.ts'
import { isTooLong, LONGEST_QUERY } from '../../search/read-filters.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, type PageContext, type View } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { buttonLink } from '../parts/form.ts'
import { state } from '../search/search-notes.ts'
import { placeList } from './place-list.ts'
import { MapsQuery, MOST_PLACES, type PlaceQuery, parsePlaceQuery, readShown, USUAL_PLACES } from './place-query.ts'

/** The API's precision for coordinates. */
const DECIMALS = 6

type Content = Pick<View, 'body' | 'status' | 'headers'>

const mapsPage = definePage({
  method: 'GET',
  path: '/maps',
  access: 'searcher',
  quota: 'search',
  query: MapsQuery,
  framesMap: true,
  async handle(context) {
    const searchQuery = parsePlaceQuery(context.query)
    const text = searchQuery.kind === 'name' ? searchQuery.text : ''
    const { tabs } = context.words.frame
    return {
      title: text === '' ? tabs.maps : `${text} · ${tabs.maps}`,
      layout: 'results',
      search: { text, tab: 'maps' },
      ...(await contentFor(context, searchQuery, readShown(context.query))),
    }
  },
})

async function contentFor(context: PageContext, searchQuery: PlaceQuery, shown: number): Promise<Content> {
  const { words, services } = context
  const { maps, search } = words
  if (!services.maps.isConfigured) return notSetUp(context)
  if (searchQuery.kind === 'nothing') return { body: state(maps.ask.title, [maps.ask.help]) }
  if (searchQuery.kind === 'badPoint') return { status: 400, body: state(maps.badPoint.title, [maps.badPoint.help]) }
  if (searchQuery.kind === 'name' && isTooLong(searchQuery.text)) {
    return { status: 400, body: state(search.tooLong.title, [search.tooLong.help(LONGEST_QUERY)]) }
  }
  try {
    return { body: found(context, searchQuery, { ...(await ask(context, searchQuery)), shown }) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 503) throw error
    return failed(context, error)
  }
}

type Sought = Extract<PlaceQuery, { kind: 'name' | 'point' }>

function ask({ services, preferences, locale }: PageContext, searchQuery: Sought): Promise<FoundPlaces> {
  const lang = preferences.lang || locale
  return searchQuery.kind === 'name'
    ? services.maps.forward({ text: searchQuery.text, limit: searchQuery.limit, lang })
    : services.maps.reverse({ lat: searchQuery.lat, lon: searchQuery.lon, lang })
}

function found(
  context: PageContext,
  searchQuery: Sought,
  { places, attribution, shown }: FoundPlaces & { shown: number },
): Html {
  const { maps } = context.words
  if (places.length === 0) {
    return state(maps.nothing.title, [searchQuery.kind === 'point' ? maps.nothing.atPoint : maps.nothing.help])
  }
  const isMore = searchQuery.kind === 'name' && searchQuery.limit < MOST_PLACES && places.length === searchQuery.limit
  const addressWith = (show: number | undefined) => addressOf('/maps', { ...paramsOf(searchQuery), show })
  return html`<div class="columns"><div class="column">
${searchQuery.kind === 'point' ? html`<h1 class="point">${maps.at(searchQuery.written)}</h1>` : html`<h1 class="visually-hidden">${maps.results}</h1>`}
${placeList(context, places, { shown, addressWith })}
${isMore && html`<p class="more">${buttonLink(maps.more, addressOf('/maps', { q: searchQuery.text, limit: MOST_PLACES }))}</p>`}
<div class="small-print"><p>${attribution}</p><p>${maps.privacy}</p></div></div></div>`
}

const paramsOf = (searchQuery: Sought): Record<string, string | number> =>
  searchQuery.kind === 'name'
    ? { q: searchQuery.text, limit: searchQuery.limit === USUAL_PLACES ? '' : searchQuery.limit }
    : { lat: plainDecimal(searchQuery.lat, DECIMALS), lon: plainDecimal(searchQuery.lon, DECIMALS) }

function notSetUp({ words, viewer }: PageContext): Content {
  const { title, help, adminHelp } = words.maps.notSetUp
  return { status: 503, body: state(title, viewer?.isAdmin ? [help, adminHelp] : [help]) }
}

function failed({ words, address, hasPage }: PageContext, { headers }: Refusal): Content {
  const { help, again, status } = words.search.failed
  const actions = [buttonLink(again, address), hasPage('/status') && html`<a href="/status">${status}</a>`]
  const body = state(words.maps.failed, [help(Number(headers['Retry-After'] ?? 1))], actions)
  return { status: 503, headers: { ...headers }, body }
}

export const mapsPages: readonly Page[] = [mapsPage]
