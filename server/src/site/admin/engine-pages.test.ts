import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { readFixture } from '../../../../engines/test/read-fixture.ts'
import { Refusal } from '../../errors.ts'
import { catalogueOf } from '../../search/engine-catalogue.ts'
import type { BoundEngine } from '../../search/plan.ts'
import { tryEngine } from '../../search/try-engine.ts'
import { readConfiguration, requireConfiguration } from '../../settings/configuration.ts'
import { createSettingsDesk, type SettingsDesk } from '../../settings/settings-desk.ts'
import { ADMIN, openSiteStage, type SiteStage, textOf } from '../site.test-harness.ts'
import type { EngineAdmin, SiteServices } from '../site-services.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const KEY = 'k3y-of-brave'

let stage: SiteStage | undefined

interface Scene {
  env?: Record<string, string>
  stored?: Record<string, string>
  desk?: Partial<SettingsDesk>
  engines?: Partial<EngineAdmin>
  viewer?: typeof ADMIN
}

async function open({ env = {}, stored = {}, desk = {}, engines = {}, viewer = ADMIN }: Scene = {}) {
  const configuration = requireConfiguration(requireConfiguration(readConfiguration(env)).withStored(stored))
  const saved: Record<string, string | undefined>[] = []
  const settings = createSettingsDesk({
    store: {
      takesSecrets: true,
      change: async (_by, edits) => {
        saved.push(edits)
        return Object.keys(edits)
      },
    },
    configuration: () => configuration,
    stored: () => ({ version: 1, values: stored, secrets: [], unreadable: [] }),
    catchUp: async () => undefined,
  })
  const lacking = [...configuration.slots.values()]
    .flatMap((binding) => Object.values(binding).flat())
    .filter((slug) => !configuration.engines.has(slug))
  stage = await openSiteStage({
    clock: () => NOW,
    // The page only passes on who it was.
    accounts: { accessBy: () => ({}) } as unknown as SiteServices['accounts'],
    settings: Object.assign(settings, desk),
    engines: {
      catalogue: catalogueOf({
        engines: ALL_ENGINES,
        slots: configuration.slots,
        missingOf: new Map(lacking.map((slug) => [slug, [`${slug.toUpperCase()}_API_KEY`]])),
      }),
      contributions: async () => [],
      tryEngine: async () => undefined,
      spentQuotas: async () => [],
      ...engines,
    },
  })
  const browser = stage.browser(viewer)
  const save = (fields: Record<string, string>) => browser.submit('/admin/engines', fields)
  return { browser, save, saved, page: async () => (await browser.get('/admin/engines')).body }
}

const rowOf = (body: string, slug: string): string =>
  new RegExp(`<li id="engine-${slug}">.*?</details></li>`, 's').exec(body)?.[0] ?? ''
const summaryOf = (body: string, slug: string): string =>
  textOf(/<summary>.*?<\/summary>/s.exec(rowOf(body, slug))?.[0] ?? '').trim()

