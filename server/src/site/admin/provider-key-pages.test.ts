import { afterEach, describe, expect, it } from 'vitest'
import type { ProviderKey } from '../../settings/provider-keys.ts'
import type { SettingsDesk } from '../../settings/settings-desk.ts'
import { deskWith, openSiteStage, type SiteStage, textOf } from '../site.test-harness.ts'
import type { SiteServices } from '../site-services.ts'

const ADMIN = { userId: '1', username: 'ada', isAdmin: true, sessionId: '1', confirmedAt: Date.now() }
const KEY = 'canary-key'
const SAVE = '/admin/engines/keys'

let stage: SiteStage | undefined
afterEach(() => stage?.close())

async function open(given: Partial<SettingsDesk> = {}, viewer = ADMIN) {
  const saved: unknown[] = []
  const source = (setting: string, provider: string, origin: ProviderKey['origin']): ProviderKey => ({
    setting,
    provider,
    engine: undefined,
    origin,
  })
  stage = await openSiteStage({
    settings: deskWith({
      keys: () => [
        source('OPENMETEO_API_KEY', 'Open-Meteo', 'environment'),
        source('LIBRETRANSLATE_API_KEY', 'LibreTranslate', 'database'),
        source('OPENMETEOPLACES_API_KEY', 'Open-Meteo places', undefined),
        { setting: 'BRAVE_API_KEY', provider: 'Brave', engine: 'brave', origin: undefined },
      ],
      async change(by, edits) {
        saved.push([edits, by.actor?.userId])
        return Object.keys(edits)
      },
      ...given,
    }),
    // The page only passes on who it was.
    accounts: {
      accessBy: ({ userId }: { userId: string }) => ({ actor: { userId } }),
    } as unknown as SiteServices['accounts'],
  })
  const browser = stage.browser(viewer)
  const submit = (path: string, fields: Record<string, string>) => browser.submit(path, fields, '/admin/engines')
  return { browser, submit, saved }
}

describe('the keys of data sources', () => {
  it('show where each comes from, and only those that the environment leaves open can be pasted', async () => {
    const { browser } = await open()
    const { body } = await browser.get('/admin/engines')
    expect(textOf(body)).toMatch(
      /Open-Meteo OPENMETEO_API_KEY the environment, which comes first: change it there, and restart/,
    )
    expect(textOf(body)).toMatch(/LibreTranslate LIBRETRANSLATE_API_KEY the database Remove/)
    expect([...body.matchAll(/<option value="(\w+_API_KEY)"/g)].map((match) => match[1])).toEqual([
      'LIBRETRANSLATE_API_KEY',
      'OPENMETEOPLACES_API_KEY',
    ])
  })

  it('are saved in the name of the administrator, and removed', async () => {
    const { submit, saved } = await open()
    const reply = await submit(SAVE, { setting: 'OPENMETEOPLACES_API_KEY', key: ` ${KEY} ` })
    expect([reply.statusCode, reply.headers.location]).toEqual([303, '/admin/engines#keys'])
    await submit(`${SAVE}/remove`, { setting: 'LIBRETRANSLATE_API_KEY' })
    expect(saved).toEqual([
      [{ OPENMETEOPLACES_API_KEY: KEY }, '1'],
      [{ LIBRETRANSLATE_API_KEY: undefined }, '1'],
    ])
  })

  it.each([
    ['a setting that the environment sets', { setting: 'OPENMETEO_API_KEY', key: KEY }],
    ['the key of an engine, which has a row', { setting: 'BRAVE_API_KEY', key: KEY }],
    ['a setting that is no key', { setting: 'BRAVE_URL', key: KEY }],
    ['nothing', { setting: 'LIBRETRANSLATE_API_KEY', key: ' ' }],
    ['several lines', { setting: 'LIBRETRANSLATE_API_KEY', key: `${KEY}\nmore` }],
  ])('%s is not saved, and what was pasted is not sent back', async (_, fields) => {
    const { submit, saved } = await open()
    const { statusCode, body } = await submit(SAVE, fields)
    expect([statusCode, saved]).toEqual([400, []])
    expect(body).not.toContain(KEY)
    expect(stage?.logged()).not.toContain(KEY)
  })

  it('are not taken where they could not be encrypted, and the page says what to set', async () => {
    const { browser, saved } = await open({ takesSecrets: false })
    const { body } = await browser.get('/admin/engines')
    expect(textOf(body)).toContain('Keys can be stored here once INSTANCE_SECRET is set on every node')
    const token = /name="_csrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
    const reply = await browser.post(SAVE, { setting: 'LIBRETRANSLATE_API_KEY', key: KEY, _csrf: token })
    expect([reply.statusCode, saved]).toEqual([400, []])
  })

  it('ask for the password again, and are for administrators only', async () => {
    const unconfirmed = await open({}, { ...ADMIN, confirmedAt: 0 })
    const reply = await unconfirmed.submit(SAVE, { setting: 'LIBRETRANSLATE_API_KEY', key: KEY })
    expect(reply.headers.location).toMatch(/^\/settings\/confirm/)
    await stage?.close()
    const other = await open({}, { ...ADMIN, isAdmin: false })
    expect((await other.browser.post(SAVE, { setting: 'LIBRETRANSLATE_API_KEY', key: KEY })).statusCode).toBe(403)
    expect([unconfirmed.saved, other.saved]).toEqual([[], []])
  })
})
