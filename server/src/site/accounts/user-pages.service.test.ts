import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../accounts/accounts.test-harness.ts'
import { findUser } from '../../accounts/users.ts'
import { setUpAccountsSite } from './accounts-site.test-harness.ts'

const MADE_PASSWORD = /<code>([\da-z]{4}(?:-[\da-z]{4}){6})<\/code>/

describe('the user pages', () => {
  const stage = setUpAccountsSite()
  const admin = () => stage.administrator()
  const manage = (username: string) => `/admin/users/${username}/manage`

  it('create a user, whose password is shown once and changed at the first sign-in', async () => {
    const { browser } = await admin()
    const reply = await browser.submit('/admin/users/new', { username: ' Hans ', role: 'admin' })
    const password = MADE_PASSWORD.exec(reply.body)?.[1] ?? ''
    expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(await findUser(stage.people.access, 'hans')).toMatchObject({ isAdmin: true })
    expect((await browser.get('/admin/users')).body).not.toContain(password)
    expect((await browser.get(manage('hans'))).body).not.toContain(password)
    expect(await stage.storedText()).not.toContain(password)
    expect(stage.site.logged()).not.toContain(password)
    const theirs = stage.site.browser()
    expect((await stage.signInWith(theirs, 'hans', password)).location).toBe('/login/password')
  })

  it('refuse a taken or invalid name, with the error at the field', async () => {
    const { user, browser } = await admin()
    const taken = await browser.submit('/admin/users/new', { username: user.username.toUpperCase() })
    expect(taken.status).toBe(409)
    expect(taken.body).toContain('This username is already taken.')
    const bad = await browser.submit('/admin/users/new', { username: '<b>' })
    expect(bad.status).toBe(400)
    expect(bad.body).toContain('Use 2 to 64 letters')
    expect(bad.body).not.toContain('<b>')
  })

  it('disable a user, who is signed out immediately, and enable them again', async () => {
    const { browser } = await admin()
    const other = await stage.signedIn()
    const { username } = other.user
    const reply = await browser.submit(`/admin/users/${username}/disable`, {}, manage(username))
    expect(reply.location).toBe(`${manage(username)}?done=disabled`)
    expect((await browser.get(`${manage(username)}?done=disabled`)).text).toContain(`${username} is disabled.`)
    expect((await other.browser.get('/settings/account')).status).toBe(303)
    expect((await stage.signInWith(other.browser, username)).status).toBe(403)
    await browser.submit(`/admin/users/${username}/enable`, {}, manage(username))
    expect((await stage.signInWith(other.browser, username)).status).toBe(303)
  })

  it('reset a password, and the second factor only when asked to', async () => {
    const { browser } = await admin()
    const user = await stage.people.addUser()
    await stage.people.enrol(user)
    const theirs = stage.site.browser()
    const reset = async (fields: Record<string, string>) => {
      const path = `/admin/users/${user.username}/reset`
      const reply = await browser.submit(path, fields, manage(user.username))
      expect(reply.headers['cache-control']).toBe('no-store')
      return MADE_PASSWORD.exec(reply.body)?.[1] ?? ''
    }
    const first = await reset({})
    expect((await stage.signInWith(theirs, user.username)).status).toBe(403)
    expect((await stage.signInWith(theirs, user.username, first)).location).toBe('/login/code')
    const second = await reset({ factor: 'on' })
    expect((await stage.signInWith(theirs, user.username, second)).location).toBe('/login/password')
  })

  it('409: keep the last enabled administrator', async () => {
    const { db } = stage.people.access
    await db.updateTable('users').set({ is_admin: false }).execute()
    const { user, browser } = await admin()
    for (const verb of ['disable', 'remove-admin']) {
      const reply = await browser.submit(`/admin/users/${user.username}/${verb}`, {}, manage(user.username))
      expect(reply.status, verb).toBe(409)
      expect(reply.body).toContain('This is the last enabled administrator.')
    }
    expect(await stage.people.signIn(user.username, PASSWORD)).toMatchObject({ outcome: 'signed-in' })
  })
})
