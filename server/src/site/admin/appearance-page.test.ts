import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Appearance, parseLinks, parseText } from '../../settings/appearance.ts'
import { readLogo } from '../../settings/logo-file.ts'
import type { SettingsDesk } from '../../settings/settings-desk.ts'
import { ADMIN, deskWith, openSiteStage, type SiteStage } from '../site.test-harness.ts'
import type { SiteServices } from '../site-services.ts'

const PATH = '/admin/appearance'
const MARK = readFileSync(new URL('../assets/mark.png', import.meta.url))
const IN_BASE64 = `data:;base64,${MARK.toString('base64')}`

const logoOf = (text: string) => {
  const verdict = readLogo(text)
  return verdict.ok ? verdict.logo : undefined
}

const OWN: Appearance = {
  logo: logoOf(IN_BASE64),
  accent: 'f5b800',
  welcome: 'Search with <b>us</b>',
  links: parseLinks('Our <i>club</i> https://club.example.org/?a="b" | Donate https://example.org/give') ?? [],
  imprint: parseText('[en]\n# Us\n[de]\n# Wir') ?? [],
  privacy: [],
}

let stage: SiteStage | undefined

async function open(given: Partial<SettingsDesk> = {}, services: Partial<SiteServices> = {}) {
  const saved: Record<string, string | undefined>[] = []
  stage = await openSiteStage({
    settings: deskWith({
      version: 3,
      async change(_by, edits) {
        saved.push(edits)
        return Object.keys(edits)
      },
      ...given,
    }),
    // The page only passes on who it was.
    accounts: { accessBy: () => ({}) } as unknown as SiteServices['accounts'],
    ...services,
  })
  return { browser: stage.browser(ADMIN), saved, site: stage }
}

/** The form as a browser sends it with a file. */
async function submitFile(file: Buffer, { browser, site }: Awaited<ReturnType<typeof open>>, fields = '') {
  const token = await browser.token(PATH)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const part = (head: string) => `------FormBoundary7MA4\r\nContent-Disposition: form-data; ${head}\r\n\r\n`
  const payload = Buffer.concat([
    Buffer.from(`${part('name="_csrf"')}${token}\r\n${fields}`),
    Buffer.from(
      '------FormBoundary7MA4\r\nContent-Disposition: form-data; name="logo"; filename="a.html"\r\nContent-Type: text/html\r\n\r\n',
    ),
    file,
    Buffer.from('\r\n------FormBoundary7MA4--\r\n'),
  ])
  const headers = { cookie, 'content-type': 'multipart/form-data; boundary=----FormBoundary7MA4' }
  return await site.inject({ method: 'POST', url: PATH, headers, payload })
}

