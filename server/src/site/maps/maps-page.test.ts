import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { GeoPlace } from '@bowerbird/engines/parsing/geo-place.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import type { MapTiles } from '../../maps/map-tiles.ts'
import { createMaps } from '../../maps/maps.ts'
import { playedSources, type Sayings } from '../played-sources.test-harness.ts'
import { exportPreferences, preferencesOf } from '../preferences.ts'
import { ADMIN, type Browser, openSiteStage, type SiteStage } from '../site.test-harness.ts'
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

async function open(
  sayings: Sayings,
  isPublic = true,
): Promise<SiteStage & { visitor: Browser; searchQuery: unknown[] }> {
  const searchQuery: unknown[] = []
  const maps = createMaps({ find: playedSources(sayings, searchQuery), timeoutMs: 500, startDeadline: createDeadline })
  const stage = await openSiteStage({ maps, isPublic }, [mapsPage])
  return { ...stage, visitor: stage.browser(), searchQuery }
}

const withPlaces = (...places: GeoPlace[]) =>
  open({ 'nominatim search': places, 'nominatim reverse': places[0] ?? null })

describe('GET /maps', () => {
  it('lists places with kind, address and map links', async () => {
    const { visitor } = await withPlaces(tower(), tower({ name: 'Tower Café', type: 'cafe', osm: null }))
    const { status, body } = await visitor.get('/maps?q=glass+tower')
    expect(status).toBe(200)
    expect(body).toContain('>Glass Tower</a></h2>')
    expect(body).toContain('>5, Long Street, Lützenbrück, Germany</p>')
    expect(body).toContain('<span>Tower</span>')
    expect(body).toContain('<span>Café</span>')
    expect(body).toContain('href="geo:48.5,10.25"')
    expect(body).toContain('href="https://www.openstreetmap.org/directions?')
    const { body: shown } = await visitor.get('/maps?q=glass+tower&show=1')
    expect(shown).toContain('href="https://www.openstreetmap.org/way/77" referrerpolicy="no-referrer"')
    expect(body).toContain('© nominatim')
  })

  it('loads nothing from OpenStreetMap before the reader opens a map', async () => {
    const { visitor } = await withPlaces(tower())
    const { body, headers } = await visitor.get('/maps?q=tower')
    expect(body).not.toMatch(/<iframe|src="https?:/)
    expect(body).toContain('href="/maps?q=tower&amp;show=1#place-1"')
    expect(headers['content-security-policy']).toContain('frame-src https://www.openstreetmap.org')
  })

  it('show opens the map of that place only, in a sandbox', async () => {
    const { visitor } = await withPlaces(tower(), tower({ name: 'Other', lat: 1 }))
    const { body } = await visitor.get('/maps?q=tower&show=2')
    expect(body.match(/<iframe/g)).toHaveLength(1)
    expect(body).toContain('src="https://www.openstreetmap.org/export/embed.html?')
    expect(body).toContain('marker=1%2C10.25" title="Map of Other" sandbox="')
    expect(body).toContain('<a href="/maps?q=tower">Hide map</a>')
  })

  it('shows the place at a point', async () => {
    const { visitor, searchQuery } = await withPlaces(tower())
    const { body } = await visitor.get('/maps?lat=48.4999999&lon=-0.0000001')
    expect(body).toContain('What is at \u206648.5, 0\u2069</h1>')
    expect(body).toContain('>Glass Tower</a></h2>')
    expect(body).toContain('href="/maps?lat=48.5&amp;lon=0&amp;show=1#place-1"')
    expect(searchQuery).toEqual([{ lat: 48.4999999, lon: -1e-7, lang: 'en' }])
  })

  it('uses the reader’s language for results, and opens links as preferred', async () => {
    const { visitor, searchQuery } = await withPlaces(tower())
    const preferences = { ...preferencesOf(undefined), lang: 'pt', newTab: true }
    visitor.cookies.set('bowerbird_preferences', exportPreferences(preferences))
    const { body } = await visitor.get('/maps?q=tower&show=1')
    expect(searchQuery).toEqual([{ text: 'tower', limit: 10, lang: 'pt' }])
    expect(body).toContain('href="https://www.openstreetmap.org/way/77" target="_blank" rel="noopener"')
  })

  it('offers more places when there may be more', async () => {
    const ten = Array.from({ length: 10 }, (_, at) => tower({ name: `Tower ${at}` }))
    const { visitor } = await withPlaces(...ten)
    expect((await visitor.get('/maps?q=tower')).body).toContain('href="/maps?q=tower&amp;limit=50"')
    expect((await visitor.get('/maps?q=tower&limit=50')).body).not.toContain('More places')
  })

  it('names and addresses are escaped, however long', async () => {
    const hostile = '<script>alert(1)</script>" onfocus="x'
    const { visitor } = await withPlaces(
      tower({
        name: hostile,
        displayName: `${hostile}, ${'a'.repeat(10_000)}`,
        type: '<b>',
        addressType: '"',
        category: "'",
      }),
    )
    const { body } = await visitor.get('/maps?q=tower&show=1')
    expect(body).not.toContain('<script>alert')
    expect(body).not.toContain('" onfocus')
    expect(body).toContain('title="Map of &lt;script&gt;')
    expect(body.length).toBeLessThan(10_000)
  })

  it('a house without a name is listed by number and street', async () => {
    const { visitor } = await withPlaces(tower({ name: '', displayName: '5, Long Street, Lützenbrück', type: 'house' }))
    const { body } = await visitor.get('/maps?q=long+street+5')
    expect(body).toContain('>5, Long Street</a></h2>')
    expect(body).toContain('>Lützenbrück</p>')
  })
})

const TILES: MapTiles = {
  bytes: 1_000,
  version: '0123456789ab',
  bounds: { west: 10, south: 48, east: 11, north: 49 },
  read: async (_start, length) => Buffer.alloc(length),
  close: async () => undefined,
}

describe('with a map of our own', () => {
  const paris = tower({ name: 'Paris', lat: 48.85, lon: 2.35 })
  const places = [tower({ box: { south: 48.4, west: 10.2, north: 48.6, east: 10.3 } }), paris]

  async function openWithMap(...found: GeoPlace[]) {
    const maps = createMaps({
      find: playedSources({ 'nominatim search': found }, []),
      timeoutMs: 500,
      startDeadline: createDeadline,
    })
    const stage = await openSiteStage({ maps, isPublic: true, mapTiles: TILES }, [mapsPage])
    return stage.browser()
  }

  it('places that it shows have a number and a point, and the others are listed as ever', async () => {
    const { body, headers } = await (await openWithMap(...places)).get('/maps?q=tower')
    expect(body).toContain('id="place-1" data-point="10.25 48.5" data-box="10.2 48.4 10.3 48.6"')
    expect(body).toContain('<span class="place-number" aria-hidden="true">1</span>')
    expect(body).toContain('id="place-2"><h2><a')
    expect(body).toContain('data-tiles="/maps/tiles/0123456789ab" data-bounds="10 48 11 49" data-lang="en"')
    expect(body).toContain('>© OpenStreetMap contributors</a>')
    expect(headers['content-security-policy']).toContain("worker-src 'self'")
    expect(headers['content-security-policy']).not.toContain('blob:')
  })

  it('has no map of ours if it shows none of the places', async () => {
    const { body } = await (await openWithMap(paris)).get('/maps?q=paris')
    expect(body).toContain('>Paris</a>')
    expect(body).not.toMatch(/map-panel|place-number|data-point/)
    expect(body).toContain('Nothing is loaded from openstreetmap.org until you show a map.')
  })

  it('loads the map of OpenStreetMap only without script, or for a place that ours does not show', async () => {
    const browser = await openWithMap(...places)
    expect((await browser.get('/maps?q=tower&show=1')).body).toContain('<noscript><iframe')
    expect((await browser.get('/maps?q=tower&show=2')).body).toMatch(/(?<!<noscript>)<iframe/)
  })
})

describe('without a place to show', () => {
  it('asks for a name if the query is empty', async () => {
    const { visitor, searchQuery } = await withPlaces(tower())
    expect((await visitor.get('/maps')).body).toContain('Which place are you looking for?')
    expect(searchQuery).toEqual([])
  })

  it('says that nothing was found by name or at a point', async () => {
    const { visitor } = await withPlaces()
    expect((await visitor.get('/maps?q=nowhere')).body).toContain('No places found')
    expect((await visitor.get('/maps?lat=0&lon=0')).body).toContain('It may be at sea.')
  })

  it.each(['lat=91&lon=0', 'lat=1', 'lat=x&lon=1', 'lat=1&lon=1e2', 'lat=1&lon=180.1'])(
    '400: %s is no point',
    async (point) => {
      const { visitor, searchQuery } = await withPlaces(tower())
      const { status, body } = await visitor.get(`/maps?${point}`)
      expect(status).toBe(400)
      expect(body).toContain('These coordinates are not valid')
      expect(searchQuery).toEqual([])
    },
  )

  it('400: a search that is too long', async () => {
    const { visitor, searchQuery } = await withPlaces(tower())
    expect((await visitor.get(`/maps?q=${'a'.repeat(501)}`)).status).toBe(400)
    expect(searchQuery).toEqual([])
  })

  it('503: no provider answers, with when to try again', async () => {
    const failure = new UpstreamError('throttled', 'slow down', { retryAfterSeconds: 7 })
    const { visitor } = await open({ 'nominatim search': failure, 'photon search': failure })
    const { status, body, headers } = await visitor.get('/maps?q=tower')
    expect(status).toBe(503)
    expect(headers['retry-after']).toBe('7')
    expect(body).toContain('No maps provider responded')
    expect(body).toContain('Try again in 7 seconds.')
  })

  it('503: not set up, with instructions for administrators', async () => {
    const { visitor, browser } = await open({})
    const reply = await visitor.get('/maps?q=tower')
    expect(reply.status).toBe(503)
    expect(reply.body).toContain('Maps are not set up on this site')
    expect(reply.body).not.toContain('NOMINATIM_URL')
    expect(reply.body).not.toContain('/admin/instance')
    const { body } = await browser(ADMIN).get('/maps')
    expect(body).toContain('NOMINATIM_URL')
    expect(body).not.toContain('restart')
    expect(body).toContain('<a class="button button-primary" href="/admin/instance">Enter a contact</a>')
  })
})
