// Chromium opens the home page, finds the site's OpenSearch description and adds the site to its search engines. The
// address bar can then search here, and gets suggestions without cookies.
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
  it('gets suggestions without cookies, by the token in the description', async () => {
    const { templates } = await readDescription()
    const reply = await fetch((templates['suggestions'] ?? '').replace('{searchTerms}', 'clim'))
    expect(reply.status).toBe(200)
    expect(await reply.json()).toEqual([
      'clim',
      expect.arrayContaining([expect.stringMatching(/clim/i)]),
      [],
      [],
      expect.anything(),
    ])
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
