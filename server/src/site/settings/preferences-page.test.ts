import { afterEach, describe, expect, it } from 'vitest'
import { DEFAULT_PREFERENCES, exportPreferences, type Preferences, preferencesOf } from '../preferences.ts'
import { openStagedSearch } from '../search/search.test-harness.ts'
import { type Browser, openSiteStage, type SiteStage, textOf } from '../site.test-harness.ts'
import type { SiteServices, SuggestionsFor } from '../site-services.ts'

const PATH = '/settings/search'
const COOKIE = 'bowerbird_preferences'
const ADA = { userId: '1', username: 'ada', isAdmin: false, sessionId: '1' }
/** As the form is sent when nothing was changed in it. */
const UNCHANGED = {
  engines: ['engine_a', 'engine_b', 'engine_c'],
  safe: 'on',
  lang: 'auto',
  suggestions: 'on',
  cards: 'on',
  theme: 'auto',
  interface: 'auto',
}

let stage: SiteStage | undefined
afterEach(() => stage?.close())

async function open(given: Partial<SiteServices> = {}): Promise<SiteStage> {
  const { search } = openStagedSearch()
  const nobody = { providerNames: [] }
  const services = {
    cards: { ...nobody, list: [], cards: () => Promise.reject(new Error('no card is asked for')) },
    suggest: { ...nobody, suggest: () => Promise.reject(new Error('no suggestion is asked for')) },
  }
  stage = await openSiteStage({ search, ...services, ...given })
  return stage
}

const keptBy = (browser: Browser): Preferences => preferencesOf(browser.cookies.get(COOKIE))
const chosenIn = (body: string): string[] =>
  [...body.matchAll(/value="([^"]*)"(?: checked| selected)/g)].map(([, value]) => value ?? '')

