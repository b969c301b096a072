import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Refusal } from '../../errors.ts'
import { button, postForm, textField } from '../parts/form.ts'
import { openSiteStage, type SiteStage, USER } from '../site.test-harness.ts'
import { PAGES as ALL_PAGES } from '../site-router.ts'
import { html } from './html.ts'
import { definePage, isLocalPath, type PageAccess, redirectTo } from './page.ts'

const EVE = { userId: '2', username: 'eve', isAdmin: true, sessionId: 'e' }

const seen: string[] = []

const openTo = (access: PageAccess, extra: { isData?: true } = {}) =>
  definePage({
    method: 'GET',
    path: `/for-${access}${extra.isData ? '-data' : ''}`,
    access,
    ...extra,
    handle: ({ viewer }) => ({ title: access, body: html`<p>hello ${viewer?.username ?? 'stranger'}</p>` }),
  })

const formPage = definePage({
  method: 'GET',
  path: '/form',
  access: 'anyone',
  handle: (context) => ({
    title: 'Form',
    body: postForm(context, { action: '/form', body: [textField({ name: 'word', label: 'Word' }), button('Send')] }),
  }),
})

const sentPage = definePage({
  method: 'POST',
  path: '/form',
  access: 'anyone',
  form: (words) => z.object({ word: z.string().max(5, words.frame.errors.tooLarge) }),
  handle({ form, submitted }) {
    seen.push(submitted['word'] ?? '')
    if (form.ok) return redirectTo(form.values.word)
    const errors = form.messages['word']
    return {
      title: 'Form',
      status: 400,
      body: textField({ name: 'word', label: 'Word', value: submitted['word'], errors }),
    }
  },
})

const throwing = (path: string, error: () => never) =>
  definePage({ method: 'GET', path, access: 'anyone', handle: error })

const PAGES = [
  ...(['anyone', 'searcher', 'user', 'admin', 'signed-out'] as const).map((access) => openTo(access)),
  openTo('user', { isData: true }),
  formPage,
  sentPage,
  definePage({ method: 'POST', path: '/private', access: 'user', handle: () => redirectTo('/') }),
  definePage({ method: 'POST', path: '/long', access: 'anyone', maxFormBytes: 20_000, handle: () => redirectTo('/') }),
  definePage({
    method: 'GET',
    path: '/items/:name',
    access: 'anyone',
    query: z.object({ page: z.coerce.number('Send a number.').default(1) }),
    handle: ({ params, query }) => ({ title: 'x', body: html`<p>${params['name']} ${query.page}</p>` }),
  }),
  throwing('/busy', () => {
    throw new Refusal('rate_limited', 'Slowly.', { 'Retry-After': '7' })
  }),
  throwing('/bug', () => {
    throw new Error('the secret detail')
  }),
  throwing('/mistake', () => {
    throw new Refusal('parameter_invalid', { name: ['<b>is</b> too long.'] })
  }),
]

let site: SiteStage
let closed: SiteStage

beforeAll(async () => {
  site = await openSiteStage({ isPublic: true }, PAGES)
  closed = await openSiteStage({ isPublic: false }, PAGES)
})

const LOGIN = { status: 303, location: '/login?next=%2Ffor-user%3Fa%3Db%26c' }

describe('who may see a page', () => {
  it('searcher: signed-in users, and everybody on a public instance', async () => {
    expect((await site.browser().get('/for-searcher')).body).toContain('hello stranger')
    expect((await closed.browser().get('/for-searcher')).status).toBe(303)
    expect((await closed.browser(USER).get('/for-searcher')).body).toContain('hello ada')
  })

  it('user: visitors are sent to sign in, and return to the page afterwards', async () => {
    const reply = await site.browser().get('/for-user?a=b&c')
    expect({ status: reply.status, location: reply.location }).toEqual(LOGIN)
    expect((await site.browser(USER).get('/for-user')).body).toContain('hello ada')
  })

  it('admin: 403 for a user who is none, and nothing of the page', async () => {
    const reply = await site.browser(USER).get('/for-admin')
    expect(reply.status).toBe(403)
    expect(reply.body).not.toContain('hello')
    expect((await site.browser(EVE).get('/for-admin')).body).toContain('hello eve')
    expect((await site.browser().get('/for-admin')).status).toBe(303)
  })

  it('a page for programs replies with a bare status', async () => {
    const reply = await site.browser().get('/for-user-data')
    expect(reply).toMatchObject({
      status: 401,
      body: '401\n',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    })
  })

  it('an unknown session is a visitor’s', async () => {
    const browser = site.browser()
    browser.cookies.set('bowerbird_session', 'x'.repeat(43))
    expect((await browser.get('/for-user')).status).toBe(303)
    browser.cookies.set('bowerbird_session', 'x'.repeat(5000))
    expect((await browser.get('/for-anyone')).status).toBe(200)
  })
})

