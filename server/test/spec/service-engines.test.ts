// Engines for services of the operator's own, set up in the browser: a preset and a document in a setting, from the form to
// the results, without a restart and on another node, and who can't add one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../../src/accounts/users.ts'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { announceUserChange } from '../../src/keys/key-changes.ts'
import { createLog } from '../../src/log.ts'
import { type Instance, startInstance } from '../../src/operate/start.ts'
import { readConfiguration, requireConfiguration } from '../../src/settings/configuration.ts'
import { type BrowserReply, type FormBrowser, openFormBrowser, plainText } from '../support/form-browser.ts'
import { type PrivateService, startPrivateService } from '../support/private-service.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

const CANARY = 'qx8canary'
const PASSWORD = 'correct horse battery'
const LIST = '/admin/engines/own'
const EDIT = '/admin/engines/own/edit/karakeep'
const TRY = '/admin/engines/own/try/karakeep'
const SETTINGS = {
  INSTANCE_SECRET: 'the secret of this instance, long enough',
  KARAKEEP_URL: undefined,
  KARAKEEP_LINK_URL: undefined,
  KARAKEEP_API_KEY: undefined,
  API_THROTTLE_BURST: '100000/min',
  API_THROTTLE_SUSTAINED: '1000000/day',
}

let service: PrivateService
let server: TestInstance
/** Another node of the same instance. */
let other: Instance
let graceId: string
let grace: FormBrowser
let graceElsewhere: FormBrowser
let ada: FormBrowser
let mineKey: string
/** What the form takes. */
let karakeep: { KARAKEEP_URL: string; KARAKEEP_API_KEY: string }

beforeAll(async () => {
  service = await startPrivateService(CANARY)
  karakeep = { KARAKEEP_URL: service.url, KARAKEEP_API_KEY: service.settings['KARAKEEP_API_KEY'] ?? '' }
  server = await startTestInstance(SETTINGS)
  const read = readConfiguration({
    ...sandboxSettings((slug) => server.sandbox.urlOf(slug)),
    DATABASE_URL: server.databaseUrl,
    REDIS_URL: server.redisUrl,
    PORT: '0',
    ...SETTINGS,
  })
  other = await startInstance(requireConfiguration(read), createLog('silent'))
  const { access } = server.instance.services
  graceId = (await createUser(access, { username: 'grace', password: PASSWORD, isAdmin: true })).id
  grace = await signIn('grace', server.url)
  graceElsewhere = await signIn('grace', other.url)
  ada = await signIn('ada', server.url)
  mineKey = await server.createKey({ scopes: ['search', 'mine'] })
})
afterAll(async () => {
  await other?.close()
  await server?.close()
  await service?.close()
})

async function signIn(username: string, url: string): Promise<FormBrowser> {
  const browser = openFormBrowser(url)
  await browser.submit('/login', [
    ['username', username],
    ['password', PASSWORD],
  ])
  return browser
}

