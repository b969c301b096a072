import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Appearance, parseLinks, parseText } from '../../settings/appearance.ts'
import { readLogo } from '../../settings/logo-file.ts'
import type { SettingsDesk } from '../../settings/settings-desk.ts'
import { expectPage, openAdminStage, type SiteStubs } from '../site.test-harness.ts'

const PATH = '/admin/appearance'
const asset = (name: string) => readFileSync(new URL(`../assets/${name}`, import.meta.url))
const inBase64 = (name: string) => `data:;base64,${asset(name).toString('base64')}`
const MARK = inBase64('mark.png')

const logoOf = (text: string) => {
  const verdict = readLogo(text)
  return verdict.ok ? verdict.logo : undefined
}

const OWN: Appearance = {
  logo: logoOf(MARK),
  accent: 'f5b800',
  welcome: 'Search with <b>us</b>',
  links: parseLinks('Our <i>club</i> https://club.example.org/?a="b" | Donate https://example.org/give') ?? [],
  imprint: parseText('[en]\n# Us\n[de]\n# Wir') ?? [],
  privacy: [],
}

const open = (desk: Partial<SettingsDesk> = {}, services: Partial<SiteStubs> = {}) =>
  openAdminStage({ desk, services, under: ['/', PATH, '/imprint', '/privacy'] })

/** Sends the form as a browser does with a file. */
async function submitFile(file: Buffer, { admin, inject }: Awaited<ReturnType<typeof open>>) {
  const part = (head: string) => `------Boundary7MA4\r\nContent-Disposition: form-data; ${head}\r\n\r\n`
  const payload = Buffer.concat([
    Buffer.from(`${part('name="_csrf"')}${await admin.token(PATH)}\r\n`),
    Buffer.from(part('name="logo"; filename="a.html"\r\nContent-Type: text/html')),
    file,
    Buffer.from('\r\n------Boundary7MA4--\r\n'),
  ])
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'content-type': 'multipart/form-data; boundary=----Boundary7MA4' }
  return await inject({ method: 'POST', url: PATH, headers, payload })
}

describe('Administration → Appearance', () => {
  it('saves what was changed in one change, lines as a bar, and nothing else', async () => {
    const writtenValue = (name: string) => (name === 'INSTANCE_WELCOME' ? 'As it was' : undefined)
    const { admin, saved } = await open({ writtenValue })
    const { location } = await admin.submit(PATH, {
      logo: '',
      accent: '#f5b800',
      welcome: 'As it was',
      links: 'Our club https://club.example.org/\r\n\r\nDonate https://example.org/give\r\n',
      imprint: '# Us\r\n\r\nStreet 1\r\n',
      privacy: '',
    })
    expect(location).toBe(`${PATH}?done=saved`)
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
    expect((await submitFile(asset('mark.png'), opened)).status).toBe(303)
    expect(opened.saved).toEqual([{ INSTANCE_LOGO: MARK }])
  })

  it('400: a web page as a logo, in words beside the field', async () => {
    const opened = await open()
    const reply = await submitFile(Buffer.from('<html><script>alert(1)</script>'), opened)
    expectPage(reply, { status: 400, shows: ['id="field-logo-error">This is not a PNG, WebP or SVG'] })
    expect(opened.saved).toEqual([])
  })

  it('400: a form that was cut off', async () => {
    const { admin, inject } = await open()
    const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, 'content-type': 'multipart/form-data; boundary=x' }
    const payload = '--x\r\nContent-Disposition: form-data; name="lo'
    expect((await inject({ method: 'POST', url: PATH, headers, payload })).status).toBe(400)
  })

  it.each([
    ['accent', 'red;}*{', 'Enter a colour such as'],
    ['welcome', 'a\nb', 'one line of at most 200 characters'],
    ['links', 'Evil javascript:alert(1)', 'starts with https://'],
    ['links', 'Plain http://example.org', 'starts with https://'],
    ['imprint', 'a\u0000b', 'at most 20,000 characters'],
    ['privacy', '`code`', 'without backticks'],
    ['privacy', 'x'.repeat(20_001), 'at most 20,000 characters'],
  ])('400: %s can’t be %j, with the words beside the field', async (name, value, words) => {
    const { admin, saved } = await open()
    const { status, body } = await admin.submit(PATH, { [name]: value })
    expect(status).toBe(400)
    expect(new RegExp(`id="field-${name}-error">([^<]*)`).exec(body)?.[1]).toContain(words)
    expect(saved).toEqual([])
  })

  it('shows what the environment sets as text with the reason, and does not change it', async () => {
    const desk: Partial<SettingsDesk> = { originOf: () => 'environment', writtenValue: () => 'From a file' }
    const { admin, saved } = await open(desk, { appearance: OWN })
    expectPage(await admin.get(PATH), {
      shows: ['From the environment: INSTANCE_IMPRINT.'],
      hides: [/<main[\s\S]*name="(?:logo|no_logo|accent|welcome|links|imprint|privacy)"/],
    })
    await admin.submit(PATH, { welcome: 'Other', accent: '#000000' })
    expect(saved).toEqual([{}])
  })

  it('removes the logo when asked to', async () => {
    const writtenValue = (name: string) => (name === 'INSTANCE_LOGO' ? MARK : undefined)
    const { admin, saved } = await open({ writtenValue }, { appearance: OWN })
    await admin.submit(PATH, { no_logo: 'on' })
    expect(saved).toEqual([{ INSTANCE_LOGO: undefined }])
  })
})

