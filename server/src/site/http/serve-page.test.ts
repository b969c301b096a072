// How any page is served. That each page of the site keeps to it is in `spec/every-page.test.ts`.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Refusal } from '../../errors.ts'
import { button, postForm, textField } from '../parts/form.ts'
import { ADMIN, PAGES as ALL_PAGES, expectPage, openSiteStage, USER } from '../site.test-harness.ts'
import { html } from './html.ts'
import { definePage, isLocalPath, type PageAccess, redirectTo } from './page.ts'

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
    const value = submitted['word'] ?? ''
    seen.push(value)
    if (form.ok) return redirectTo(form.values.word)
    const body = textField({ name: 'word', label: 'Word', value, errors: form.messages['word'] })
    return { title: 'Form', status: 400, body }
  },
})

const throwing = (path: string, error: Error) =>
  definePage({
    method: 'GET',
    path,
    access: 'anyone',
    handle: () => {
      throw error
    },
  })

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
  throwing('/busy', new Refusal('rate_limited', 'Slowly.', { 'Retry-After': '7' })),
  throwing('/bug', new Error('the secret detail')),
  throwing('/mistake', new Refusal('parameter_invalid', { name: ['<b>is</b> too long.'] })),
]

const site = await openSiteStage({ isPublic: true }, PAGES)
const closed = await openSiteStage({ isPublic: false }, PAGES)

describe('who may see a page', () => {
  it.each([
    ['anyone: strangers', closed.browser(), '/for-anyone', 'hello stranger'],
    ['searcher: strangers on a public instance', site.browser(), '/for-searcher', 'hello stranger'],
    ['searcher: users on a private one', closed.browser(USER), '/for-searcher', 'hello ada'],
    ['user: users', site.browser(USER), '/for-user', 'hello ada'],
    ['admin: administrators', site.browser(ADMIN), '/for-admin', 'hello grace'],
    ['signed-out: strangers', site.browser(), '/for-signed-out', 'hello stranger'],
  ])('%s', async (_, { get }, path, shown) => {
    expectPage(await get(path), { shows: [shown] })
  })

  it.each([
    ['searcher: not strangers on a private instance', closed.browser(), '/for-searcher', '/login?next=%2Ffor-searcher'],
    [
      'user: strangers come back after signing in',
      site.browser(),
      '/for-user?a=b&c',
      '/login?next=%2Ffor-user%3Fa%3Db%26c',
    ],
    ['admin: strangers are asked to sign in', site.browser(), '/for-admin', '/login?next=%2Ffor-admin'],
    ['signed-out: users are at home', site.browser(USER), '/for-signed-out', '/'],
  ])('%s', async (_, { get }, path, location) => {
    expect(await get(path)).toMatchObject({ status: 303, location })
  })

  it('admin: 403 for a user who is none, and nothing of the page', async () => {
    expectPage(await site.browser(USER).get('/for-admin'), { status: 403, hides: ['hello'] })
  })

  it('a page for programs replies with a bare status', async () => {
    const { status, body, headers } = await site.browser().get('/for-user-data')
    expect(status).toBe(401)
    expect(body).toBe('401\n')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  it.each([43, 5_000])('an unknown session of %i characters is a visitor’s', async (length) => {
    const browser = site.browser()
    browser.cookies.set('bowerbird_session', 'x'.repeat(length))
    expect((await browser.get('/for-user')).status).toBe(303)
    expect((await browser.get('/for-anyone')).status).toBe(200)
  })
})

describe('a form', () => {
  it('reaches its page with a token, and its page answers with a redirect', async () => {
    expect(await site.browser(USER).submit('/form', { word: '/a' })).toMatchObject({ status: 303, location: '/a' })
  })

  it('never leads to another site', async () => {
    for (const word of ['//x.y', '/\\x', 'http:', '/ a'])
      expect((await site.browser(USER).submit('/form', { word })).location, word).toBe('/')
    expect(isLocalPath('/search?q=%20a')).toBe(true)
    for (const path of ['', 'x', '//x', '/\\x', '/\tx', '/a\nb', 'https://x', '/é', `/${'x'.repeat(3000)}`])
      expect(isLocalPath(path), path).toBe(false)
  })

  it('is returned with its errors in the reader’s language, refilled and escaped', async () => {
    const browser = site.browser(USER)
    browser.cookies.set('bowerbird_preferences', 'interface=de')
    expectPage(await browser.submit('/form', { word: '"><script>' }), {
      status: 400,
      shows: ['Das ist zu viel auf einmal', 'value="&quot;&gt;&lt;script&gt;"', 'aria-describedby="field-word-error"'],
    })
  })

  it('403: without its token, and nothing happens', async () => {
    const before = seen.length
    for (const browser of [site.browser(), site.browser(USER)])
      expectPage(await browser.post('/form', { word: 'x' }), { status: 403, shows: ['This form has expired'] })
    expect(seen.length).toBe(before)
  })

  it('413: more than 16 KB, before it is parsed, unless its page expects more', async () => {
    const post = (path: string, length: number) => site.browser().post(path, { word: 'x'.repeat(length) })
    // 403: it was read, and had no token.
    expect((await post('/form', 16_379)).status).toBe(403)
    const refused = await post('/form', 16_380)
    expectPage(refused, { status: 413, shows: ['The request is too large'] })
    expect(refused.headers['error-code']).toBe('body_too_large')
    expect((await post('/long', 16_380)).status).toBe(403)
    expect(ALL_PAGES.filter(({ maxFormBytes }) => maxFormBytes).map(({ path }) => path)).toEqual([
      '/translate',
      '/settings/sites/import',
      '/admin/sites/import',
      '/settings/keys/:keyId/sites/import',
      '/admin/appearance',
    ])
  })

  it('of a user whose session has ended leads to the sign-in, whatever the token', async () => {
    expect(await site.browser().post('/private', {})).toMatchObject({ status: 303, location: '/login' })
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
    expectPage(reply, { status, shows: [text, /^<!doctype html>/], hides: ['secret detail'] })
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
    expect(reply.headers['retry-after']).toBe(status === 429 ? '7' : undefined)
  })

  it('500: the detail is in the log and not on the page', async () => {
    await site.browser().get('/bug')
    expect(site.logged()).toContain('secret detail')
  })

  it('an error page shows the reader’s session, and is sent even if sessions cannot be looked up', async () => {
    expectPage(await site.browser(USER).get('/nothing'), { status: 404, shows: ['>ada<'] })
    const find = () => Promise.reject(new Error('the database is away'))
    const browser = (await openSiteStage({ sessions: { find } }, PAGES)).browser()
    browser.cookies.set('bowerbird_session', 'x'.repeat(43))
    expect((await browser.get('/nothing')).status).toBe(404)
    expect((await browser.get('/for-anyone')).status).toBe(500)
  })

  it('405: a method that the page does not have', async () => {
    expect(await site.browser().post('/for-anyone', {})).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
    const put = await site.inject({ method: 'PUT', url: '/form', payload: 'x' })
    expect(put).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, POST' } })
  })

  it('parts of the path are decoded and escaped', async () => {
    expectPage(await site.browser().get('/items/%3Cb%3E?page=2'), { shows: ['<p>&lt;b&gt; 2</p>'] })
  })

  it('HEAD gets the same reply as GET, without a body', async () => {
    expect(await site.inject({ method: 'HEAD', url: '/for-anyone' })).toMatchObject({ status: 200, body: '' })
  })
})
