import { afterEach, describe, expect, it } from 'vitest'
import type { SettingsDesk } from '../../settings/settings-desk.ts'
import { deskWith, openSiteStage, type SiteStage, textOf } from '../site.test-harness.ts'
import type { SiteServices } from '../site-services.ts'

const ADMIN = { userId: '1', username: 'ada', isAdmin: true, sessionId: '1', confirmedAt: Date.now() }
const PATH = '/admin/instance'

let stage: SiteStage | undefined
afterEach(() => stage?.close())

async function open(given: Partial<SettingsDesk> = {}, viewer = ADMIN) {
  const saved: unknown[] = []
  stage = await openSiteStage({
    instanceName: 'Plumage <b>',
    isPublic: false,
    settings: deskWith({
      version: 3,
      async change(_by, edits) {
        saved.push(edits)
        return Object.keys(edits)
      },
      exportFile: () => 'ENGINE_D=kagi\n# KAGI_API_KEY is set, not shown\n',
      ...given,
    }),
    // The page only passes on who it was.
    accounts: { accessBy: () => ({}) } as unknown as SiteServices['accounts'],
  })
  return { browser: stage.browser(viewer), saved }
}

describe('Administration → Instance', () => {
  it('has the name of the instance on every page, escaped', async () => {
    const { browser } = await open()
    const { body } = await browser.get(PATH)
    expect(body).toContain('<title>Instance · Plumage &lt;b&gt;</title>')
    expect(body).toContain('<span>Plumage &lt;b&gt;</span>')
    expect((await browser.get('/opensearch.xml')).body).toContain('<ShortName>Plumage &lt;b&gt;</ShortName>')
  })

  it('says of the choice that is in force that it is the default, not of the other', async () => {
    const { browser } = await open()
    const { body } = await browser.get(PATH)
    expect(textOf(body)).toMatch(
      /People with an account Visitors are asked to sign in\. This is the default\. Everyone who can open it .*? a tenth of each\. Contact/,
    )
  })

  it('saves what was changed, and nothing else', async () => {
    const { browser, saved } = await open()
    const fields = { name: 'Our search', access: 'public', contact: 'ops@example.org', keyless: 'foundations' }
    const reply = await browser.submit(PATH, fields)
    expect(reply.headers.location).toBe(`${PATH}?changed=INSTANCE_NAME+SITE_ACCESS+OPERATOR_CONTACT`)
    const { body } = await browser.get(reply.headers.location ?? '')
    expect(textOf(body)).toContain('Changed: INSTANCE_NAME, SITE_ACCESS, OPERATOR_CONTACT. Every node uses it')
    await browser.submit(PATH, { name: 'Plumage <b>', access: 'users', contact: '', keyless: 'none' })
    expect(saved).toEqual([
      { INSTANCE_NAME: 'Our search', SITE_ACCESS: 'public', OPERATOR_CONTACT: 'ops@example.org' },
      { KEYLESS_ENGINES: 'none' },
    ])
  })

  it('what the environment sets is text with the reason, and is not changed', async () => {
    const { browser, saved } = await open({ originOf: () => 'environment' })
    const { body } = await browser.get(PATH)
    expect(body).not.toMatch(/name="(?:name|access|contact)"/)
    for (const setting of ['INSTANCE_NAME', 'SITE_ACCESS', 'OPERATOR_CONTACT'])
      expect(body).toContain(`From the environment: ${setting}.`)
    await browser.submit(PATH, { name: 'Other', access: 'public', contact: 'x' })
    expect(saved).toEqual([{}])
  })

  it('400: a name of several lines, or one that is too long, with what was typed', async () => {
    const { browser, saved } = await open()
    for (const name of ['a\nb', 'x'.repeat(41)]) {
      const { statusCode, body } = await browser.submit(PATH, { name, contact: 'mine' })
      expect([statusCode, textOf(body).includes('one line of at most 40 characters')]).toEqual([400, true])
      expect(body).toContain('value="mine"')
    }
    expect(saved).toEqual([])
  })

  it('offers no file while nothing is stored', async () => {
    const { browser } = await open({ version: 0 })
    const { body } = await browser.get(PATH)
    expect(body).not.toContain(`${PATH}/export`)
    expect(body).toContain('Nothing is stored yet')
  })

  it('downloads what is stored without keys, after the password', async () => {
    const { browser } = await open()
    const { headers, body } = await browser.get(`${PATH}/export`)
    expect(headers).toMatchObject({
      'content-disposition': 'attachment; filename="bowerbird.env"',
      'cache-control': 'no-store',
    })
    expect(body).toBe('ENGINE_D=kagi\n# KAGI_API_KEY is set, not shown\n')
    await stage?.close()
    const unconfirmed = await open({}, { ...ADMIN, confirmedAt: 0 })
    expect((await unconfirmed.browser.get(`${PATH}/export`)).headers.location).toMatch(/^\/settings\/confirm/)
  })

  it('403: users who are not administrators', async () => {
    const { browser } = await open({}, { ...ADMIN, isAdmin: false })
    expect((await browser.get(PATH)).statusCode).toBe(403)
    expect((await browser.get(`${PATH}/export`)).statusCode).toBe(403)
  })
})