describe('Administration → Engines', () => {
  it('lists those in use first, then those that work without a key, then those that need one', async () => {
    const { page } = await open({ env: { BRAVE_API_KEY: KEY } })
    const body = await page()
    const at = (slug: string) => body.indexOf(`id="engine-${slug}"`)
    const order = [
      'id="used"',
      'id="engine-brave"',
      'id="ready"',
      'id="engine-wiby"',
      'id="needing"',
      'id="engine-mojeek"',
    ]
    const places = order.map((text) => body.indexOf(text))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(at('wikipedia')).toBeLessThan(body.indexOf('id="ready"'))
    expect(at('karakeep')).toBe(-1)
    expect(at('duckduckgo')).toBe(-1)
    expect(new Set(body.match(/ id="[^"]+"/g)).size).toBe(body.match(/ id="[^"]+"/g)?.length)
  })

  it('says what an engine brings, what it costs, who gets the queries, and its state', async () => {
    const body = await (await open({ env: { BRAVE_API_KEY: KEY } })).page()
    expect(summaryOf(body, 'brave')).toBe(
      'Brave Web, images, news and videos US$5.00 for 1,000 calls api.search.brave.com in use, slot A',
    )
    expect(summaryOf(body, 'mojeek')).toMatch(/Mojeek Web US\$4\.00 for 1,000 calls api\.mojeek\.com needs a key$/)
    expect(summaryOf(body, 'wiby')).toBe('Wiby Web free wiby.me not in use')
    expect(summaryOf(body, 'searxng')).toMatch(/your own server needs an address$/)
    expect(textOf(rowOf(body, 'wikipedia'))).toContain('run by a foundation or volunteers')
    expect(textOf(rowOf(body, 'youfree'))).toContain('without a contract')
    expect(textOf(rowOf(body, 'searxng'))).toContain('It needs SEARXNG_URL.')
    expect(body).not.toContain(KEY)
  })

  it('when a slot is asked is part of the form, and a rule with figures of its own stays', async () => {
    const { save, saved, page } = await open({
      stored: { ENGINE_A: 'brave', ENGINE_A_WHEN: 'thin:8:0.3' },
      env: { BRAVE_API_KEY: KEY },
    })
    expect(rowOf(await page(), 'brave')).toContain('<option value="thin:8:0.3" selected>')
    await save({ engine: 'brave', when: 'thin' })
    await save({ engine: 'brave', when: 'always' })
    expect(saved).toEqual([{ ENGINE_A_WHEN: 'thin' }, { ENGINE_A_WHEN: undefined }])
    expect((await save({ engine: 'brave', when: 'sometimes' })).body).toContain('Choose one of the offered answers.')
  })

  it('what the environment sets is text with the reason; the rest can be changed', async () => {
    const env = { BRAVE_API_KEY: KEY, ENGINE_A: 'brave', ENGINE_A_WEIGHT: '2', BRAVE_MONTHLY_USD: '20' }
    const row = rowOf(await (await open({ env })).page(), 'brave')
    const fields = [...row.matchAll(/ name="(\w+)"/g)].map((match) => match[1])
    expect(fields).toEqual(['_csrf', 'engine', 'when', 'calls', '_csrf', 'engine', 'q', 'tab'])
    for (const setting of Object.keys(env)) expect(row).toContain(`From the environment: ${setting}.`)
    expect(textOf(row)).toContain('US dollars a month, at most 20 From the environment')
  })

  it('one form is one change: key, slot, weight and caps', async () => {
    const { save, saved } = await open()
    const reply = await save({ engine: 'kagi', key: ` ${KEY} `, place: 'G', calls: '1000', usd: '12,50' })
    expect(reply).toMatchObject({ status: 303, location: '/admin/engines?engine=kagi&done=saved#engine-kagi' })
    await save({ engine: 'wikipedia', place: 'off' })
    await save({ engine: 'brave', key: '', place: 'on', weight: '2.5' })
    expect(saved).toEqual([
      { KAGI_API_KEY: KEY, ENGINE_G: 'kagi', KAGI_MONTHLY_CALLS: '1000', KAGI_MONTHLY_USD: '12.50' },
      { ENGINES_OFF: 'wikipedia' },
      { ENGINE_A_WEIGHT: '2.5' },
    ])
  })

  it('opens the row that was saved and says so, and a stored key can be removed but not read', async () => {
    const { browser, saved } = await open({ stored: { BRAVE_API_KEY: KEY } })
    const { body } = await browser.get('/admin/engines?engine=brave&done=saved')
    expect(rowOf(body, 'brave')).toMatch(/^<li id="engine-brave"><details open>/)
    expect(textOf(rowOf(body, 'brave'))).toContain('Saved. Every node uses it within a second.')
    expect(textOf(rowOf(body, 'brave'))).toContain('A key is stored.')
    expect(body.match(/<details open>/g)).toHaveLength(1)
    expect(body).not.toContain(KEY)
    const reply = await browser.submit('/admin/engines/keys/remove', { setting: 'BRAVE_API_KEY' }, '/admin/engines')
    expect(reply.location).toBe('/admin/engines?engine=brave#engine-brave')
    expect(saved).toEqual([{ BRAVE_API_KEY: undefined }])
  })

  it.each([
    ['a slot that is taken', { place: 'A' }, 'Choose one of the offered slots.'],
    ['a weight of nothing', { engine: 'brave', weight: '0' }, 'Enter a number from 0.01 to 100.'],
    ['calls that are no number', { calls: 'many' }, 'Enter a whole number, or nothing.'],
    ['a sum that is none', { usd: '-5' }, 'Enter an amount such as 20'],
    ['a key of several lines', { key: `${KEY}\nmore` }, 'Paste the key: one line'],
  ])('400: %s is refused beside its field, and nothing is saved or shown again', async (_, fields, message) => {
    const { save, saved } = await open()
    const { status, body, text } = await save({ engine: 'kagi', ...fields })
    expect(status).toBe(400)
    expect(saved).toEqual([])
    expect(text).toContain(message)
    expect(body).toMatch(/<h1>(?:Kagi|Brave)<\/h1>/)
    expect(body).not.toContain(KEY)
    expect(stage?.logged()).not.toContain(KEY)
  })

  it('400: a change that is refused says why', async () => {
    const change = () => Promise.reject(new Refusal('conflict', 'ENGINE_D is set in the environment.'))
    const { save } = await open({ desk: { changeEngine: change } })
    const { status, body } = await save({ engine: 'kagi', place: 'on' })
    expect(status).toBe(400)
    expect(body).toContain('ENGINE_D is set in the environment.')
  })

  it('404: an engine that is not there, or a private one', async () => {
    const { save, saved } = await open()
    const statuses = [await save({ engine: '../x' }), await save({ engine: 'karakeep', place: 'on' })].map(
      ({ status }) => status,
    )
    expect(statuses).toEqual([404, 404])
    expect(saved).toEqual([])
  })

  it('takes no key where it could not be encrypted, and says what to set', async () => {
    const { page, save, saved } = await open({ desk: { takesSecrets: false } })
    expect(textOf(rowOf(await page(), 'kagi'))).toContain('once INSTANCE_SECRET is set on every node')
    expect((await save({ engine: 'kagi', key: KEY })).status).toBe(400)
    expect(saved).toEqual([])
  })
})

/** What the real Brave adapter makes of a reply. */
const tryBrave =
  (ask: BoundEngine['ask']): EngineAdmin['tryEngine'] =>
  async ({ slug, text }) => {
    const engine = ALL_ENGINES.find((candidate) => candidate.slug === slug)
    if (!engine) return undefined
    const query = { text, page: 1, safe: true, date: undefined, lang: '', now: NOW }
    const deadline = createDeadline(1_000)
    const report = await tryEngine(
      { engine, settings: { apiKey: KEY, baseUrl: '' }, ask },
      { tab: 'web', query, deadline },
    )
    deadline.cancel()
    return report
  }

describe('trying an engine', () => {
  const fields = { engine: 'brave', tab: 'web', q: 'oil lamp <b>' }
  const submit = async (tryEngine: EngineAdmin['tryEngine'], given = fields) => {
    const { browser } = await open({ env: { BRAVE_API_KEY: KEY }, engines: { tryEngine } })
    return await browser.submit('/admin/engines/try', given, '/admin/engines')
  }

  it('shows three results, what it cost, and the request without its key, and logs nothing of it', async () => {
    const { status, headers, body, text } = await submit(
      tryBrave(async (_ask, _until, read) => read(readFixture('brave-web-page'))),
    )
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(body.match(/<li class="result">/g)).toHaveLength(3)
    expect(text).toMatch(/\d+ results, \d+ ms\. The call cost US\$0\.005\./)
    expect(body).toContain('GET /res/v1/web/search?q=oil%20lamp%20%3Cb%3E')
    expect(body).toContain('x-subscription-token: •••')
    expect(body).not.toContain(KEY)
    expect(body).not.toContain('lamp <b>')
    expect(text).toMatch(/Status 200, [\d,]+ bytes, after \d+ ms\. .* Looked up on 2026-11-15\./)
    expect(stage?.logged()).not.toContain('lamp')
  })

  it('says what went wrong', async () => {
    const text = (await submit(tryBrave(() => Promise.reject(new UpstreamError('timeout', 'late'))))).text
    expect(text).toContain('It does not respond in time.')
    expect(text).toMatch(/No reply after \d+ ms\./)
  })

  it('400: an engine that is not in use, or no query; 404: no engine', async () => {
    const none: EngineAdmin['tryEngine'] = async () => undefined
    expect((await submit(none, { ...fields, engine: 'kagi' })).status).toBe(400)
    expect((await submit(none, { ...fields, engine: '../../x' })).status).toBe(404)
    const { status, body } = await submit(none, { ...fields, q: ' ' })
    expect(status).toBe(400)
    expect(body).toContain('Enter what to search for.')
  })
})
