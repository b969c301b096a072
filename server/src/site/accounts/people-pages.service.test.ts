// Your data, invitations and services on the website.
import { describe, expect, it } from 'vitest'
import { CONFIRMED_MS } from '../../accounts/account-settings.ts'
import { PASSWORD } from '../../accounts/accounts.test-harness.ts'
import { createInvitation } from '../../accounts/invitations.ts'
import { createService, findUser } from '../../accounts/users.ts'
import { setUpAccountsSite } from './accounts-site.test-harness.ts'

const DATA = '/settings/account/data'
const INVITATIONS = '/admin/users/invitations'
const LINK = /<code>https?:\/\/[^/]+(\/invitation\/[\w-]{43})<\/code>/

describe('Your data', () => {
  const stage = setUpAccountsSite()

  it('deletes the account after its name was typed, in any case', async () => {
    const { user, browser } = await stage.signedIn()
    const wrong = await browser.submit(`${DATA}/delete`, { username: 'somebody' }, DATA)
    expect(wrong).toMatchObject({ status: 400, text: expect.stringMatching(/This isn.{1,5}t your username\./) })
    expect(await findUser(stage.people.access, user.username)).toBeDefined()
    const reply = await browser.submit(`${DATA}/delete`, { username: ` ${user.username.toUpperCase()}` }, DATA)
    expect(reply.location).toBe('/login?done=deleted')
    expect(await findUser(stage.people.access, user.username)).toBeUndefined()
    expect((await browser.get('/login?done=deleted')).text).toContain('Your account is deleted.')
  })

  it('409: stays if it is the last administrator’s', async () => {
    await stage.people.access.db.updateTable('users').set({ is_admin: false }).execute()
    const { user, browser } = await stage.administrator()
    const reply = await browser.submit(`${DATA}/delete`, { username: user.username }, DATA)
    expect(reply).toMatchObject({ status: 409, text: expect.stringContaining('last enabled administrator') })
  })
})

describe('invitations', () => {
  const stage = setUpAccountsSite()

  it('are shown once, listed without the link, used once and gone', async () => {
    const { user, browser } = await stage.administrator()
    const made = await browser.submit(INVITATIONS, { role: 'admin', days: '1' })
    const path = LINK.exec(made.body)?.[1] ?? ''
    expect(made).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    const list = await browser.get(INVITATIONS)
    expect(list.body).not.toContain(path)
    expect(list.text).toContain(`Administrator ${user.username}`)

    const stranger = stage.site.browser()
    expect((await stranger.get(path)).text).toContain('Create your account')
    const fields = { username: 'Nora', password: PASSWORD, repeat: PASSWORD }
    const taken = await stranger.submit(path, { ...fields, username: user.username })
    expect(taken).toMatchObject({ status: 409, text: expect.stringContaining('already taken') })
    expect((await stranger.submit(path, { ...fields, repeat: 'other' })).status).toBe(400)
    expect((await stranger.submit(path, fields)).location).toBe('/')
    expect((await stranger.get('/admin/users')).status).toBe(200)
    const late = await stage.site.browser().get(path)
    expect(late).toMatchObject({ status: 404, text: expect.stringContaining('Ask for a new one.') })
  })

  it('are revoked', async () => {
    const { browser } = await stage.administrator()
    const { invitation, token } = await createInvitation(stage.people.access, { isAdmin: false })
    const reply = await browser.submit(`${INVITATIONS}/${invitation.id}/revoke`, {}, INVITATIONS)
    expect(reply.location).toBe(`${INVITATIONS}?done=revoked`)
    expect((await stage.site.browser().get(`/invitation/${token}`)).status).toBe(404)
    expect((await browser.submit(`${INVITATIONS}/${invitation.id}/revoke`, {}, INVITATIONS)).status).toBe(404)
  })
})

describe('a service', () => {
  const stage = setUpAccountsSite()
  const manage = (username: string) => `/admin/users/${username}/manage`

  it('is created, and its keys are made and revoked by administrators', async () => {
    const { browser } = await stage.administrator()
    const reply = await browser.submit('/admin/users/new', { username: 'printer', role: 'service' })
    expect(reply.location).toBe(manage('printer'))
    expect((await browser.get('/admin/users')).text).toContain('printer Service active')
    const made = await browser.submit('/admin/users/printer/keys', { name: 'office' }, manage('printer'))
    expect(made.body).toMatch(/<code>bowerbird_\w{8}\.[\w-]+<\/code>/)
    const page = (await browser.get(manage('printer'))).text
    expect(page).toContain('office')
    expect(page).not.toContain('Forgotten password')
    const keys = await stage.people.access.db.selectFrom('api_keys').select(['id', 'revoked_at']).execute()
    expect(keys).toMatchObject([{ revoked_at: null }])
    await browser.submit(`/admin/users/printer/keys/${keys[0]?.id}/revoke`, {}, manage('printer'))
    expect(await stage.people.access.db.selectFrom('api_keys').select('revoked_at').execute()).not.toMatchObject([
      { revoked_at: null },
    ])
  })

  it('is deleted by an administrator, who is asked who they are first', async () => {
    const { browser } = await stage.administrator()
    await createService(stage.people.access, 'scraper')
    stage.people.now += CONFIRMED_MS
    expect((await browser.get('/admin/users/scraper/delete')).location).toMatch(/^\/settings\/confirm/)
    await stage.confirm(browser)
    const reply = await browser.submit('/admin/users/scraper/delete', {})
    expect(reply.location).toBe('/admin/users?done=deleted')
    expect(await findUser(stage.people.access, 'scraper')).toBeUndefined()
  })
})
