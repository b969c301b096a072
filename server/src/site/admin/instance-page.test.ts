import { describe, expect, it } from 'vitest'
import type { SettingsDesk } from '../../settings/settings-desk.ts'
import { openAdminStage } from '../site.test-harness.ts'

const PATH = '/admin/instance'
const FILE = 'ENGINE_D=kagi\n# KAGI_API_KEY is set, not shown\n'

const open = (desk: Partial<SettingsDesk> = {}) =>
  openAdminStage({
    desk: { exportFile: () => FILE, ...desk },
    services: { instanceName: 'Plumage <b>', isPublic: false },
    under: [PATH, '/opensearch.xml'],
  })

describe('Administration → Instance', () => {
  it('has the name of the instance on every page, escaped', async () => {
    const { admin } = await open()
    const { body } = await admin.get(PATH)
    expect(body).toContain('<title>Instance · Plumage &lt;b&gt;</title>')
    expect(body).toContain('<span>Plumage &lt;b&gt;</span>')
    expect((await admin.get('/opensearch.xml')).body).toContain('<ShortName>Plumage &lt;b&gt;</ShortName>')
  })

  it('marks the default among the choices of who may search', async () => {
    expect((await (await open()).admin.get(PATH)).text).toMatch(
      /Visitors are asked to sign in\. This is the default\. Everyone who can open it .*? a tenth of each\. Contact/,
    )
  })

  it('saves what was changed, and nothing else', async () => {
    const { admin, saved } = await open()
    const fields = { name: 'Our search', access: 'public', contact: 'ops@example.org', keyless: 'foundations' }
    const { location } = await admin.submit(PATH, fields)
    expect(location).toBe(`${PATH}?changed=INSTANCE_NAME+SITE_ACCESS+OPERATOR_CONTACT`)
    expect((await admin.get(location)).text).toContain('Changed: INSTANCE_NAME, SITE_ACCESS, OPERATOR_CONTACT. Every')
    await admin.submit(PATH, { name: 'Plumage <b>', access: 'users', contact: '', keyless: 'none' })
    expect(saved).toEqual([
      { INSTANCE_NAME: 'Our search', SITE_ACCESS: 'public', OPERATOR_CONTACT: 'ops@example.org' },
      { KEYLESS_ENGINES: 'none' },
    ])
  })

  it('shows what the environment sets as text with the reason, and does not change it', async () => {
    const { admin, saved } = await open({ originOf: () => 'environment' })
    const { body } = await admin.get(PATH)
    expect(body).not.toMatch(/name="(?:name|access|contact)"/)
    for (const setting of ['INSTANCE_NAME', 'SITE_ACCESS', 'OPERATOR_CONTACT'])
      expect(body).toContain(`From the environment: ${setting}.`)
    await admin.submit(PATH, { name: 'Other', access: 'public', contact: 'x' })
    expect(saved).toEqual([{}])
  })

  it.each(['a\nb', 'x'.repeat(41)])('400: the name %j comes back with what was typed', async (name) => {
    const { admin, saved } = await open()
    const { status, body } = await admin.submit(PATH, { name, contact: 'mine' })
    expect(status).toBe(400)
    expect(body).toContain('one line of at most 40 characters')
    expect(body).toContain('value="mine"')
    expect(saved).toEqual([])
  })

  it('offers no file while nothing is stored', async () => {
    const { body } = await (await open({ version: 0 })).admin.get(PATH)
    expect(body).not.toContain(`${PATH}/export`)
    expect(body).toContain('Nothing is stored yet')
  })

  it('downloads what is stored without keys', async () => {
    const { headers, body } = await (await open()).admin.get(`${PATH}/export`)
    expect(headers['content-disposition']).toBe('attachment; filename="bowerbird.env"')
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toBe(FILE)
  })
})