describe('a form', () => {
  it('reaches its page with a token, and its page answers with a redirect', async () => {
    const reply = await site.browser(USER).submit('/form', { word: '/a' })
    expect(reply).toMatchObject({ status: 303, location: '/a' })
  })

  it('never leads to another site', async () => {
    for (const word of ['//x.y', '/\\x', 'http:', '/ a']) {
      expect((await site.browser(USER).submit('/form', { word })).location).toBe('/')
    }
    expect(isLocalPath('/search?q=%20a')).toBe(true)
    for (const path of ['', 'x', '//x', '/\\x', '/\tx', '/a\nb', 'https://x', '/é', `/${'x'.repeat(3000)}`]) {
      expect(isLocalPath(path)).toBe(false)
    }
  })

  it('is returned with its errors in the reader’s language, refilled and escaped', async () => {
    const browser = site.browser(USER)
    browser.cookies.set('bowerbird_preferences', 'interface=de')
    const reply = await browser.submit('/form', { word: '"><script>' })
    expect(reply.status).toBe(400)
    expect(reply.body).toContain('Das ist zu viel auf einmal')
    expect(reply.body).toContain('value="&quot;&gt;&lt;script&gt;"')
    expect(reply.body).toContain('aria-describedby="field-word-error"')
  })

  it('403: without its token, and nothing happens', async () => {
    const before = seen.length
    for (const browser of [site.browser(), site.browser(USER)]) {
      const reply = await browser.post('/form', { word: 'x' })
      expect(reply.status).toBe(403)
      expect(reply.body).toContain('This form has expired')
    }
    expect(seen.length).toBe(before)
  })

  it('413: more than 16 KB, before it is parsed, unless its page expects more', async () => {
    const post = (url: string, payload: string) =>
      site.inject({ method: 'POST', url, headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload })
    const [most, tooMuch] = [`word=${'x'.repeat(16_379)}`, `word=${'x'.repeat(16_380)}`]
    // 403: it was read, and had no token.
    expect((await post('/form', most)).status).toBe(403)
    const refused = await post('/form', tooMuch)
    expect(refused).toMatchObject({ status: 413, headers: { 'error-code': 'body_too_large' } })
    expect(refused.body).toContain('The request is too large')
    expect((await post('/long', tooMuch)).status).toBe(403)
    expect(ALL_PAGES.filter(({ maxFormBytes }) => maxFormBytes).map(({ path }) => path)).toEqual([
      '/translate',
      '/settings/sites/import',
      '/admin/sites/import',
      '/settings/keys/:keyId/sites/import',
      '/admin/appearance',
    ])
  })

  it('a user whose session has ended is asked to sign in, whatever the token', async () => {
    const reply = await site.browser().post('/private', {})
    expect(reply).toMatchObject({ status: 303, location: '/login' })
  })
})

describe('what goes wrong', () => {
  it.each([
    ['/nothing', 404, 'Page not found'],
    ['/busy', 429, 'Try again in 7 seconds'],
    ['/bug', 500, 'Something went wrong'],
    ['/mistake', 400, '&lt;b&gt;is&lt;/b&gt; too long.'],
    ['/items/a?page=x', 400, 'Send a number.'],
  ])('%s → %i as a page', async (path, status, text) => {
    const reply = await site.browser().get(path)
    expect(reply.status).toBe(status)
    expect(reply.body).toContain(text)
    expect(reply.body).toMatch(/^<!doctype html>/)
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
  })

  it('an error page shows the reader’s session, and is sent even if sessions cannot be looked up', async () => {
    expect((await site.browser(USER).get('/nothing')).body).toContain('>ada<')
    const find = () => Promise.reject(new Error('the database is away'))
    const broken = await openSiteStage({ sessions: { find } }, PAGES)
    const browser = broken.browser()
    browser.cookies.set('bowerbird_session', 'x'.repeat(43))
    expect((await browser.get('/nothing')).status).toBe(404)
    expect((await browser.get('/for-anyone')).status).toBe(500)
  })

  it('500: the detail is in the log and not on the page', async () => {
    const reply = await site.browser().get('/bug')
    expect(reply.body).not.toContain('secret detail')
    expect(site.logged()).toContain('secret detail')
  })

  it('405: a method that the page does not have', async () => {
    const reply = await site.browser().post('/for-anyone', {})
    expect(reply).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
    const put = await site.inject({ method: 'PUT', url: '/form', headers: {}, payload: 'x' })
    expect(put).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, POST' } })
  })

  it('parts of the path are decoded and escaped', async () => {
    expect((await site.browser().get('/items/%3Cb%3E?page=2')).body).toContain('<p>&lt;b&gt; 2</p>')
  })

  it('HEAD gets the same reply as GET, without a body', async () => {
    const reply = await site.inject({ method: 'HEAD', url: '/for-anyone', headers: {} })
    expect(reply).toMatchObject({ status: 200, body: '' })
  })
})