describe('Administration → Appearance', () => {
  it('saves what was changed in one change, lines as a bar, and nothing else', async () => {
    const { browser, saved } = await open({
      writtenValue: (name) => (name === 'INSTANCE_WELCOME' ? 'As it was' : undefined),
    })
    const fields = {
      logo: '',
      accent: '#f5b800',
      welcome: 'As it was',
      links: 'Our club https://club.example.org/\r\n\r\nDonate https://example.org/give\r\n',
      imprint: '# Us\r\n\r\nStreet 1\r\n',
      privacy: '',
    }
    const reply = await browser.submit(PATH, fields)
    expect(reply.location).toBe(`${PATH}?done=saved`)
    expect(saved).toEqual([
      {
        INSTANCE_ACCENT: '#f5b800',
        INSTANCE_LINKS: 'Our club https://club.example.org/ | Donate https://example.org/give',
        INSTANCE_IMPRINT: '# Us\n\nStreet 1',
      },
    ])
  })

  it('takes a picture for what its bytes are, whatever it is called', async () => {
    const opened = await open()
    expect((await submitFile(MARK, opened)).status).toBe(303)
    expect(opened.saved).toEqual([{ INSTANCE_LOGO: IN_BASE64 }])
  })

  it('400: a web page as a logo, in words beside the field', async () => {
    const opened = await open()
    const { status, body } = await submitFile(Buffer.from('<html><script>alert(1)</script>'), opened)
    expect(status).toBe(400)
    expect(opened.saved).toEqual([])
    expect(body).toContain('id="field-logo-error">This is not a PNG, WebP or SVG')
  })

  it.each([
    [{ accent: 'red;}*{' }, 'accent', 'Enter a colour such as'],
    [{ welcome: 'a\nb' }, 'welcome', 'one line of at most 200 characters'],
    [{ links: 'Evil javascript:alert(1)' }, 'links', 'starts with https://'],
    [{ links: 'Plain http://example.org' }, 'links', 'starts with https://'],
    [{ imprint: 'a\u0000b' }, 'imprint', 'at most 20,000 characters'],
    [{ privacy: '`code`' }, 'privacy', 'without backticks'],
    [{ privacy: 'x'.repeat(20_001) }, 'privacy', 'at most 20,000 characters'],
  ])('400: %j, with the words beside the field', async (fields, name, words) => {
    const { browser, saved } = await open()
    const { status, body } = await browser.submit(PATH, fields)
    expect(status).toBe(400)
    expect(saved).toEqual([])
    expect(new RegExp(`id="field-${name}-error">([^<]*)`).exec(body)?.[1]).toContain(words)
  })

  it('what the environment sets is text with the reason, and is not changed', async () => {
    const { browser, saved } = await open(
      { originOf: () => 'environment', writtenValue: () => 'From a file' },
      { appearance: OWN },
    )
    const { body } = await browser.get(PATH)
    expect(body).not.toMatch(/<main[\s\S]*name="(?:logo|no_logo|accent|welcome|links|imprint|privacy)"/)
    expect(body).toContain('From the environment: INSTANCE_IMPRINT.')
    await browser.submit(PATH, { welcome: 'Other', accent: '#000000' })
    expect(saved).toEqual([{}])
  })

  it('removes the logo when asked to', async () => {
    const { browser, saved } = await open(
      { writtenValue: (name) => (name === 'INSTANCE_LOGO' ? IN_BASE64 : undefined) },
      { appearance: OWN },
    )
    await browser.submit(PATH, { no_logo: 'on' })
    expect(saved).toEqual([{ INSTANCE_LOGO: undefined }])
  })
})

