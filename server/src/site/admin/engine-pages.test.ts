import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { readFixture } from '../../../../engines/test/read-fixture.ts'
import { Refusal } from '../../errors.ts'
import type { BoundEngine } from '../../search/slots.ts'
import { tryEngine } from '../../search/try-engine.ts'
import { readConfiguration, requireConfiguration } from '../../settings/configuration.ts'
import { createSettingsDesk, type SettingsDesk } from '../../settings/settings-desk.ts'
import { engineAdmin, expectPage, openAdminStage, shippedEngines, textOf } from '../site.test-harness.ts'
import type { EngineAdmin } from './engine-admin.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const KEY = 'k3y-of-brave'
const PATH = '/admin/engines'

interface Scene {
  env?: Record<string, string>
  stored?: Record<string, string>
  desk?: Partial<SettingsDesk>
  engines?: Partial<EngineAdmin>
}

async function open({ env = {}, stored = {}, desk = {}, engines = {} }: Scene = {}) {
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
  const inSlots = [...configuration.slots.values()].flatMap((binding) => Object.values(binding).flat())
  const lacking = inSlots.filter((slug) => !configuration.engines.has(slug))
  const missingOf = new Map(lacking.map((slug) => [slug, [`${slug.toUpperCase()}_API_KEY`]]))
  const catalogue = shippedEngines(configuration.slots, missingOf)
  const { admin, logged } = await openAdminStage({
    services: {
      clock: () => NOW,
      settings: Object.assign(settings, desk),
      engines: engineAdmin({ catalogue, ...engines }),
    },
    under: [PATH],
  })
  const save = (fields: Record<string, string>) => admin.submit(PATH, fields)
  return { admin, save, saved, logged, page: async () => (await admin.get(PATH)).body }
}

const rowOf = (body: string, slug: string): string =>
  new RegExp(`<li id="engine-${slug}">.*?</details></li>`, 's').exec(body)?.[0] ?? ''

