import { describe, expect, it } from 'vitest'
import {
  ADMIN,
  deskWith,
  engineAdmin,
  openSiteStage,
  pagesUnder,
  type SiteStubs,
  shippedEngines,
  textOf,
} from '../site.test-harness.ts'

async function open(given: Partial<SiteStubs> = {}) {
  const saved: unknown[] = []
  const save = async (edits: unknown) => {
    saved.push(edits)
    return ['MOJEEK_API_KEY']
  }
  const services: Partial<SiteStubs> = {
    isPublic: false,
    settings: deskWith({
      change: (_by, edits) => save(edits),
      changeEngine: (_by, engine, wish) => save({ engine, ...wish }),
    }),
    engines: engineAdmin({ catalogue: shippedEngines(new Map([['engine_c', { web: ['wikipedia', 'marginalia'] }]])) }),
    ...given,
  }
  const stage = await openSiteStage(services, pagesUnder('/admin', '/settings', '/tools'))
  return { browser: stage.browser(ADMIN), saved }
}

const railOf = (body: string): string => textOf(/<nav class="rail".*?<\/nav>/s.exec(body)?.[0] ?? '').trim()

describe('the first run', () => {
  it('a step that is behind shows its answer, and each can be skipped', async () => {
    const { browser } = await open({ instanceName: 'Plumage' })
    const reach = (await browser.get('/admin/setup/reach')).body
    expect(railOf(reach)).toBe('Account grace How people reach it Engines Connect a program Done')
    expect(reach).toContain('<a href="/admin/setup/engines">Skip</a>')
    const engines = (await browser.get('/admin/setup/engines')).body
    expect(engines).toContain('<a href="/admin/setup/connect">Skip</a>')
    const connect = (await browser.get('/admin/setup/connect')).body
    expect(connect).toContain('href="/admin/setup/done"')
    expect(connect).toContain('href="/settings/connect/claude-code"')
    const done = (await browser.get('/admin/setup/done')).body
    expect(railOf(done)).toBe(
      'Account grace How people reach it Plumage, site.test Engines 2 engines in use Connect a program Done',
    )
    expect(done).toContain('href="/admin/users/new"')
    expect(textOf(done)).toContain('“weather in Oslo”')
    for (const path of ['/tools', '/settings/sites', '/admin/engines/own']) expect(done).toContain(`href="${path}"`)
  })

  it('says how many programs are not listed, and what each would need', async () => {
    const plain = await open()
    const { text } = await plain.browser.get('/admin/setup/connect')
    expect(text).toMatch(/9 more programs are not listed\. claude\.ai and ChatGPT can connect only to .* https/)
    expect(text).toMatch(/Home Assistant and n8n SearXNG cannot send a key in a header; .* URL_KEYS=on/)
    const whole = await open({ publicUrl: 'https://search.example.org', areUrlKeysOn: true })
    expect((await whole.browser.get('/admin/setup/connect')).text).not.toContain('not listed')
  })

  it('says how it is reached, and whether that is encrypted', async () => {
    const plain = await open()
    expect((await plain.browser.get('/admin/setup/reach')).text).toMatch(
      /http:\/\/site\.test PUBLIC_URL sets this address\. The connection is not encrypted/,
    )
    const secure = await open({ publicUrl: 'https://search.example.org' })
    const { body, text } = await secure.browser.get('/admin/setup/reach')
    expect(text).toContain('The connection is encrypted. With a passkey')
    expect(body).toContain('href="/settings/account/passkeys/new"')
  })

  it('name, access and contact are saved, and the next step follows', async () => {
    const { browser, saved } = await open()
    const fields = { name: 'Plumage', access: 'public', contact: 'ada@example.org' }
    const reply = await browser.submit('/admin/setup/reach', fields)
    expect(reply.location).toBe('/admin/setup/engines')
    expect(saved).toEqual([{ INSTANCE_NAME: 'Plumage', SITE_ACCESS: 'public', OPERATOR_CONTACT: 'ada@example.org' }])
    const wrong = await browser.submit('/admin/setup/reach', { name: 'x'.repeat(41) })
    expect(wrong.status).toBe(400)
    expect(saved).toHaveLength(1)
  })

  it('a key is saved from its row, which then is open', async () => {
    const { browser, saved } = await open()
    const reply = await browser.submit('/admin/setup/engines', { engine: 'mojeek', key: 'k' })
    expect(reply.location).toBe('/admin/setup/engines?engine=mojeek&done=saved#engine-mojeek')
    expect(saved).toMatchObject([{ engine: 'mojeek', key: { setting: 'MOJEEK_API_KEY', value: 'k' } }])
    const { body } = await browser.get(reply.location)
    expect(body).toMatch(/<li id="engine-mojeek"><details open>.*Saved\. Every node/s)
    // Of a key alone.
    expect(body).not.toContain('name="place"')
  })

  it('the choice of engines without a key is saved; what the environment sets is only shown', async () => {
    const { browser, saved } = await open()
    const reply = await browser.submit('/admin/setup/engines/keyless', { keyless: 'all' }, '/admin/setup/engines')
    expect(reply.location).toBe('/admin/setup/connect')
    expect(saved).toEqual([{ KEYLESS_ENGINES: 'all' }])
    const names = { none: [], foundations: [], all: [] }
    const fixed = await open({ keyless: { current: 'none', isFixed: true, names } })
    const { body } = await fixed.browser.get('/admin/setup/engines')
    expect(body).toContain('The setting KEYLESS_ENGINES decides')
    expect(body).toContain('<a class="button button-primary" href="/admin/setup/connect">Continue</a>')
  })

  it('an engine leads to the page that has keys, as far as it is known, and says that keys are free', async () => {
    const { browser } = await open()
    const { body } = await browser.get('/admin/setup/engines')
    const rowOf = (slug: string) => body.split(`<li id="engine-${slug}">`)[1]?.split('</li>')[0] ?? ''
    expect(rowOf('brave')).toContain('<a href="https://api-dashboard.search.brave.com" rel="noreferrer">Get a key</a>')
    expect(rowOf('kagi')).toContain('<a href="https://kagi.com" rel="noreferrer">Website</a>')
    const prices = ['gnews', 'youtube', 'pexels', 'openalex', 'github'].map(
      (slug) => /class="engine-price">([^<]*)</.exec(rowOf(slug))?.[1],
    )
    expect(prices).toEqual(['free', 'free', 'free', 'free', 'free'])
  })
})
