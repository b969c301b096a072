import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { afterEach, describe, expect, it } from 'vitest'
import type { TrialReport } from '../../search/try-engine.ts'
import type { NewService, PersonService, SavedService } from '../../settings/person-services.ts'
import { openSiteStage, type SiteStage, textOf } from '../site.test-harness.ts'
import type { SiteServices } from '../site-services.ts'
import { servicesPages } from './services-pages.ts'

const PATH = '/settings/services'
const ADA = { userId: '1', username: 'ada', isAdmin: false, sessionId: '1', confirmedAt: Date.now() }
const TOKEN = 'canary-of-the-token'
const presetOf = (slug: string) =>
  ALL_ENGINES.find((engine) => engine.slug === slug) ?? expect.unreachable(`no ${slug}`)
const SERVICE: PersonService = {
  id: '7',
  slug: 'karakeep',
  engine: presetOf('karakeep'),
  settings: { baseUrl: 'https://links.example.org/app', linkUrl: '', apiKey: TOKEN },
}

let stage: SiteStage | undefined
afterEach(() => stage?.close())

interface Given {
  listed?: PersonService[]
  canStore?: boolean
  saved?: SavedService
  report?: Partial<TrialReport>
  viewer?: typeof ADA
}

async function open({
  listed = [SERVICE],
  canStore = true,
  saved = { ok: true, id: '8' },
  report,
  viewer = ADA,
}: Given = {}) {
  const done: unknown[] = []
  stage = await openSiteStage(
    {
      services: {
        canStore,
        presets: () => ['karakeep', 'nextcloud', 'gitlab'].map(presetOf),
        list: async (userId) => (userId === ADA.userId ? listed : []),
        save: async (by, userId, { id, engine, given }: NewService) => {
          done.push(['save', by.actor?.userId, userId, id, engine.slug, given])
          return saved
        },
        remove: async (by, userId, id) => void done.push(['remove', by.actor?.userId, userId, id]),
        try: async (userId, id, text) => {
          done.push(['try', userId, id, text])
          return report && ({ name: 'Karakeep', hits: [], ...report } as TrialReport)
        },
      },
      // The page only passes on who it was.
      accounts: {
        accessBy: ({ userId }: { userId: string }) => ({ actor: { userId } }),
      } as unknown as SiteServices['accounts'],
    },
    servicesPages,
  )
  return { browser: stage.browser(viewer), done }
}

