// GET /maps: places of a name (`q`), or what is at a point (`lat` and `lon`). `show=2` opens the map of the second. The
// places are the API's own; their names are in the language of results that the reader prefers, or in the interface's.
import { Refusal } from '../../errors.ts'
import type { FoundPlaces } from '../../maps/maps.ts'
import { isTooLong, LONGEST_QUERY } from '../../search/read-filters.ts'
import { plainDecimal } from '../../text/plain-decimal.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, type View, type Visit } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { buttonLink } from '../parts/form.ts'
import { state } from '../search/search-notes.ts'
import { type AskedPlace, MapsQuery, MOST_PLACES, readAskedPlace, readShown, USUAL_PLACES } from './place-query.ts'
import { placeList } from './place-list.ts'

/** As exact as the API tells a point. */
const DECIMALS = 6

type Content = Pick<View, 'body' | 'status' | 'headers'>

const mapsPage = definePage({
  method: 'GET',
  path: '/maps',
  access: 'searcher',
  spends: 'search',
  query: MapsQuery,
  framesMap: true,
  async handle(visit) {
    const asked = readAskedPlace(visit.query)
    const text = asked.kind === 'name' ? asked.text : ''
    const { tabs } = visit.words.frame
    return {
      title: text === '' ? tabs.maps : `${text} · ${tabs.maps}`,
      layout: 'results',
      search: { text, tab: 'maps' },
      ...(await contentFor(visit, asked, readShown(visit.query))),
    }
  },
})

async function contentFor(visit: Visit, asked: AskedPlace, shown: number): Promise<Content> {
  const { words, services } = visit
  const { maps, search } = words
  if (!services.maps.isConfigured) return notSetUp(visit)
  if (asked.kind === 'nothing') return { body: state(maps.ask.title, [maps.ask.help]) }
  if (asked.kind === 'badPoint') return { status: 400, body: state(maps.badPoint.title, [maps.badPoint.help]) }
  if (asked.kind === 'name' && isTooLong(asked.text)) {
    return { status: 400, body: state(search.tooLong.title, [search.tooLong.help(LONGEST_QUERY)]) }
  }
  try {
    return { body: found(visit, asked, { ...(await ask(visit, asked)), shown }) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 503) throw error
    return failed(visit, error)
  }
}

type Sought = Extract<AskedPlace, { kind: 'name' | 'point' }>

function ask({ services, preferences, locale }: Visit, asked: Sought): Promise<FoundPlaces> {
  const lang = preferences.lang || locale
  return asked.kind === 'name'
    ? services.maps.forward({ text: asked.text, limit: asked.limit, lang })
    : services.maps.reverse({ lat: asked.lat, lon: asked.lon, lang })
}

function found(visit: Visit, asked: Sought, { places, attribution, shown }: FoundPlaces & { shown: number }): Html {
  const { maps } = visit.words
  if (places.length === 0) {
    return state(maps.nothing.title, [asked.kind === 'point' ? maps.nothing.atPoint : maps.nothing.help])
  }
  const isMore = asked.kind === 'name' && asked.limit < MOST_PLACES && places.length === asked.limit
  const addressWith = (show: number | undefined) => addressOf('/maps', { ...paramsOf(asked), show })
  return html`<div class="columns"><div class="column">
${asked.kind === 'point' ? html`<h1 class="point">${maps.at(asked.written)}</h1>` : html`<h1 class="visually-hidden">${maps.results}</h1>`}
${placeList(visit, places, { shown, addressWith })}
${isMore && html`<p class="more">${buttonLink(maps.more, addressOf('/maps', { q: asked.text, limit: MOST_PLACES }))}</p>`}
<div class="small-print"><p>${attribution}</p><p>${maps.privacy}</p></div></div></div>`
}

const paramsOf = (asked: Sought): Record<string, string | number> =>
  asked.kind === 'name'
    ? { q: asked.text, limit: asked.limit === USUAL_PLACES ? '' : asked.limit }
    : { lat: plainDecimal(asked.lat, DECIMALS), lon: plainDecimal(asked.lon, DECIMALS) }

function notSetUp({ words, viewer }: Visit): Content {
  const { title, help, adminHelp } = words.maps.notSetUp
  return { status: 503, body: state(title, viewer?.isAdmin ? [help, adminHelp] : [help]) }
}

function failed({ words, address, hasPage }: Visit, { headers }: Refusal): Content {
  const { help, again, status } = words.search.failed
  const actions = [buttonLink(again, address), hasPage('/status') && html`<a href="/status">${status}</a>`]
  const body = state(words.maps.failed, [help(Number(headers['Retry-After'] ?? 1))], actions)
  return { status: 503, headers: { ...headers }, body }
}

export const mapsPages: readonly Page[] = [mapsPage]
