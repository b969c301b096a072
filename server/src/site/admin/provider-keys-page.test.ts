import { afterEach, describe, expect, it } from 'vitest'
import type { ProviderKey, ProviderKeys } from '../../settings/provider-keys.ts'
import { openSiteStage, type SiteStage, textOf } from '../site.test-harness.ts'
import type { SiteServices } from '../site-services.ts'

const ADMIN = { userId: '1', username: 'ada', isAdmin: true, sessionId: '1', confirmedAt: Date.now() }
const KEY = 'BSA-canary-key'
const SAVE = '/admin/providers/keys'

let stage: SiteStage | undefined
afterEach(() => stage?.close())

async function open(given: Partial<ProviderKeys> = {}, viewer = ADMIN) {
  const saved: unknown[] = []
  const keys: ProviderKey[] = [
    { setting: 'BRAVE_API_KEY', provider: 'Brave', origin: 'environment' },
    { setting: 'KAGI_API_KEY', provider: 'Kagi', origin: 'database' },
    { setting: 'MOJEEK_API_KEY', provider: 'Mojeek', origin: undefined },
  ]
  stage = await openSiteStage({
    providerKeys: {
      canStore: true,
      list: () => keys,
      save: async (setting, value, by) => void saved.push([setting, value, by.actor?.userId]),
      ...given,
    },
    // The page only passes on who it was.
    accounts: {
      accessBy: ({ userId }: { userId: string }) => ({ actor: { userId } }),
    } as unknown as SiteServices['accounts'],
    costs: { ofMonth: async () => [], budgets: new Map() },
    transitions: async () => [],
  })
  const browser = stage.browser(viewer)
  const submit = (path: string, fields: Record<string, string>) => browser.submit(path, fields, '/admin/providers')
  return { browser, submit, saved }
}

describe('the keys of providers', () => {
  it('show where each comes from, and only those that the environment leaves open can be pasted', async () => {
    const { browser } = await open()
    const { body } = await browser.get('/admin/providers')
    expect(textOf(body)).toMatch(/Brave BRAVE_API_KEY the environment, which comes first: change it there, and restart/)
    expect(textOf(body)).toMatch(/Kagi KAGI_API_KEY the database Remove/)
    expect([...body.matchAll(/<option value="(\w+_API_KEY)"/g)].map((match) => match[1])).toEqual([
      'KAGI_API_KEY',
      'MOJEEK_API_KEY',
    ])
  })

  it('are saved in the name of the administrator, and removed', async () => {
    const { submit, saved } = await open()
    const reply = await submit(SAVE, { setting: 'MOJEEK_API_KEY', key: ` ${KEY} ` })
    expect([reply.statusCode, reply.headers.location]).toEqual([303, '/admin/providers#try'])
    await submit(`${SAVE}/remove`, { setting: 'KAGI_API_KEY' })
    expect(saved).toEqual([
      ['MOJEEK_API_KEY', KEY, '1'],
      ['KAGI_API_KEY', undefined, '1'],
    ])
  })

  it.each([
    ['a setting that the environment sets', { setting: 'BRAVE_API_KEY', key: KEY }],
    ['a setting that is no key', { setting: 'BRAVE_URL', key: KEY }],
    ['nothing', { setting: 'MOJEEK_API_KEY', key: ' ' }],
    ['several lines', { setting: 'MOJEEK_API_KEY', key: `${KEY}\nmore` }],
  ])('%s is not saved, and what was pasted is not sent back', async (_, fields) => {
    const { submit, saved } = await open()
    const { statusCode, body } = await submit(SAVE, fields)
    expect([statusCode, saved]).toEqual([400, []])
    expect(body).not.toContain(KEY)
    expect(stage?.logged()).not.toContain(KEY)
  })

  it('are not taken where they could not be encrypted, and the page says what to set', async () => {
    const { browser, saved } = await open({ canStore: false })
    const { body } = await browser.get('/admin/providers')
    expect(textOf(body)).toContain('Keys can be stored here once INSTANCE_SECRET is set on every node')
    const token = /name="_csrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
    const reply = await browser.post(SAVE, { setting: 'MOJEEK_API_KEY', key: KEY, _csrf: token })
    expect([reply.statusCode, saved]).toEqual([400, []])
  })

  it('ask for the password again, and are for administrators only', async () => {
    const unconfirmed = await open({}, { ...ADMIN, confirmedAt: 0 })
    const reply = await unconfirmed.submit(SAVE, { setting: 'MOJEEK_API_KEY', key: KEY })
    expect(reply.headers.location).toMatch(/^\/settings\/confirm/)
    await stage?.close()
    const other = await open({}, { ...ADMIN, isAdmin: false })
    expect((await other.browser.post(SAVE, { setting: 'MOJEEK_API_KEY', key: KEY })).statusCode).toBe(403)
    expect([unconfirmed.saved, other.saved]).toEqual([[], []])
  })
})
