import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../accounts/accounts.test-harness.ts'
import { setUpAccountsSite } from './accounts-site.test-harness.ts'

const ACCOUNT = '/settings/account'
const FACTOR = '/settings/account/second-factor'

describe('the account page', () => {
  const stage = setUpAccountsSite()
  const isSignedIn = async (browser: Awaited<ReturnType<typeof stage.signedIn>>['browser']) =>
    (await browser.get(ACCOUNT)).status === 200

  it('changes the password, signs out all other browsers and continues with a new session', async () => {
    const { user, browser } = await stage.signedIn()
    const elsewhere = stage.site.browser()
    await stage.signInWith(elsewhere, user.username)
    const before = browser.cookies.get('bowerbird_session')
    const fields = { present: PASSWORD, password: 'battery staple', repeat: 'battery staple' }
    const reply = await browser.submit(`${ACCOUNT}/password`, fields, ACCOUNT)
    expect(reply.location).toBe(`${ACCOUNT}?done=password`)
    expect((await browser.get(`${ACCOUNT}?done=password`)).body).toContain('Password changed.')
    expect(browser.cookies.get('bowerbird_session')).not.toBe(before)
    expect(await isSignedIn(elsewhere)).toBe(false)
    expect((await stage.signInWith(elsewhere, user.username)).status).toBe(403)
  })

  it('shows errors at their fields, and never writes a password back', async () => {
    const { browser } = await stage.signedIn()
    const change = (present: string, password: string, repeat = password) =>
      browser.submit(`${ACCOUNT}/password`, { present, password, repeat }, ACCOUNT)
    for (const [reply, status, message] of [
      [await change('a wrong password', 'battery staple'), 403, 'Wrong password.'],
      [await change(PASSWORD, 'short'), 400, 'Use at least 10 characters.'],
      [await change(PASSWORD, 'x'.repeat(1_001)), 400, 'Use at most 1,000 characters.'],
      [await change(PASSWORD, 'battery staple', 'other'), 400, 'The passwords do not match.'],
      [await change(PASSWORD, PASSWORD), 400, 'The new password must be different from the current one.'],
    ] as const) {
      expect(reply.status, message).toBe(status)
      expect(reply.body, message).toContain(message)
      expect(reply.body).not.toMatch(/value="(?:a wrong|battery|short|xxx|other)/)
    }
    for (let n = 0; n < 6; n++) await change('a wrong password', 'battery staple')
    const waiting = await change(PASSWORD, 'battery staple')
    expect(waiting).toMatchObject({ status: 429, headers: { 'retry-after': '2' } })
  })

  it('lists the sessions, and signs out one browser', async () => {
    const { user, browser } = await stage.signedInEarlier()
    const elsewhere = stage.site.browser()
    await stage.signInWith(elsewhere, user.username)
    const { body, text } = await browser.get(ACCOUNT)
    const ends = [...body.matchAll(/action="(\/settings\/account\/sessions\/\d+\/end)"/g)]
    expect(ends).toHaveLength(1)
    expect(text).toContain('this browser')
    const path = ends[0]?.[1] ?? ''
    const unconfirmed = await browser.submit(path, {}, ACCOUNT)
    expect(unconfirmed.location).toBe(`/settings/confirm?next=${encodeURIComponent(ACCOUNT)}`)
    expect(await isSignedIn(elsewhere)).toBe(true)
    await stage.confirm(browser)
    const reply = await browser.submit(path, {}, ACCOUNT)
    expect(reply.location).toBe(`${ACCOUNT}?done=session`)
    expect(await isSignedIn(browser)).toBe(true)
    expect(await isSignedIn(elsewhere)).toBe(false)
  })

  it('does not end another user’s session', async () => {
    const [lena, otto] = [await stage.signedIn(), await stage.signedIn()]
    const [session] = await stage.people.accounts.sessions.list(otto.user.id)
    await lena.browser.submit(`${ACCOUNT}/sessions/${session?.id}/end`, {}, ACCOUNT)
    expect(await isSignedIn(otto.browser)).toBe(true)
  })

  it('signs out everywhere, including here', async () => {
    const { user, browser } = await stage.signedIn()
    const elsewhere = stage.site.browser()
    await stage.signInWith(elsewhere, user.username)
    const reply = await browser.submit(`${ACCOUNT}/sign-out-everywhere`, {}, ACCOUNT)
    expect(reply.location).toBe('/login?done=signed-out')
    expect(await isSignedIn(browser)).toBe(false)
    expect(await isSignedIn(elsewhere)).toBe(false)
  })
})

describe('the second-factor pages', () => {
  const stage = setUpAccountsSite()
  const secretIn = (body: string): string => /data-copy="((?:[A-Z2-7]{4} ?){8})"/.exec(body)?.[1] ?? ''

  it('turn it on: the secret is shown after the password, the recovery codes after a valid code', async () => {
    const { user, browser } = await stage.signedIn()
    expect((await browser.get(ACCOUNT)).body).toContain('Set up two-factor authentication')
    const refused = await browser.submit(FACTOR, { present: 'a wrong password' })
    expect(refused.status).toBe(403)
    expect(secretIn(refused.body)).toBe('')

    const begun = await browser.submit(FACTOR, { present: PASSWORD })
    const secret = secretIn(begun.body)
    expect(begun).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(begun.body).toMatch(/<div class="qr" role="img" aria-label="[^"]+"><svg viewBox/)
    expect(begun.body).not.toContain('style=')

    const wrong = await browser.submit(`${FACTOR}/confirm`, { code: '12345' }, FACTOR)
    expect(wrong.status).toBe(403)
    expect(wrong.body).not.toContain(secret)
    expect(secretIn(wrong.body)).toBe('')
    const confirmed = await browser.submit(`${FACTOR}/confirm`, { code: stage.people.codeFor(secret) }, FACTOR)
    const codes = [...confirmed.body.matchAll(/[\da-z]{4}(?:-[\da-z]{4}){6}/g)].map(([code]) => code)
    expect(confirmed).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(new Set(codes).size).toBe(10)
    expect((await browser.get(ACCOUNT)).body).toContain('10 recovery codes left.')
    expect(await stage.people.signIn(user.username)).toMatchObject({ outcome: 'next', step: 'code' })
    const stored = await stage.storedText()
    for (const text of [secret, secret.replaceAll(' ', ''), ...codes]) {
      expect(stored).not.toContain(text)
      expect(stage.site.logged()).not.toContain(text)
    }
  })

  it('turn it off only with both password and code', async () => {
    const user = await stage.people.addUser()
    const browser = stage.site.browser()
    await stage.signInWith(browser, user.username)
    const { secret } = await stage.people.enrol(user)
    const off = (present: string, code: string) => browser.submit(`${FACTOR}/off`, { present, code }, FACTOR)
    expect((await off('a wrong password', stage.people.codeFor(secret))).body).toContain('Wrong password.')
    expect((await off(PASSWORD, '12345')).body).toContain('Wrong code.')
    expect((await browser.submit(FACTOR, { present: PASSWORD })).location).toBe(FACTOR)
    expect((await off(PASSWORD, stage.people.codeFor(secret))).location).toBe(`${ACCOUNT}?done=factor`)
    expect(await stage.people.signIn(user.username)).toMatchObject({ outcome: 'signed-in' })
  })
})
