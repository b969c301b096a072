import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_PREFERENCES, exportPreferences, type Preferences } from '../preferences.ts'
import { type Browser, openSiteStage, type SiteStage } from '../site.test-stage.ts'
import type { Viewer } from '../site-services.ts'
import { PREFERENCES_COOKIE } from './cookies.ts'
import { html } from './html.ts'
import { definePage } from './page.ts'
import { createPageCache, type PageKey } from './page-cache.ts'

const BYTES = Buffer.from('a page')

const ada: Viewer = { userId: '1', username: 'ada', isAdmin: false, sessionId: 's1' }
const grace: Viewer = { userId: '2', username: 'grace', isAdmin: false, sessionId: 's2' }

const anonymous: PageKey = {
  address: '/search?q=climate',
  baseUrl: 'http://site.test',
  viewer: undefined,
  locale: 'en',
  preferences: DEFAULT_PREFERENCES,
  providersDown: 0,
}

/** Each preference, in another way than most have it. */
const OTHER_PREFERENCES: Preferences = {
  engines: ['engine_a'],
  safe: false,
  lang: 'de',
  suggestions: false,
  cards: false,
  theme: 'dark',
  newTab: true,
  interfaceLocale: 'en',
}
const otherPreferences = Object.entries(OTHER_PREFERENCES).map(([name, value]): [string, Preferences] => [
  name,
  { ...DEFAULT_PREFERENCES, [name]: value },
])

const KEYS: [who: string, key: PageKey][] = [
  ['anonymous', anonymous],
  ['a user', { ...anonymous, viewer: ada }],
  ['another user', { ...anonymous, viewer: grace }],
  ['a user of the same name', { ...anonymous, viewer: { ...ada, userId: '3' } }],
  ['the user as an administrator', { ...anonymous, viewer: { ...ada, isAdmin: true } }],
  ['another language', { ...anonymous, locale: 'de' }],
  ['another address', { ...anonymous, address: '/search?q=weather' }],
  ['another host', { ...anonymous, baseUrl: 'https://other.test' }],
  ['a provider down', { ...anonymous, providersDown: 1 }],
  ['nothing known of providers', { ...anonymous, providersDown: undefined }],
  ...otherPreferences.map(([name, preferences]): [string, PageKey] => [`other ${name}`, { ...anonymous, preferences }]),
]

describe('a page that was sent before', () => {
  it('is found for the same reader, made of the same, in the same compression', () => {
    const pages = createPageCache()
    const results = [{}]
    pages.keep(anonymous, [results, 'minute 1'], { encoding: 'br', bytes: BYTES })
    expect(pages.find({ ...anonymous }, [results, 'minute 1'], 'br')).toBe(BYTES)
    expect(pages.find(anonymous, [results, 'minute 2'], 'br')).toBeUndefined()
    expect(pages.find(anonymous, [[{}], 'minute 1'], 'br')).toBeUndefined()
    expect(pages.find(anonymous, [results, 'minute 1'], '')).toBeUndefined()
  })

  it.each(KEYS)('is not found by anybody else: kept for %s', (_, kept) => {
    const pages = createPageCache()
    pages.keep(kept, ['the same'], { encoding: 'br', bytes: BYTES })
    const finders = KEYS.filter(([, key]) => pages.find(key, ['the same'], 'br')).map(([, key]) => key)
    expect(finders).toEqual([kept])
  })

  it('forgets what it was made of before', () => {
    const pages = createPageCache()
    pages.keep(anonymous, ['old'], { encoding: 'br', bytes: BYTES })
    pages.keep(anonymous, ['new'], { encoding: '', bytes: Buffer.from('newer') })
    expect(pages.find(anonymous, ['new'], 'br')).toBeUndefined()
    expect(pages.find(anonymous, ['new'], '')?.toString()).toBe('newer')
  })
})

describe('a page that shows all it knows of its reader', () => {
  let site: SiteStage
  let written = 0
  const mirror = definePage({
    method: 'GET',
    path: '/mirror',
    access: 'anyone',
    handle: ({ viewer, locale, preferences }) => ({
      title: 'Mirror',
      cacheDeps: ['the same for everybody'],
      body() {
        written += 1
        return html`[${viewer?.username ?? 'nobody'} ${viewer?.isAdmin ? 'admin' : 'user'} ${locale} ${exportPreferences(preferences)}]`
      },
    }),
  })
  beforeAll(async () => {
    site = await openSiteStage({}, [mirror])
    // From the second page on it is known how many providers are down.
    await site.browser().get('/mirror')
    written = 0
  })
  afterAll(() => site.close())

  const signedIn = (viewer?: Viewer, preferences = DEFAULT_PREFERENCES): Browser => {
    const browser = site.browser(viewer)
    browser.cookies.set(PREFERENCES_COOKIE, exportPreferences(preferences))
    return browser
  }

  it('is each reader’s own, and written once for each', async () => {
    const browsers: [shown: string, browser: Browser, language: string][] = [
      ['nobody user en', signedIn(), 'en'],
      ['ada user en', signedIn(ada), 'en'],
      ['grace user en', signedIn(grace), 'en'],
      ['ada admin en', signedIn({ ...ada, isAdmin: true }), 'en'],
      ['nobody user de', signedIn(), 'de'],
      ...otherPreferences.map(([, preferences]): [string, Browser, string] => [
        `nobody user en ${exportPreferences(preferences).replaceAll('&', '&amp;')}`,
        signedIn(undefined, preferences),
        'en',
      ]),
    ]
    for (let round = 0; round < 2; round += 1) {
      for (const [shown, browser, language] of browsers) {
        const { body } = await browser.get('/mirror', { 'accept-language': language })
        expect(body).toContain(`[${shown}`)
      }
    }
    expect(written).toBe(browsers.length)
  })
})
