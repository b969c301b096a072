import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { GeoPlace } from '@bowerbird/engines/parsing/geo-place.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import type { MapTiles } from '../../maps/map-tiles.ts'
import { createMaps } from '../../maps/maps.ts'
import { playedSources, type Sayings } from '../played-sources.test-harness.ts'
import { exportPreferences, preferencesOf } from '../preferences.ts'
import { ADMIN, expectPage, openSiteStage, type PageView } from '../site.test-harness.ts'
import { mapsPage } from './maps-page.ts'

const tower = (rest: Partial<GeoPlace> = {}): GeoPlace => ({
  name: 'Glass Tower',
  displayName: 'Glass Tower, 5, Long Street, Lützenbrück, Germany',
  lat: 48.5,
  lon: 10.25,
  category: 'man_made',
  type: 'tower',
  addressType: 'man_made',
  importance: 0.5,
  box: null,
  osm: { type: 'way', id: 77 },
  ...rest,
})
const TEN = Array.from({ length: 10 }, (_, at) => tower({ name: `Tower ${at}` }))
const CAFE = tower({ name: 'Tower Café', type: 'cafe', osm: null, lat: 1 })
const HOUSE = tower({ name: '', displayName: '5, Long Street, Lützenbrück', type: 'house' })

async function open(sayings: Sayings, mapTiles?: MapTiles) {
  const asked: unknown[] = []
  const maps = createMaps({ find: playedSources(sayings, asked), timeoutMs: 500, startDeadline: createDeadline })
  const { browser } = await openSiteStage({ maps, mapTiles }, [mapsPage])
  return { admin: browser(ADMIN), visitor: browser(), asked }
}

const openWith = (places: GeoPlace[], tiles?: MapTiles) =>
  open({ 'nominatim search': places, 'nominatim reverse': places[0] ?? null }, tiles)

interface Case extends PageView {
  it: string
  query: string
  places?: GeoPlace[]
}

