// Chromium opens the home page, finds the site's OpenSearch description and adds the site to its search engines. The
// address bar can then search here, gets suggestions without cookies, and supports bangs.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { BROWSER, signIn } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const PATIENCE_MS = 30_000
let instance: TestInstance
let profile: string
let context: BrowserContext
let page: Page

beforeAll(async () => {
  instance = await startTestInstance({ SITE_ACCESS: 'users' })
  profile = await mkdtemp(join(inject('temporaryFolder'), 'profile-'))
  context = await chromium.launchPersistentContext(profile, { ...BROWSER, baseURL: instance.url, locale: 'en-GB' })
  page = await context.newPage()
  await signIn(page, { username: 'ada', password: 'correct horse battery' })
  await page.goto('/')
})

afterAll(async () => {
  await context?.close()
  await instance?.close()
  if (profile) await rm(profile, { recursive: true, force: true })
})

interface Description {
  type: string
  /** Keyed by rel. */
  templates: Record<string, string>
  images: string[]
}

/** Runs in the page. */
const READ_DESCRIPTION = `(async () => {
  const link = document.querySelector('link[rel=search]')
  const xml = new DOMParser().parseFromString(await (await fetch(link.href)).text(), 'text/xml')
  if (xml.querySelector('parsererror')) throw new Error('the description is no XML')
  const urls = [...xml.querySelectorAll('Url')]
  return {
    type: link.type,
    templates: Object.fromEntries(urls.map((url) => [url.getAttribute('rel'), url.getAttribute('template')])),
    images: [...xml.querySelectorAll('Image')].map((image) => image.textContent),
  }
})()`
const readDescription = () => page.evaluate<Description>(READ_DESCRIPTION)

const widthsOf = (addresses: readonly string[]) =>
  page.evaluate<number[]>(`Promise.all(${JSON.stringify(addresses)}.map(async (src) => {
    const picture = Object.assign(new Image(), { src })
    await picture.decode()
    return picture.naturalWidth
  }))`)

const fill = (template: string | undefined, text: string): string =>
  (template ?? '').replace('{searchTerms}', encodeURIComponent(text))

describe('the OpenSearch description', () => {
  it('is fetched by Chromium itself', async () => {
    const isFetched = async () => instance.logged().includes('"route":"/opensearch.xml","status":200')
    expect(await eventually(isFetched, PATIENCE_MS)).toBe(true)
  })

  it('is linked from the page and parses, and its icons are valid images in every format', async () => {
    const { type, templates, images } = await readDescription()
    expect(type).toBe('application/opensearchdescription+xml')
    expect(templates['results']).toBe(`${instance.url}/search?q={searchTerms}`)
    expect(images.map((image) => image.split('.').at(-1))).toEqual(['ico', 'png', 'svg'])
    const widths = await widthsOf(images)
    expect(widths.every((width) => width > 0)).toBe(true)
  })
})

describe('the address bar', () => {
  it('gets suggestions without cookies, by the token in the description; a made-up token is refused', async () => {
    const { templates } = await readDescription()
    const address = fill(templates['suggestions'], 'clim')
    const reply = await fetch(address)
    expect(reply.status).toBe(200)
    const answer = (await reply.json()) as [string, string[], [], [], Record<string, number[]>]
    expect(answer[0]).toBe('clim')
    expect(answer[1].length).toBeGreaterThan(0)
    expect(answer[4]['google:suggestrelevance']).toHaveLength(answer[1].length)
    expect((await fetch(address.replace(/t=.*/, 't=1.1.aaaaaaaaaaaaaaaaaaaaaa'))).status).toBe(401)
    expect((await fetch(fill(templates['results'], 'climate'), { redirect: 'manual' })).status).toBe(303)
  })

  it('leads from a search to results, and from a bang to another site', async () => {
    const { templates } = await readDescription()
    await page.goto(fill(templates['results'], 'climate'))
    expect(await page.locator('main .result').count()).toBeGreaterThanOrEqual(10)
    await page.route('https://github.com/**', (route) => route.fulfill({ body: 'elsewhere' }))
    await page.goto(fill(templates['results'], '!gh bower bird'))
    await page.waitForURL('https://github.com/search?q=bower%20bird')
  })

  it('has the site among the search engines that Chromium stores', async () => {
    // Chromium writes them on exit.
    await context.close()
    const data = new DatabaseSync(join(profile, 'Default/Web Data'), { readOnly: true })
    const engines = data.prepare('select short_name, url, suggest_url from keywords').all()
    data.close()
    const base = { short_name: 'Bowerbird', url: `${instance.url}/search?q={searchTerms}` }
    const suggest_url = expect.stringMatching(/\/suggest\?q=\{searchTerms\}&t=\d+\.\d+\.[\w-]{22}$/)
    expect(engines.filter(({ short_name }) => short_name === base.short_name)).toEqual([{ ...base, suggest_url }])
  })
})