describe('an instance of one’s own', () => {
  it('has its logo, colour, welcome and links on the page, escaped', async () => {
    const { browser } = await open({}, { appearance: OWN })
    const logo = `/assets/logo/${OWN.logo?.version}`
    expectPage(await browser().get('/'), {
      shows: [
        `<img class="mark" src="${logo}" alt="">`,
        `<link rel="icon" type="image/png" href="${logo}">`,
        '<link rel="stylesheet" href="/assets/accent/f5b800.css">',
        'Search with &lt;b&gt;us&lt;/b&gt;',
        '<a href="https://club.example.org/?a=&quot;b&quot;" rel="noopener">Our &lt;i&gt;club&lt;/i&gt;</a>',
        'Imprint',
      ],
      hides: ['href="/privacy"'],
    })
  })

  it('sends the logo for ever under its version, sandboxed; another version gets the one in force', async () => {
    const { inject } = await open({}, { appearance: OWN })
    const current = await inject(`/assets/logo/${OWN.logo?.version}`)
    expect(current.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': expect.stringContaining("sandbox; default-src 'none'; style-src 'unsafe-inline'"),
      'x-content-type-options': 'nosniff',
    })
    expect(current.rawPayload.equals(asset('mark.png'))).toBe(true)
    const other = await inject('/assets/logo/000000000000')
    expect(other).toMatchObject({ status: 200, headers: { 'cache-control': 'no-cache' } })
    expect((await (await open()).inject('/assets/logo/x')).status).toBe(404)
  })

  it('sends a stylesheet for any colour, and for nothing else', async () => {
    const { inject } = await open()
    const { headers, body } = await inject('/assets/accent/f5b800.css')
    expect(headers).toMatchObject({ 'content-type': 'text/css; charset=utf-8', 'x-content-type-options': 'nosniff' })
    expect(body).toContain('--blue:light-dark(#916d00, #f5b800)')
    for (const file of ['F5B800.css', 'red.css', 'f5b800', 'f5b800.css%0a', '%2e%2e', 'f5b80g.css'])
      expect((await inject(`/assets/accent/${file}`)).status, file).toBe(404)
  })

  it.each([
    ['none', '', ['192x192', '512x512', '512x512']],
    ['one of 64 pixels', MARK, ['192x192', '512x512', '512x512']],
    ['an SVG', asset('mark.svg').toString(), ['any']],
    ['one of 512 pixels', inBase64('app-512.png'), ['512x512']],
  ])('can be installed with a logo that is %s', async (_name, logo, sizes) => {
    const appearance = { ...OWN, logo: logoOf(logo) }
    const { inject } = await open({}, { instanceName: 'The library of our town', appearance })
    const reply = await inject('/manifest.webmanifest')
    expect(reply.headers['content-type']).toBe('application/manifest+json; charset=utf-8')
    const { icons, ...rest } = reply.json()
    expect(rest).toMatchObject({ name: 'The library of our town', short_name: 'The library', start_url: '/' })
    expect(icons.map((icon: { sizes: string }) => icon.sizes)).toEqual(sizes)
  })

  it.each([
    ['en', '/imprint', '<div class="read-text" lang="en" dir="auto"><h2>Us</h2></div>'],
    ['de', '/imprint', '<h2>Wir</h2>'],
    ['en', '/imprint?lang=de', '<h2>Wir</h2>'],
    ['en', '/imprint?lang="><script>', '<h2>Us</h2>'],
  ])('has its imprint for a reader of %s at %s', async (language, path, shown) => {
    const { browser } = await open({}, { appearance: OWN, isPublic: false })
    expectPage(await browser().get(path, { 'accept-language': language }), { shows: [shown] })
    expect((await browser().get('/privacy')).status).toBe(404)
  })
})

it.each([
  ['', 'light dark', []],
  ['theme=dark', 'dark', []],
  ['theme=contrast', 'light dark', ['contrast']],
  ['theme=contrast&density=compact', 'light dark', ['contrast', 'compact']],
  ['theme=light&density=compact', 'light', ['compact']],
  ['theme=<script>&density=tiny', 'light dark', []],
])(
  'with the preferences “%s” the scheme is %s, and only what was chosen is loaded',
  async (preferences, scheme, extra) => {
    const visitor = (await open()).browser()
    visitor.cookies.set('bowerbird_preferences', preferences)
    const { body } = await visitor.get('/')
    expect(body).toContain(`<meta name="color-scheme" content="${scheme}">`)
    expect(body.match(/(?<=href="\/assets\/)(?:contrast|compact)(?=\.[\da-f]{12}\.css")/g) ?? []).toEqual(extra)
  },
)
