import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { button, postForm } from '../parts/form.ts'
import { DEFAULT_PREFERENCES } from '../preferences.ts'
import { openSiteStage, type SiteStage, USER } from '../site.test-harness.ts'
import { html } from './html.ts'
import { definePage, redirectTo } from './page.ts'

const PAGES = [
  definePage({
    method: 'GET',
    path: '/plain',
    access: 'anyone',
    handle: () => ({ title: 'Plain', body: html`<p>${'straw '.repeat(500)}</p>` }),
  }),
  definePage({
    method: 'GET',
    path: '/form',
    access: 'anyone',
    handle: (context) => ({ title: 'Form', body: postForm(context, { action: '/in', body: button('Go') }) }),
  }),
  definePage({
    method: 'POST',
    path: '/in',
    access: 'anyone',
    async handle(context) {
      context.startSession('the-token', { maxAgeSeconds: 60 })
      await context.setPreferences({ ...DEFAULT_PREFERENCES, theme: 'dark' })
      return redirectTo('/plain')
    },
  }),
  definePage({
    method: 'GET',
    path: '/out',
    access: 'anyone',
    handle(context) {
      context.endSession()
      return redirectTo('/')
    },
  }),
  definePage({
    method: 'GET',
    path: '/map',
    access: 'anyone',
    framesMap: true,
    handle: () => ({ title: 'Map', body: html`<p>map</p>` }),
  }),
  definePage({
    method: 'GET',
    path: '/bytes',
    access: 'anyone',
    handle: () => ({ contentType: 'image/png', content: Buffer.alloc(5_000) }),
  }),
  definePage({
    method: 'GET',
    path: '/secret',
    access: 'anyone',
    handle: () => ({ title: 'Secret', body: html`<p>once</p>`, headers: { 'Cache-Control': 'no-store' } }),
  }),
]

let plain: SiteStage
let secure: SiteStage

beforeAll(async () => {
  plain = await openSiteStage({ publicUrl: 'http://site.test' }, PAGES)
  secure = await openSiteStage({ publicUrl: 'https://site.test' }, PAGES)
})

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

describe('the headers of a page', () => {
  it('let nothing run or load but our own, and tell nobody where the reader was', async () => {
    const { headers } = await plain.browser().get('/plain')
    expect(headers).toMatchObject({
      'content-security-policy': POLICY,
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'private, no-cache',
      vary: 'Accept-Encoding, Accept-Language, Cookie',
    })
    expect(headers['strict-transport-security']).toBeUndefined()
  })

  it('a page with a map may frame only OpenStreetMap, and sends it a referrer', async () => {
    const { headers } = await plain.browser().get('/map')
    expect(headers['content-security-policy']).toBe(`${POLICY}; frame-src https://www.openstreetmap.org`)
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
  })

  it('a page that shows a secret is kept nowhere', async () => {
    expect((await plain.browser().get('/secret')).headers['cache-control']).toBe('no-store')
  })

  it('on https, browsers are told to keep using it', async () => {
    expect((await secure.browser().get('/plain')).headers['strict-transport-security']).toBe(
      'max-age=31536000; includeSubDomains',
    )
  })
})

describe('cookies', () => {
  it('a page without a form sets none', async () => {
    expect((await plain.browser().get('/plain')).headers['set-cookie']).toBeUndefined()
    expect((await plain.browser(USER).get('/form')).headers['set-cookie']).toBeUndefined()
  })

  it('are HttpOnly, Lax and for the whole site; on http without Secure and prefix', async () => {
    const browser = plain.browser()
    const first = await browser.get('/form')
    expect(first.headers['set-cookie']).toMatch(/^bowerbird_visitor=[\w-]{24}; Path=\/; HttpOnly; SameSite=Lax$/)
    const reply = await browser.submit('/in', {}, '/form')
    expect(reply.headers['set-cookie']).toEqual([
      'bowerbird_session=the-token; Max-Age=60; Path=/; HttpOnly; SameSite=Lax',
      'bowerbird_preferences=engines=all&safe=on&lang=auto&suggestions=on&cards=on&answers_first=off&theme=dark&density=comfortable&new_tab=off&keys=on&interface=auto; Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax',
    ])
  })

  it('on https those that decide who somebody is are Secure and bound to the host', async () => {
    const browser = secure.browser()
    const reply = await browser.submit('/in', {}, '/form')
    expect(browser.cookies.has('__Host-bowerbird_visitor')).toBe(true)
    expect(reply.headers['set-cookie']).toContain(
      '__Host-bowerbird_session=the-token; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
    )
  })

  it('on https a session cookie without the prefix is not believed', async () => {
    const browser = secure.browser(USER)
    const token = browser.cookies.get('__Host-bowerbird_session') ?? ''
    expect((await browser.get('/plain')).body).toContain('>ada<')
    browser.cookies.clear()
    browser.cookies.set('bowerbird_session', token)
    expect((await browser.get('/plain')).body).not.toContain('>ada<')
  })
})

describe('the preferences of the reader', () => {
  it('set theme and language; otherwise the browser does', async () => {
    const browser = plain.browser()
    expect((await browser.get('/plain', { 'accept-language': 'fr' })).body).toContain(
      '<html lang="fr" dir="ltr" data-theme="auto">',
    )
    browser.cookies.set('bowerbird_preferences', 'theme=dark&interface=es')
    expect((await browser.get('/plain', { 'accept-language': 'fr' })).body).toContain(
      '<html lang="es" dir="ltr" data-theme="dark">',
    )
  })
})

describe('compression', () => {
  it('uses an encoding the browser accepts, and decodes to the page', async () => {
    const browser = plain.browser()
    const page = (await browser.get('/plain')).body
    const br = await browser.get('/plain', { 'accept-encoding': 'gzip, deflate, br' })
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(page)
    const zstd = await browser.get('/plain', { 'accept-encoding': 'gzip, deflate, br, zstd' })
    expect(zstd.headers['content-encoding']).toBe('zstd')
    expect(zstdDecompressSync(zstd.rawPayload).toString()).toBe(page)
    const gzip = await browser.get('/plain', { 'accept-encoding': 'gzip' })
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(page)
    expect(gzip.rawPayload.length).toBeLessThan(page.length / 2)
  })

  it('bytes, such as pictures, are sent uncompressed', async () => {
    const reply = await plain.browser().get('/bytes', { 'accept-encoding': 'gzip' })
    expect(reply.headers['content-encoding']).toBeUndefined()
    expect(reply.rawPayload).toEqual(Buffer.alloc(5_000))
  })
})