describe('an instance of one’s own', () => {
  it('has its logo, colour, welcome and links on the page, escaped', async () => {
    const { site } = await open({}, { appearance: OWN })
    const { body, text } = await site.browser().get('/')
    const version = OWN.logo?.version
    expect(body).toContain(`<img class="mark" src="/assets/logo/${version}" alt="">`)
    expect(body).toContain(`<link rel="icon" type="image/png" href="/assets/logo/${version}">`)
    expect(body).toContain('<link rel="stylesheet" href="/assets/accent/f5b800.css">')
    expect(body).toContain('Search with &lt;b&gt;us&lt;/b&gt;')
    expect(body).toContain(
      '<a href="https://club.example.org/?a=&quot;b&quot;" rel="noopener">Our &lt;i&gt;club&lt;/i&gt;</a>',
    )
    expect(text).toContain('Imprint')
    expect(body).not.toContain('href="/privacy"')
  })

  it('sends the logo for ever under its version, sandboxed; another version gets the one in force', async () => {
    const { site } = await open({}, { appearance: OWN })
    const get = (url: string) => site.inject({ method: 'GET', url, headers: {} })
    const current = await get(`/assets/logo/${OWN.logo?.version}`)
    expect(current.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': expect.stringContaining("sandbox; default-src 'none'; style-src 'unsafe-inline'"),
      'x-content-type-options': 'nosniff',
    })
    expect(current.rawPayload.equals(MARK)).toBe(true)
    const other = await get('/assets/logo/000000000000')
    expect(other).toMatchObject({ status: 200, headers: { 'cache-control': 'no-cache' } })
    const plain = await open()
    expect((await plain.site.inject({ method: 'GET', url: '/assets/logo/x', headers: {} })).status).toBe(404)
  })

  it('sends a stylesheet for any colour, and for nothing else', async () => {
    const { site } = await open()
    const get = (url: string) => site.inject({ method: 'GET', url, headers: {} })
    const { headers, body } = await get('/assets/accent/f5b800.css')
    expect(headers).toMatchObject({ 'content-type': 'text/css; charset=utf-8', 'x-content-type-options': 'nosniff' })
    expect(body).toContain('--blue:light-dark(#916d00, #f5b800)')
    for (const file of ['F5B800.css', 'red.css', 'f5b800', 'f5b800.css%0a', '%2e%2e', 'f5b80g.css'])
      expect((await get(`/assets/accent/${file}`)).status).toBe(404)
  })

  it.each([
    ['none', '', ['192x192', '512x512', '512x512']],
    ['one of 64 pixels', IN_BASE64, ['192x192', '512x512', '512x512']],
    ['an SVG', readFileSync(new URL('../assets/mark.svg', import.meta.url), 'utf8'), ['any']],
    [
      'one of 512 pixels',
      `data:;base64,${readFileSync(new URL('../assets/app-512.png', import.meta.url)).toString('base64')}`,
      ['512x512'],
    ],
  ])('can be installed with a logo that is %s', async (_name, logo, sizes) => {
    const { site } = await open(
      {},
      { instanceName: 'The library of our town', appearance: { ...OWN, logo: logoOf(logo) } },
    )
    const reply = await site.inject({ method: 'GET', url: '/manifest.webmanifest', headers: {} })
    expect(reply.headers['content-type']).toBe('application/manifest+json; charset=utf-8')
    const { icons, ...rest } = JSON.parse(reply.body)
    expect(rest).toMatchObject({ name: 'The library of our town', short_name: 'The library', start_url: '/' })
    expect(icons.map((icon: { sizes: string }) => icon.sizes)).toEqual(sizes)
  })

  it('404: an imprint that nobody has written; in the reader’s language otherwise', async () => {
    const { site } = await open({}, { appearance: OWN, isPublic: false })
    const visitor = site.browser()
    expect((await visitor.get('/privacy')).status).toBe(404)
    const read = async (path: string, language: string) =>
      (await visitor.get(path, { 'accept-language': language })).body
    expect(await read('/imprint', 'en')).toContain('<div class="read-text" lang="en" dir="auto"><h2>Us</h2></div>')
    expect(await read('/imprint', 'de')).toContain('<h2>Wir</h2>')
    expect(await read('/imprint?lang=de', 'en')).toContain('<h2>Wir</h2>')
    expect(await read('/imprint?lang="><script>', 'en')).toContain('<h2>Us</h2>')
  })
})

describe('themes and density', () => {
  it.each([
    ['', 'light dark', []],
    ['theme=dark', 'dark', []],
    ['theme=contrast', 'light dark', ['contrast']],
    ['theme=contrast&density=compact', 'light dark', ['contrast', 'compact']],
    ['theme=light&density=compact', 'light', ['compact']],
    ['theme=<script>&density=tiny', 'light dark', []],
  ])('with %j the scheme is %s, and only what was chosen is loaded', async (preferences, scheme, extra) => {
    const { site } = await open()
    const visitor = site.browser()
    visitor.cookies.set('bowerbird_preferences', preferences)
    const { body } = await visitor.get('/')
    expect(body).toContain(`<meta name="color-scheme" content="${scheme}">`)
    const loaded = [...body.matchAll(/href="\/assets\/(contrast|compact)\.[\da-f]{12}\.css"/g)].map(([, name]) => name)
    expect(loaded).toEqual(extra)
  })
})