describe('GET /maps', () => {
  it.each<Case>([
    {
      it: 'lists places with kind, address and map links, and loads nothing from OpenStreetMap',
      query: '?q=tower',
      places: [tower(), CAFE],
      shows: [
        '>Glass Tower</a></h2>',
        '>5, Long Street, Lützenbrück, Germany</p>',
        '<span>Tower</span>',
        '<span>Café</span>',
        'href="geo:48.5,10.25"',
        'href="https://www.openstreetmap.org/directions?',
        'href="/maps?q=tower&amp;show=1#place-1"',
        '© nominatim',
      ],
      hides: [/<iframe|src="https?:/],
    },
    {
      it: 'opens the map of a chosen place only, in a sandbox',
      query: '?q=tower&show=2',
      places: [tower(), CAFE],
      shows: [
        'src="https://www.openstreetmap.org/export/embed.html?',
        'marker=1%2C10.25" title="Map of Tower Café" sandbox="',
        '<a href="/maps?q=tower">Hide map</a>',
      ],
      hides: [/<iframe[\s\S]*<iframe/],
    },
    {
      it: 'sends OpenStreetMap no referrer',
      query: '?q=tower&show=1',
      shows: ['href="https://www.openstreetmap.org/way/77" referrerpolicy="no-referrer"'],
    },
    { it: 'offers more places', query: '?q=tower', places: TEN, shows: ['href="/maps?q=tower&amp;limit=50"'] },
    { it: 'offers no more than fifty', query: '?q=tower&limit=50', places: TEN, hides: ['More places'] },
    {
      it: 'lists a house without a name by number and street',
      query: '?q=long+street+5',
      places: [HOUSE],
      shows: ['>5, Long Street</a></h2>', '>Lützenbrück</p>'],
    },
    { it: 'says that no place has the name', query: '?q=nowhere', places: [], shows: ['No places found'] },
    { it: 'says that nothing is at a point', query: '?lat=0&lon=0', places: [], shows: ['It may be at sea.'] },
  ])('$it', async ({ query, places = [tower()], ...view }) => {
    expectPage(await (await openWith(places)).visitor.get(`/maps${query}`), view)
  })

  it('may frame OpenStreetMap', async () => {
    const { headers } = await (await openWith([tower()])).visitor.get('/maps?q=tower')
    expect(headers['content-security-policy']).toContain('frame-src https://www.openstreetmap.org')
  })

  it('shows the place at a point', async () => {
    const { visitor, asked } = await openWith([tower()])
    expectPage(await visitor.get('/maps?lat=48.4999999&lon=-0.0000001'), {
      shows: [
        'What is at \u206648.5, 0\u2069</h1>',
        '>Glass Tower</a></h2>',
        'href="/maps?lat=48.5&amp;lon=0&amp;show=1#place-1"',
      ],
    })
    expect(asked).toEqual([{ lat: 48.4999999, lon: -1e-7, lang: 'en' }])
  })

  it('uses the reader’s language for results, and opens links as preferred', async () => {
    const { visitor, asked } = await openWith([tower()])
    const preferences = { ...preferencesOf(undefined), lang: 'pt', newTab: true }
    visitor.cookies.set('bowerbird_preferences', exportPreferences(preferences))
    const { body } = await visitor.get('/maps?q=tower&show=1')
    expect(asked).toEqual([{ text: 'tower', limit: 10, lang: 'pt' }])
    expect(body).toContain('href="https://www.openstreetmap.org/way/77" target="_blank" rel="noopener"')
  })

  it('escapes names and addresses, however long', async () => {
    const name = '<script>alert(1)</script>" onfocus="x'
    const displayName = `${name}, ${'a'.repeat(10_000)}`
    const hostile = tower({ name, displayName, type: '<b>', addressType: '"', category: "'" })
    const { body } = await (await openWith([hostile])).visitor.get('/maps?q=tower&show=1')
    expect(body).not.toMatch(/<script>alert|" onfocus/)
    expect(body).toContain('title="Map of &lt;script&gt;')
    expect(body.length).toBeLessThan(10_000)
  })

  it.each(['lat=91&lon=0', 'lat=1', 'lat=x&lon=1', 'lat=1&lon=1e2', 'lat=1&lon=180.1', `q=${'a'.repeat(501)}`, 'q='])(
    'asks no provider about %s',
    async (query) => {
      const { visitor, asked } = await openWith([tower()])
      expect((await visitor.get(`/maps?${query}`)).status).toBe(query === 'q=' ? 200 : 400)
      expect(asked).toEqual([])
    },
  )

  it('503: no provider answers, with when to try again', async () => {
    const failure = new UpstreamError('throttled', 'slow down', { retryAfterSeconds: 7 })
    const { visitor } = await open({ 'nominatim search': failure, 'photon search': failure })
    const reply = await visitor.get('/maps?q=tower')
    expectPage(reply, { status: 503, shows: ['No maps provider responded', 'Try again in 7 seconds.'] })
    expect(reply.headers['retry-after']).toBe('7')
  })

  it('503: not set up, with instructions for administrators', async () => {
    const { visitor, admin } = await open({})
    expectPage(await visitor.get('/maps?q=tower'), {
      status: 503,
      shows: ['Maps are not set up on this site'],
      hides: ['NOMINATIM_URL', '/admin/instance'],
    })
    const contact = '<a class="button button-primary" href="/admin/instance">Enter a contact</a>'
    expectPage(await admin.get('/maps'), { status: 503, shows: ['NOMINATIM_URL', contact], hides: ['restart'] })
  })
})

describe('with a map of our own', () => {
  const TILES: MapTiles = {
    bytes: 1_000,
    version: '0123456789ab',
    bounds: { west: 10, south: 48, east: 11, north: 49 },
    read: async (_start, length) => Buffer.alloc(length),
    close: async () => undefined,
  }
  const paris = tower({ name: 'Paris', lat: 48.85, lon: 2.35 })
  const both = [tower({ box: { south: 48.4, west: 10.2, north: 48.6, east: 10.3 } }), paris]
  const get = async (places: GeoPlace[], query: string) =>
    await (await openWith(places, TILES)).visitor.get(`/maps?${query}`)

  it('places that it shows have a number and a point, and the others are listed as ever', async () => {
    const reply = await get(both, 'q=tower')
    expectPage(reply, {
      shows: [
        'id="place-1" data-point="10.25 48.5" data-box="10.2 48.4 10.3 48.6"',
        '<span class="place-number" aria-hidden="true">1</span>',
        'id="place-2"><h2><a',
        'data-tiles="/maps/tiles/0123456789ab" data-bounds="10 48 11 49" data-lang="en"',
        '>© OpenStreetMap contributors</a>',
      ],
    })
    expect(reply.headers['content-security-policy']).toContain("worker-src 'self'")
    expect(reply.headers['content-security-policy']).not.toContain('blob:')
  })

  it('has no map of ours if it shows none of the places', async () => {
    expectPage(await get([paris], 'q=paris'), {
      shows: ['>Paris</a>', 'Nothing is loaded from openstreetmap.org until you show a map.'],
      hides: [/map-panel|place-number|data-point/],
    })
  })

  it('loads the map of OpenStreetMap only without script, or for a place that ours does not show', async () => {
    expectPage(await get(both, 'q=tower&show=1'), { shows: ['<noscript><iframe'] })
    expectPage(await get(both, 'q=tower&show=2'), { shows: [/(?<!<noscript>)<iframe/] })
  })
})