describe('Administration → Engines', () => {
  it('lists those in use first, then those that work without a key, then those that need one', async () => {
    const body = await (await open({ env: { BRAVE_API_KEY: KEY } })).page()
    const places = ['used', 'engine-brave', 'ready', 'engine-wiby', 'needing', 'engine-mojeek'].map((id) =>
      body.indexOf(`id="${id}"`),
    )
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(body.indexOf('id="engine-wikipedia"')).toBeLessThan(body.indexOf('id="ready"'))
    expect(body).not.toMatch(/id="engine-(?:karakeep|duckduckgo)"/)
    const ids = body.match(/ id="[^"]+"/g) ?? []
    expect(new Set(ids).size).toBe(ids.length)
    expect(body).not.toContain(KEY)
  })

  it.each([
    ['brave', /Brave Web, images, news and videos US\$5\.00 for 1,000 calls api\.search\.brave\.com in use, slot A /],
    ['mojeek', /Mojeek Web US\$4\.00 for 1,000 calls api\.mojeek\.com needs a key /],
    ['wiby', /Wiby Web free wiby\.me not in use /],
    ['searxng', /your own server needs an address .*It needs SEARXNG_URL\./],
    ['wikipedia', /run by a foundation or volunteers/],
    ['youfree', /without a contract/],
  ])('says what %s brings, what it costs, who gets the queries, and its state', async (slug, words) => {
    expect(textOf(rowOf(await (await open({ env: { BRAVE_API_KEY: KEY } })).page(), slug))).toMatch(words)
  })

  it('asks when a slot is asked, and a rule with figures of its own stays', async () => {
    const stored = { ENGINE_A: 'brave', ENGINE_A_WHEN: 'thin:8:0.3' }
    const { save, saved, page } = await open({ stored, env: { BRAVE_API_KEY: KEY } })
    expect(rowOf(await page(), 'brave')).toContain('<option value="thin:8:0.3" selected>')
    await save({ engine: 'brave', when: 'thin' })
    await save({ engine: 'brave', when: 'always' })
    expect(saved).toEqual([{ ENGINE_A_WHEN: 'thin' }, { ENGINE_A_WHEN: undefined }])
    expect((await save({ engine: 'brave', when: 'sometimes' })).body).toContain('Choose one of the offered answers.')
  })

  it('shows what the environment sets as text with the reason; the rest can be changed', async () => {
    const env = { BRAVE_API_KEY: KEY, ENGINE_A: 'brave', ENGINE_A_WEIGHT: '2', BRAVE_MONTHLY_USD: '20' }
    const row = rowOf(await (await open({ env })).page(), 'brave')
    const fields = row.match(/(?<= name=")\w+/g)
    expect(fields).toEqual(['_csrf', 'engine', 'when', 'calls', '_csrf', 'engine', 'q', 'tab'])
    for (const setting of Object.keys(env)) expect(row).toContain(`From the environment: ${setting}.`)
    expect(textOf(row)).toContain('US dollars a month, at most 20 From the environment')
  })

  it('saves one form as one change: key, slot, weight and caps', async () => {
    const { save, saved } = await open()
    const { location } = await save({ engine: 'kagi', key: ` ${KEY} `, place: 'G', calls: '1000', usd: '12,50' })
    expect(location).toBe(`${PATH}?engine=kagi&done=saved#engine-kagi`)
    await save({ engine: 'wikipedia', place: 'off' })
    await save({ engine: 'brave', key: '', place: 'on', weight: '2.5' })
    expect(saved).toEqual([
      { KAGI_API_KEY: KEY, ENGINE_G: 'kagi', KAGI_MONTHLY_CALLS: '1000', KAGI_MONTHLY_USD: '12.50' },
      { ENGINES_OFF: 'wikipedia' },
      { ENGINE_A_WEIGHT: '2.5' },
    ])
  })

  it('opens the row that was saved and says so, and a stored key can be removed but not read', async () => {
    const { admin, saved } = await open({ stored: { BRAVE_API_KEY: KEY } })
    const { body } = await admin.get(`${PATH}?engine=brave&done=saved`)
    const row = rowOf(body, 'brave')
    expect(row).toMatch(/^<li id="engine-brave"><details open>/)
    expect(textOf(row)).toMatch(/Saved\. Every node uses it within a second\..*A key is stored\./)
    expect(body.match(/<details open>/g)).toHaveLength(1)
    expect(body).not.toContain(KEY)
    const { location } = await admin.submit(`${PATH}/keys/remove`, { setting: 'BRAVE_API_KEY' }, PATH)
    expect(location).toBe(`${PATH}?engine=brave#engine-brave`)
    expect(saved).toEqual([{ BRAVE_API_KEY: undefined }])
  })

  it.each([
    ['a slot that is taken', { place: 'A' }, 'Choose one of the offered slots.'],
    ['a weight of nothing', { engine: 'brave', weight: '0' }, 'Enter a number from 0.01 to 100.'],
    ['calls that are no number', { calls: 'many' }, 'Enter a whole number, or nothing.'],
    ['a sum that is none', { usd: '-5' }, 'Enter an amount such as 20'],
    ['a key of several lines', { key: `${KEY}\nmore` }, 'Paste the key: one line'],
  ])('400: %s is refused beside its field, and nothing is saved or shown again', async (_, fields, message) => {
    const { save, saved, logged } = await open()
    const reply = await save({ engine: 'kagi', ...fields })
    expectPage(reply, { status: 400, shows: [message, /<h1>(?:Kagi|Brave)<\/h1>/], hides: [KEY] })
    expect(saved).toEqual([])
    expect(logged()).not.toContain(KEY)
  })

  it('400: a change that is refused says why', async () => {
    const shows = ['ENGINE_D is set in the environment.']
    const changeEngine = () => Promise.reject(new Refusal('conflict', shows.join()))
    const { save } = await open({ desk: { changeEngine } })
    expectPage(await save({ engine: 'kagi', place: 'on' }), { status: 400, shows })
  })

  it.each(['../x', 'karakeep'])('404: %s is no engine that can be chosen here', async (engine) => {
    const { save, saved } = await open()
    expect((await save({ engine, place: 'on' })).status).toBe(404)
    expect(saved).toEqual([])
  })

  it('takes no key where it could not be encrypted, and says what to set', async () => {
    const { page, save, saved } = await open({ desk: { takesSecrets: false } })
    expect(textOf(rowOf(await page(), 'kagi'))).toContain('once INSTANCE_SECRET is set on every node')
    expect((await save({ engine: 'kagi', key: KEY })).status).toBe(400)
    expect(saved).toEqual([])
  })
})

/** What the real adapter makes of a reply. */
const tryWith =
  (ask: BoundEngine['ask']): EngineAdmin['tryEngine'] =>
  async ({ slug, text }) => {
    const engine = ALL_ENGINES.find((candidate) => candidate.slug === slug)
    if (!engine) return undefined
    const query = { text, page: 1, safe: true, date: undefined, lang: '', now: NOW }
    const deadline = createDeadline(1_000)
    const bound = { engine, settings: { apiKey: KEY, baseUrl: '' }, ask }
    const report = await tryEngine(bound, { tab: 'web', query, deadline })
    deadline.cancel()
    return report
  }

describe('trying an engine', () => {
  const fields = { engine: 'brave', tab: 'web', q: 'oil lamp <b>' }
  const submit = async (tryEngine: EngineAdmin['tryEngine'], given = fields) => {
    const { admin, logged } = await open({ env: { BRAVE_API_KEY: KEY }, engines: { tryEngine } })
    return { reply: await admin.submit(`${PATH}/try`, given, PATH), logged }
  }

  it('shows three results, what it cost, and the request without its key, and logs nothing of it', async () => {
    const { reply, logged } = await submit(tryWith(async (_ask, _until, read) => read(readFixture('brave-web-page'))))
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.body.match(/<li class="result">/g)).toHaveLength(3)
    expectPage(reply, {
      shows: [
        /\d+ results, \d+ ms\. The call cost US\$0\.005\./,
        'GET /res/v1/web/search?q=oil%20lamp%20%3Cb%3E',
        'x-subscription-token: •••',
        /Status 200, [\d,]+ bytes, after \d+ ms\. .* Looked up on 2026-11-15\./,
      ],
      hides: [KEY, 'lamp <b>'],
    })
    expect(logged()).not.toContain('lamp')
  })

  it('says what went wrong', async () => {
    const { reply } = await submit(tryWith(() => Promise.reject(new UpstreamError('timeout', 'late'))))
    expectPage(reply, { shows: ['It does not respond in time.', /No reply after \d+ ms\./] })
  })

  it.each([
    [400, 'an engine that is not in use', { engine: 'kagi' }, ''],
    [404, 'no engine', { engine: '../../x' }, ''],
    [400, 'no query', { q: ' ' }, 'Enter what to search for.'],
  ])('%i: %s can’t be tried', async (status, _, wrong, message) => {
    const { reply } = await submit(async () => undefined, { ...fields, ...wrong })
    expectPage(reply, { status, shows: [message] })
  })
})