describe('Settings → My services', () => {
  it('lists them with their host, never a token, and what can be added', async () => {
    const { browser } = await open()
    const { statusCode, body } = await browser.get(PATH)
    expect(statusCode).toBe(200)
    expect(textOf(body)).toContain('Karakeep links.example.org')
    expect([...body.matchAll(/href="\/settings\/services\/new\/(\w+)"/g)].map(([, slug]) => slug)).toEqual([
      'gitlab',
      'karakeep',
      'nextcloud',
    ])
    for (const path of [PATH, `${PATH}/7`, `${PATH}/7/change`]) {
      expect((await browser.get(path)).body).not.toContain(TOKEN)
    }
  })

  it('asks for what the service needs, the address first and the secret last', async () => {
    const { browser } = await open()
    const { body } = await browser.get(`${PATH}/new/nextcloud`)
    const fields = [
      ...body.matchAll(/<input id="field-(\w+)" name="\w+" type="(\w+)"[^>]*?( required)?(?: aria[^>]*)?>/g),
    ]
    expect(fields.map(([, name, type, required]) => `${name} ${type}${required ?? ''}`)).toEqual([
      'baseUrl text required',
      'user text required',
      'provider text',
      'linkUrl text',
      'password password required',
    ])
    expect((await browser.get(`${PATH}/new/gitlab`)).body).toContain('<option value="issues">')
    expect((await browser.get(`${PATH}/new/brave`)).statusCode).toBe(404)
  })

  it('saves what was entered for the person alone', async () => {
    const { browser, done } = await open()
    const given = { baseUrl: 'https://links.example.org', linkUrl: '', apiKey: TOKEN }
    const added = await browser.submit(`${PATH}/new/karakeep`, given)
    expect([added.statusCode, added.headers.location]).toEqual([303, `${PATH}/8?done=saved`])
    await browser.submit(`${PATH}/7/change`, given)
    await browser.submit(`${PATH}/7/remove`, {}, `${PATH}/7`)
    expect(done).toEqual([
      ['save', '1', '1', undefined, 'karakeep', given],
      ['save', '1', '1', '7', 'karakeep', given],
      ['remove', '1', '1', '7'],
    ])
  })

  it('400: says beside each field what is wrong, and sends no token back', async () => {
    const mistakes = { baseUrl: 'notAllowed', apiKey: 'missing' } as const
    const { browser } = await open({ saved: { ok: false, mistakes } })
    const { statusCode, body } = await browser.submit(`${PATH}/new/karakeep`, {
      baseUrl: 'http://10.0.0.7',
      apiKey: TOKEN,
    })
    expect(statusCode).toBe(400)
    expect(body).toMatch(/id="field-baseUrl-error">[^<]*MINE_HOSTS/)
    expect(body).toMatch(/id="field-apiKey-error">Fill in this field\./)
    expect([body.includes('value="http://10.0.0.7"'), body.includes(TOKEN)]).toEqual([true, false])
    expect(stage?.logged()).not.toContain(TOKEN)
  })

  it('409: says how many there can be', async () => {
    const full = await open({ saved: { ok: false, mistakes: 'full' } })
    const reply = await full.browser.submit(`${PATH}/new/karakeep`, { baseUrl: 'https://a.example', apiKey: TOKEN })
    expect([reply.statusCode, textOf(reply.body).includes('You can have 10 services.')]).toEqual([409, true])
    await stage?.close()
    const { browser } = await open({ listed: Array.from({ length: 10 }, (_, id) => ({ ...SERVICE, id: String(id) })) })
    const { body } = await browser.get(PATH)
    expect([textOf(body).includes('Remove one first.'), body.includes('/new/')]).toEqual([true, false])
  })

  it('are not taken where they could not be encrypted, and the page says what to set', async () => {
    const { browser, done } = await open({ canStore: false, listed: [] })
    const { body } = await browser.get(PATH)
    expect([textOf(body).includes('sets INSTANCE_SECRET on every node'), body.includes('/new/')]).toEqual([true, false])
    expect((await browser.get(`${PATH}/new/karakeep`)).body).not.toContain('name="apiKey"')
    expect(done).toEqual([])
  })

  it('one that can’t be read any more can only be removed', async () => {
    const { browser } = await open({ listed: [{ ...SERVICE, settings: undefined }] })
    expect(textOf((await browser.get(PATH)).body)).toContain('cannot be read')
    const { body } = await browser.get(`${PATH}/7`)
    expect([body.includes(`${PATH}/7/remove`), body.includes(`${PATH}/7/try`)]).toEqual([true, false])
  })

  it('303: asks for the password again to add, change or remove one, and not to look or try', async () => {
    const { browser, done } = await open({ viewer: { ...ADA, confirmedAt: 0 }, report: {} })
    for (const path of [`${PATH}/new/karakeep`, `${PATH}/7/change`]) {
      expect((await browser.get(path)).headers.location).toMatch(/^\/settings\/confirm\?next=/)
    }
    for (const path of [`${PATH}/new/karakeep`, `${PATH}/7/change`, `${PATH}/7/remove`]) {
      expect((await browser.submit(path, {}, `${PATH}/7`)).headers.location).toMatch(/^\/settings\/confirm\?next=/)
    }
    expect((await browser.submit(`${PATH}/7/try`, { q: 'boiler' }, `${PATH}/7`)).statusCode).toBe(200)
    expect(done).toEqual([['try', '1', '7', 'boiler']])
  })

  it('404: those of others, and 303: of visitors', async () => {
    const { browser, done } = await open({ viewer: { ...ADA, userId: '2' } })
    for (const path of [`${PATH}/7`, `${PATH}/7/change`]) expect((await browser.get(path)).statusCode).toBe(404)
    for (const action of ['try', 'change', 'remove']) {
      const reply = await browser.submit(`${PATH}/7/${action}`, { q: 'boiler' }, `${PATH}/new/karakeep`)
      expect([action, reply.statusCode]).toEqual([action, 404])
    }
    expect(done).toEqual([])
    expect((await stage?.browser().get(PATH))?.headers.location).toMatch(/^\/login/)
  })
})

describe('trying a service', () => {
  const tried = async (report: Partial<TrialReport>) => {
    const { browser } = await open({ report })
    return await browser.submit(`${PATH}/7/try`, { q: 'boiler' }, `${PATH}/7`)
  }
  const errorOf = (kind: string) => ({ kind, message: '' })

  it('shows three results, as links', async () => {
    const hits = Array.from({ length: 5 }, (_, at) => {
      return { title: `<b>${at}`, url: `https://a.example/${at}`, description: '' }
    })
    const { body } = await tried({ status: 200, hits })
    expect(body.match(/<li><a href="https:\/\/a\.example\/\d"/g)).toHaveLength(3)
    expect(body).toContain('&lt;b&gt;0')
    expect(textOf((await tried({ status: 200 })).body)).toContain('found nothing for this')
  })

  it.each([
    [{ status: 401, error: errorOf('rejected') }, 'It refused the token.'],
    [{ status: 403, error: errorOf('blocked') }, 'It refused the token.'],
    [{ status: 404, error: errorOf('rejected') }, 'Something answered, but not as Karakeep does.'],
    [{ status: 200, error: errorOf('malformed') }, 'Something answered, but not as Karakeep does.'],
    [{ status: 502, error: errorOf('unreachable') }, 'It reported an error of its own (status 502).'],
    [{ status: undefined, error: errorOf('unreachable') }, 'has to add its host to MINE_HOSTS'],
    [{ status: undefined, error: errorOf('timeout') }, 'It could not be reached.'],
    [{ status: 429, error: errorOf('throttled') }, 'Karakeep is rate-limiting this site.'],
    [{ status: undefined, error: errorOf('open') }, 'Karakeep is not available right now.'],
  ])('%j is told as “…%s”', async (report, sentence) => {
    expect(textOf((await tried(report)).body)).toContain(sentence)
  })

  it('400: asks what to search for', async () => {
    const { browser, done } = await open({ report: {} })
    expect((await browser.submit(`${PATH}/7/try`, { q: ' ' }, `${PATH}/7`)).statusCode).toBe(400)
    expect(done).toEqual([])
  })
})