describe('the page of search preferences', () => {
  it('shows what is preferred: at first the defaults, with all engines by the names of their providers', async () => {
    const { browser } = await open()
    const { body } = await browser().get(PATH)
    expect(chosenIn(body)).toEqual(['engine_a', 'engine_b', 'engine_c', 'on', 'auto', 'on', 'auto', 'auto'])
    for (const name of ['Brave', 'Mojeek', 'Openverse and Crossref']) expect(body).toContain(`>${name}</label>`)
    expect(body).toContain('engines=all&amp;safe=on&amp;lang=auto')
  })

  it('keeps every choice in the cookie, and shows it afterwards', async () => {
    const { browser } = await open()
    const somebody = browser()
    const reply = await somebody.submit(PATH, {
      engines: ['engine_c', 'engine_a'],
      lang: 'de',
      theme: 'dark',
      new_tab: 'on',
      interface: 'fr',
    })
    expect([reply.statusCode, reply.headers.location]).toEqual([303, `${PATH}?done=saved`])
    expect(keptBy(somebody)).toEqual({
      engines: ['engine_a', 'engine_c'],
      safe: false,
      lang: 'de',
      suggestions: true,
      cards: false,
      theme: 'dark',
      newTab: true,
      interfaceLocale: 'fr',
    })
    const { body } = await somebody.get(`${PATH}?done=saved`)
    expect(body).toContain('<html lang="fr" data-theme="dark">')
    expect(body).toContain('Vos préférences sont enregistrées.')
    expect(chosenIn(body)).toEqual(['engine_a', 'engine_c', 'de', 'on', 'dark', 'fr'])
  })

  it('all engines chosen means all, also those that come later', async () => {
    const { browser } = await open()
    const somebody = browser()
    await somebody.submit(PATH, UNCHANGED)
    expect(keptBy(somebody)).toEqual(DEFAULT_PREFERENCES)
  })

  it('400: no engine at all is said beside the engines, and nothing is changed but the form keeps the rest', async () => {
    const { browser } = await open()
    const somebody = browser()
    const reply = await somebody.submit(PATH, { ...UNCHANGED, engines: [], theme: 'dark', lang: 'es' })
    expect(reply.statusCode).toBe(400)
    expect(reply.body).toContain('id="field-engines-error">Choose at least one engine.')
    expect(chosenIn(reply.body)).toEqual(['on', 'es', 'on', 'dark', 'auto'])
    expect(somebody.cookies.has(COOKIE)).toBe(false)
  })

  it('a choice that is not offered is as if it had not been made', async () => {
    const { browser } = await open()
    const somebody = browser()
    await somebody.submit(PATH, {
      engines: ['engine_b', 'engine_z', '<b>'],
      safe: ['on', 'on'],
      lang: 'de; Path=/evil',
      cards: 'on',
      theme: 'pink',
      interface: 'tlh',
    })
    expect(keptBy(somebody)).toEqual({ ...DEFAULT_PREFERENCES, engines: ['engine_b'] })
  })

  it('a language that is not in the list, from an imported line, stays chosen', async () => {
    const { browser } = await open()
    const somebody = browser()
    await somebody.submit(`${PATH}/import`, { code: 'lang=pt-BR' }, PATH)
    expect((await somebody.get(PATH)).body).toContain('<option value="pt-BR" selected>pt-BR</option>')
    await somebody.submit(PATH, { ...UNCHANGED, lang: 'pt-BR' })
    expect(keptBy(somebody).lang).toBe('pt-BR')
  })

  it('the line that it shows gives another browser the very same preferences', async () => {
    const { browser } = await open()
    const [one, other] = [browser(), browser()]
    await one.submit(PATH, { ...UNCHANGED, engines: 'engine_b', theme: 'light', lang: 'nl' })
    const code = /<code>([^<]+)<\/code>/.exec((await one.get(PATH)).body)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const reply = await other.submit(`${PATH}/import`, { code: `  ${code}\n` }, PATH)
    expect(reply.headers.location).toBe(`${PATH}?done=imported`)
    expect(other.cookies.get(COOKIE)).toBe(one.cookies.get(COOKIE))
    expect(keptBy(other)).toMatchObject({ engines: ['engine_b'], theme: 'light', lang: 'nl' })
  })

  it.each(['', 'hello', 'theme=dark&safe=perhaps', `<script>alert(1)</script>${'x'.repeat(600)}`])(
    '400: what is not such a line is refused whole and given back as text: %s',
    async (code) => {
      const { browser } = await open()
      const somebody = browser()
      const reply = await somebody.submit(`${PATH}/import`, { code }, PATH)
      expect(reply.statusCode).toBe(400)
      expect(reply.body).toContain('id="field-code-error">This is not a preferences export')
      expect(reply.body).not.toContain('<script>alert')
      expect(somebody.cookies.has(COOKIE)).toBe(false)
    },
  )

  it('goes back to the defaults', async () => {
    const { browser } = await open()
    const somebody = browser()
    await somebody.submit(PATH, { ...UNCHANGED, theme: 'dark' })
    const reply = await somebody.submit(`${PATH}/reset`, {}, PATH)
    expect(reply.headers.location).toBe(`${PATH}?done=wasReset`)
    expect(somebody.cookies.get(COOKIE)).toBe(exportPreferences(DEFAULT_PREFERENCES))
  })

  it('403: no other site changes anybody’s preferences', async () => {
    const { browser } = await open()
    for (const path of [PATH, `${PATH}/import`, `${PATH}/reset`]) {
      const somebody = browser(ADA)
      expect((await somebody.post(path, { ...UNCHANGED, code: 'theme=dark' })).statusCode).toBe(403)
      expect(somebody.cookies.has(COOKIE)).toBe(false)
    }
  })

  it('is for those who may search', async () => {
    const { browser } = await open({ isPublic: false })
    expect((await browser().get(PATH)).headers.location).toBe('/login?next=%2Fsettings%2Fsearch')
    expect((await browser(ADA).get(PATH)).statusCode).toBe(200)
  })

  it('names of providers are text, and a slot without any is not offered', async () => {
    const { search } = openStagedSearch()
    const labelOf = (slot: string) => (slot === 'engine_a' ? '<i>Brave</i>' : '')
    const { browser } = await open({ search: { ...search, labelOf } })
    const { body } = await browser().get(PATH)
    expect(body).toContain('&lt;i&gt;Brave&lt;/i&gt;')
    expect(body).not.toContain('engine_b')
  })

  it('with no engine configured there is nothing to choose, and the rest can be saved', async () => {
    const { search } = openStagedSearch()
    const { browser } = await open({ search: { ...search, labelOf: () => '' } })
    const somebody = browser()
    expect((await somebody.get(PATH)).body).not.toContain('name="engines"')
    await somebody.submit(PATH, { ...UNCHANGED, engines: [], theme: 'dark' })
    expect(keptBy(somebody).theme).toBe('dark')
  })

  const suggest = { providerNames: ['Wikipedia', 'DuckDuckGo'], suggest: () => Promise.reject(new Error('not asked')) }
  const cards = { providerNames: ['Wikidata'], list: [], cards: () => Promise.reject(new Error('not asked')) }

  it.each([
    ['accounts', 'a user', true],
    ['accounts', 'a stranger', false],
    ['all', 'a stranger', true],
    ['off', 'a user', false],
  ] as [SuggestionsFor, string, boolean][])(
    'with SITE_SUGGESTIONS=%s, %s has the choice of suggestions: %s',
    async (suggestionsFor, who, isOffered) => {
      const { browser } = await open({ suggest, suggestionsFor })
      const somebody = browser(who === 'a user' ? ADA : undefined)
      const { body } = await somebody.get(PATH)
      expect(body.includes('name="suggestions"')).toBe(isOffered)
      const { suggestions: _, ...without } = UNCHANGED
      await somebody.submit(PATH, without)
      // Who had no box to tick has not decided anything.
      expect(keptBy(somebody).suggestions).toBe(!isOffered)
    },
  )

  it('says what is sent to whom, as it is now', async () => {
    const { browser } = await open({ suggest, cards, suggestionsFor: 'all' })
    const somebody = browser()
    const told = textOf((await somebody.get(PATH)).body)
    expect(told).toContain('While you type, your words go to Wikipedia and DuckDuckGo.')
    expect(told).toContain('For cards, web searches also go to Wikidata.')
    await somebody.submit(PATH, { ...UNCHANGED, suggestions: [], cards: [] })
    const later = textOf((await somebody.get(PATH)).body)
    expect(later).toContain('Nothing is sent while you type.')
    expect(later).not.toContain('Wikidata')
  })
})
