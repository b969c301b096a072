import { describe, expect, it } from 'vitest'
import type { ProviderKey } from '../../settings/provider-keys.ts'
import type { SettingsDesk } from '../../settings/settings-desk.ts'
import { openAdminStage } from '../site.test-harness.ts'

const KEY = 'canary-key'
const SAVE = '/admin/engines/keys'

const source = (setting: string, provider: string, origin?: ProviderKey['origin']): ProviderKey => ({
  setting,
  provider,
  engine: undefined,
  origin,
})

async function open(desk: Partial<SettingsDesk> = {}) {
  const keys = () => [
    source('OPENMETEO_API_KEY', 'Open-Meteo', 'environment'),
    source('LIBRETRANSLATE_API_KEY', 'LibreTranslate', 'database'),
    source('OPENMETEOPLACES_API_KEY', 'Open-Meteo places'),
    { ...source('BRAVE_API_KEY', 'Brave'), engine: 'brave' },
  ]
  const stage = await openAdminStage({ desk: { keys, ...desk }, under: ['/admin/engines'] })
  const submit = (path: string, fields: Record<string, string>) => stage.admin.submit(path, fields, '/admin/engines')
  return { ...stage, submit }
}

describe('the keys of data sources', () => {
  it('show where each comes from, and only those that the environment leaves open can be pasted', async () => {
    const { admin } = await open()
    const { body, text } = await admin.get('/admin/engines')
    expect(text).toContain('OPENMETEO_API_KEY the environment, which comes first: change it there, and restart')
    expect(text).toContain('LibreTranslate LIBRETRANSLATE_API_KEY the database Remove')
    expect(body.match(/(?<=<option value=")\w+_API_KEY/g)).toEqual([
      'LIBRETRANSLATE_API_KEY',
      'OPENMETEOPLACES_API_KEY',
    ])
  })

  it('are saved in the name of the administrator, and removed', async () => {
    const actors: (string | undefined)[] = []
    const { submit, saved } = await open()
    const reply = await submit(SAVE, { setting: 'OPENMETEOPLACES_API_KEY', key: ` ${KEY} ` })
    expect(reply).toMatchObject({ status: 303, location: '/admin/engines#keys' })
    await submit(`${SAVE}/remove`, { setting: 'LIBRETRANSLATE_API_KEY' })
    expect(saved).toEqual([{ OPENMETEOPLACES_API_KEY: KEY }, { LIBRETRANSLATE_API_KEY: undefined }])
    const change: SettingsDesk['change'] = async ({ actor }) => {
      actors.push(actor?.userId)
      return []
    }
    const other = await open({ change })
    await other.submit(SAVE, { setting: 'OPENMETEOPLACES_API_KEY', key: KEY })
    expect(actors).toEqual(['2'])
  })

  it.each([
    ['a setting that the environment sets', 'OPENMETEO_API_KEY', KEY],
    ['the key of an engine, which has a row', 'BRAVE_API_KEY', KEY],
    ['a setting that is no key', 'BRAVE_URL', KEY],
    ['nothing', 'LIBRETRANSLATE_API_KEY', ' '],
    ['several lines', 'LIBRETRANSLATE_API_KEY', `${KEY}\nmore`],
  ])('400: %s is not saved, and the page does not repeat what was pasted', async (_, setting, key) => {
    const { submit, saved, logged } = await open()
    const { status, body } = await submit(SAVE, { setting, key })
    expect(status).toBe(400)
    expect(saved).toEqual([])
    expect(body + logged()).not.toContain(KEY)
  })

  it('400: are not taken where they could not be encrypted, and the page says what to set', async () => {
    const { admin, submit, saved } = await open({ takesSecrets: false })
    expect((await admin.get('/admin/engines')).text).toContain('once INSTANCE_SECRET is set on every node')
    expect((await submit(SAVE, { setting: 'LIBRETRANSLATE_API_KEY', key: KEY })).status).toBe(400)
    expect(saved).toEqual([])
  })
})
