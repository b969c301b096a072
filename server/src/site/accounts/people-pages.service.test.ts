// Your data, invitations and services on the website.
import { describe, expect, it } from 'vitest'
import { CONFIRMED_MS } from '../../accounts/account-settings.ts'
import { PASSWORD } from '../../accounts/accounts.test-harness.ts'
import { createInvitation } from '../../accounts/invitations.ts'
import { createService, findUser } from '../../accounts/users.ts'
import { createKey } from '../../keys/keys.ts'
import { textOf } from '../site.test-harness.ts'
import { setUpAccountsSite } from './accounts-site.test-harness.ts'

const DATA = '/settings/account/data'
const INVITATIONS = '/admin/users/invitations'
const LINK = /<code>https?:\/\/[^/]+(\/invitation\/[\w-]{43})<\/code>/

describe('Your data', () => {
  const stage = setUpAccountsSite()

  it('deletes the account after its name was typed, in any case', async () => {
    const { user, browser } = await stage.signedIn()
    const wrong = await browser.submit(`${DATA}/delete`, { username: 'somebody' }, DATA)
    expect([wrong.statusCode, textOf(wrong.body)]).toEqual([
      400,
      expect.stringMatching(/This isn.{1,5}t your username\./),
    ])
    expect(await findUser(stage.people.access, user.username)).toBeDefined()
    const reply = await browser.submit(`${DATA}/delete`, { username: ` ${user.username.toUpperCase()}` }, DATA)
    expect(reply.headers.location).toBe('/login?done=deleted')
    expect(await findUser(stage.people.access, user.username)).toBeUndefined()
    expect(textOf((await browser.get('/login?done=deleted')).body)).toContain('Your account is deleted.')
  })

  it('409: stays if it is the last administrator’s', async () => {
    await stage.people.access.db.updateTable('users').set({ is_admin: false }).execute()
    const { user, browser } = await stage.administrator()
    const reply = await browser.submit(`${DATA}/delete`, { username: user.username }, DATA)
    expect([reply.statusCode, textOf(reply.body)]).toEqual([409, expect.stringContaining('last enabled administrator')])
  })

  it('asks for the password first', async () => {
    const { browser } = await stage.signedInEarlier()
    expect((await browser.get(DATA)).headers.location).toMatch(/^\/settings\/confirm\?next=/)
  })
})

describe('invitations', () => {
  const stage = setUpAccountsSite()

  it('are shown once, listed without the link, used once and gone', async () => {
    const { user, browser } = await stage.administrator()
    const made = await browser.submit(INVITATIONS, { role: 'admin', days: '1' })
    const path = LINK.exec(made.body)?.[1] ?? ''
    expect([made.statusCode, made.headers['cache-control']]).toEqual([200, 'no-store'])
    const list = await browser.get(INVITATIONS)
    expect(list.body).not.toContain(path)
    expect(textOf(list.body)).toContain(`Administrator ${user.username}`)

    const stranger = stage.site.browser()
    expect(textOf((await stranger.get(path)).body)).toContain('Create your account')
    const fields = { username: 'Nora', password: PASSWORD, repeat: PASSWORD }
    const taken = await stranger.submit(path, { ...fields, username: user.username })
    expect([taken.statusCode, textOf(taken.body)]).toEqual([409, expect.stringContaining('already taken')])
    expect((await stranger.submit(path, { ...fields, repeat: 'other' })).statusCode).toBe(400)
    expect((await stranger.submit(path, fields)).headers.location).toBe('/')
    expect((await stranger.get('/admin/users')).statusCode).toBe(200)
    const late = await stage.site.browser().get(path)
    expect([late.statusCode, textOf(late.body)]).toEqual([404, expect.stringContaining('Ask for a new one.')])
  })

  it('are revoked', async () => {
    const { browser } = await stage.administrator()
    const { invitation, token } = await createInvitation(stage.people.access, { isAdmin: false })
    const reply = await browser.submit(`${INVITATIONS}/${invitation.id}/revoke`, {}, INVITATIONS)
    expect(reply.headers.location).toBe(`${INVITATIONS}?done=revoked`)
    expect((await stage.site.browser().get(`/invitation/${token}`)).statusCode).toBe(404)
    expect((await browser.submit(`${INVITATIONS}/${invitation.id}/revoke`, {}, INVITATIONS)).statusCode).toBe(404)
  })
})

describe('a service', () => {
  const stage = setUpAccountsSite()
  const manage = (username: string) => `/admin/users/${username}/manage`

  it('is created, and its keys are made and revoked by administrators', async () => {
    const { browser } = await stage.administrator()
    const reply = await browser.submit('/admin/users/new', { username: 'printer', role: 'service' })
    expect(reply.headers.location).toBe(manage('printer'))
    expect(textOf((await browser.get('/admin/users')).body)).toContain('printer Service active')
    const made = await browser.submit('/admin/users/printer/keys', { name: 'office' }, manage('printer'))
    expect(made.body).toMatch(/<code>bowerbird_\w{8}\.[\w-]+<\/code>/)
    const page = textOf((await browser.get(manage('printer'))).body)
    expect(page).toContain('office')
    expect(page).not.toContain('Forgotten password')
    const keys = await stage.people.access.db.selectFrom('api_keys').select(['id', 'revoked_at']).execute()
    expect(keys).toMatchObject([{ revoked_at: null }])
    await browser.submit(`/admin/users/printer/keys/${keys[0]?.id}/revoke`, {}, manage('printer'))
    expect(await stage.people.access.db.selectFrom('api_keys').select('revoked_at').execute()).not.toMatchObject([
      { revoked_at: null },
    ])
  })

  it('404: administrators make and revoke no keys of people, or of another service', async () => {
    const { browser } = await stage.administrator()
    const other = await stage.people.addUser()
    const { key } = await createKey(stage.people.access, { owner: { userId: other.id } })
    const attempts = [`${other.username}/keys`, `${other.username}/keys/${key.id}/revoke`]
    await createService(stage.people.access, 'scanner')
    for (const path of [...attempts, `scanner/keys/${key.id}/revoke`]) {
      const reply = await browser.submit(`/admin/users/${path}`, { name: 'x' }, '/admin/users/new')
      expect([path, reply.statusCode]).toEqual([path, 404])
    }
    const rows = await stage.people.access.db
      .selectFrom('api_keys')
      .select('revoked_at')
      .where('user_id', '=', other.id)
      .execute()
    expect(rows).toEqual([{ revoked_at: null }])
  })

  it('is deleted by an administrator, who is asked who they are first', async () => {
    const { browser } = await stage.administrator()
    await createService(stage.people.access, 'scraper')
    stage.people.now += CONFIRMED_MS
    expect((await browser.get('/admin/users/scraper/delete')).headers.location).toMatch(/^\/settings\/confirm/)
    await stage.confirm(browser)
    const reply = await browser.submit('/admin/users/scraper/delete', {})
    expect(reply.headers.location).toBe('/admin/users?done=deleted')
    expect(await findUser(stage.people.access, 'scraper')).toBeUndefined()
  })
})