const version = () => server.instance.services.access.settings.readVersion()
const stored = async () => (await server.instance.services.access.settings.read()).values
const textOf = ({ body }: BrowserReply) => plainText(body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '))

async function api(path: string) {
  const reply = await fetch(server.url + path, { headers: { authorization: `Api-Key ${mineKey}` } })
  return { status: reply.status, body: await reply.text() }
}

/** What there is of private engines, as people and programs see it. */
async function whatThereIs() {
  return {
    tab: /href="\/mine\?/.test((await grace.ask(`/search?q=${freshQuery()}`)).body),
    page: (await grace.ask(`/mine?q=${freshQuery()}`)).status,
    endpoint: (await api(`/api/v1/mine/?q=${freshQuery()}`)).status,
    listed: (await api('/api/v1/')).body.includes('mine_search'),
    documented: (await api('/api/v1/openapi.json')).body.includes('/api/v1/mine/'),
    scope: (await grace.ask('/settings/keys/new')).body.includes('value="mine"'),
  }
}
const NOTHING = { tab: false, page: 404, endpoint: 404, listed: false, documented: false, scope: false }
const EVERYTHING = { tab: true, page: 200, endpoint: 200, listed: true, documented: true, scope: true }

describe('a preset', () => {
  it('is added with a form, and everything is there at once, on every node', async () => {
    expect(await whatThereIs()).toEqual(NOTHING)
    const choice = await grace.ask(`${LIST}/add`)
    expect(choice.body).toContain(`href="${EDIT}"`)
    const saved = await grace.fillIn(EDIT, EDIT, karakeep)
    expect(saved).toMatchObject({ status: 303, location: `${TRY}?saved=1` })
    expect(await stored()).toMatchObject({ ...karakeep, MINE: 'karakeep' })
    expect(await whatThereIs()).toEqual(EVERYTHING)
    expect((await grace.ask(`/mine?q=${freshQuery()}`)).body).toContain(CANARY)
    const elsewhere = async () => (await graceElsewhere.ask(`/mine?q=${freshQuery()}`)).body
    await expect.poll(elsewhere, { timeout: 10_000 }).toContain(CANARY)
  })

  it('is tried: the request without its key, three results, and what it costs', async () => {
    const text = textOf(await grace.fillIn(TRY, TRY, { q: freshQuery('boiler') }))
    expect(text).toMatch(/It works: 10 results\. Status 200 after \d+ ms\. The call costs nothing\./)
    expect(text.match(/Title qx8canary-\d/g)).toHaveLength(3)
    expect(text).toContain('authorization: •••')
  })

  it('with a wrong key is told apart from one that is stopped', async () => {
    await grace.fillIn(EDIT, EDIT, { KARAKEEP_API_KEY: 'a wrong key' })
    const wrong = textOf(await grace.fillIn(TRY, TRY, { q: freshQuery() }))
    expect(wrong).toMatch(/It is rejecting our requests\. Its key is wrong, expired or out of credit\..* Status 401/)
    await grace.fillIn(EDIT, EDIT, { KARAKEEP_API_KEY: karakeep.KARAKEEP_API_KEY })
    service.stop()
    try {
      const stopped = textOf(await grace.fillIn(TRY, TRY, { q: freshQuery() }))
      expect(stopped).toMatch(/It cannot be reached\. Check the address in its settings.* No reply after/)
    } finally {
      service.start()
    }
  })

  it('has a key that is never shown again, and never goes to another address', async () => {
    const stranger = await startPrivateService('stranger')
    try {
      const before = await version()
      const refused = await grace.fillIn(EDIT, EDIT, { KARAKEEP_URL: stranger.url })
      expect(refused.status).toBe(400)
      expect(textOf(refused)).toContain('Enter it again')
      expect(await version()).toBe(before)
      for (const page of [refused, await grace.ask(EDIT), await grace.ask(LIST), await grace.ask(TRY)])
        expect(page.body).not.toContain(karakeep.KARAKEEP_API_KEY)
      expect(server.logged()).not.toContain(karakeep.KARAKEEP_API_KEY)
      expect(stranger.queries).toEqual([])
    } finally {
      await stranger.close()
    }
  })

  it('is removed with everything it had', async () => {
    const remove = `${LIST}/remove/karakeep`
    expect((await grace.fillIn(remove, remove)).location).toBe(LIST)
    expect(await stored()).toEqual({})
    expect(await whatThereIs()).toEqual(NOTHING)
  })
})

const NOTES = {
  bowerbird: 1,
  slug: 'notes',
  name: 'Our notes',
  homepage: 'https://notes.example',
  private: true,
  auth: { bearer: 'apiKey' },
  terms: { cacheSeconds: 60, asOf: '2026-11-16' },
  tabs: {
    web: {
      paging: { by: 'none', lastPage: 1 },
      honours: ['safe'],
      byNature: ['safe'],
      request: { path: '/find', query: { q: '${query}' } },
      reply: { results: '/bookmarks', hit: { title: '/title', url: '/content/url' } },
    },
  },
}

describe('a document in a setting', () => {
  it('gets its settings in the browser, is searched, and removed with them', async () => {
    const { access } = server.instance.services
    await access.settings.change(access, { ENGINE_DOCUMENT_NOTES: JSON.stringify(NOTES, null, 2) })
    const edit = `${LIST}/edit/notes`
    await expect.poll(async () => (await grace.ask(edit)).status, { timeout: 10_000 }).toBe(200)
    const lacking = await grace.fillIn(edit, edit, { NOTES_URL: service.url })
    expect(lacking.status).toBe(400)
    expect(textOf(lacking)).toContain('Fill this in.')
    const values = { NOTES_URL: service.url, NOTES_API_KEY: karakeep.KARAKEEP_API_KEY }
    const saved = await grace.fillIn(lacking, edit, values)
    expect(saved.location).toBe(`${LIST}/try/notes?saved=1`)
    expect((await ada.ask(`/mine?q=${freshQuery()}`)).body).toContain('Our notes')
    const elsewhere = async () => (await graceElsewhere.ask(`/mine?q=${freshQuery()}`)).body
    await expect.poll(elsewhere, { timeout: 10_000 }).toContain(CANARY)

    const remove = `${LIST}/remove/notes`
    await grace.fillIn(remove, remove)
    expect(await stored()).toEqual({})
    expect((await ada.ask('/mine')).status).toBe(404)
  })
})

describe('nobody else adds a service', () => {
  const pages = [LIST, `${LIST}/add`, EDIT, TRY, `${LIST}/remove/karakeep`]
  const forms = [EDIT, TRY, `${LIST}/remove/karakeep`]
  /** With the token of a form that this person may open. */
  const post = (browser: FormBrowser, path: string) =>
    browser.submit(path, Object.entries(karakeep), '/settings/account')

  it('403: a user who is no administrator', async () => {
    const before = await version()
    for (const page of pages) expect((await ada.ask(page)).status, page).toBe(403)
    for (const form of forms) expect((await post(ada, form)).status, form).toBe(403)
    expect(await version()).toBe(before)
  })

  it('303: an administrator who has not confirmed the password for a while', async () => {
    const { db, changes } = server.instance.services.access
    const confirmedAt = (at: Date) => {
      const update = db.updateTable('sessions').set({ confirmed_at: at }).where('user_id', '=', graceId).execute()
      return update.then(() => announceUserChange(changes, graceId))
    }
    await confirmedAt(new Date(Date.now() - 11 * 60_000))
    const before = await version()
    for (const page of pages) expect((await grace.ask(page)).location).toMatch(/^\/settings\/confirm\?next=/)
    for (const form of forms) expect((await post(grace, form)).location).toMatch(/^\/settings\/confirm\?next=/)
    expect(await version()).toBe(before)
    await confirmedAt(new Date())
  })

  it('403, with a sentence: an administrator of a public site, whose private engines stay', async () => {
    await grace.fillIn(EDIT, EDIT, karakeep)
    const { access } = server.instance.services
    await access.settings.change(access, { SITE_ACCESS: 'public' })
    const status = async () => (await grace.ask(LIST)).status
    await expect.poll(status).toBe(403)
    const before = await version()
    for (const page of pages) {
      const reply = await grace.ask(page)
      expect(reply.status, page).toBe(403)
      expect(textOf(reply), page).toContain('This site is public')
    }
    for (const form of forms) expect((await post(grace, form)).status, form).toBe(403)
    expect(await version()).toBe(before)
    expect((await ada.ask(`/mine?q=${freshQuery()}`)).body).toContain(CANARY)
  })
})
