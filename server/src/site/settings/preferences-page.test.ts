import { describe, expect, it } from 'vitest'
import { DEFAULT_PREFERENCES, exportPreferences, type Preferences, preferencesOf } from '../preferences.ts'
import { openStagedSearch } from '../search/search.test-harness.ts'
import { type Browser, openSiteStage, type SiteStage, USER } from '../site.test-harness.ts'
import type { SiteServices, SuggestionsFor } from '../site-services.ts'

const PATH = '/settings/search'
const COOKIE = 'bowerbird_preferences'
/** As the form is sent when nothing was changed in it. */
const UNCHANGED = {
  engines: ['engine_a', 'engine_b', 'engine_c'],
  safe: 'on',
  lang: 'auto',
  region: 'all',
  suggestions: 'on',
  cards: 'on',
  keys: 'on',
  theme: 'auto',
  interface: 'auto',
}

let stage: SiteStage | undefined

async function open(given: Partial<SiteServices> = {}): Promise<SiteStage> {
  const { search } = openStagedSearch()
  const unused = { providerNames: [] }
  const services = {
    cards: { ...unused, list: [], cards: () => Promise.reject(new Error('no card is asked for')) },
    suggest: { ...unused, suggest: () => Promise.reject(new Error('no suggestion is asked for')) },
  }
  stage = await openSiteStage({ search, ...services, ...given })
  return stage
}

const keptBy = (browser: Browser): Preferences => preferencesOf(browser.cookies.get(COOKIE))
const chosenIn = (body: string): string[] =>
  [...body.matchAll(/value="([^"]*)"(?: checked| selected)/g)].map(([, value]) => value ?? '')

describe('Settings → Search', () => {
  it('shows the defaults at first, with all engines under the names of their providers', async () => {
    const { browser } = await open()
    const { body } = await browser().get(PATH)
    expect(chosenIn(body)).toEqual([
      'engine_a',
      'engine_b',
      'engine_c',
      'on',
      'auto',
      'all',
      'on',
      'on',
      'auto',
      'comfortable',
      'auto',
    ])
    for (const name of ['Brave', 'Mojeek', 'Openverse and Crossref']) expect(body).toContain(`>${name}</label>`)
    expect(body).toContain('engines=all&amp;safe=on&amp;lang=auto')
  })

  it('keeps every choice in the cookie, and shows it afterwards', async () => {
    const { browser } = await open()
    const visitor = browser()
    const reply = await visitor.submit(PATH, {
      engines: ['engine_c', 'engine_a'],
      lang: 'de',
      region: 'AT',
      theme: 'dark',
      answers_first: 'on',
      density: 'compact',
      new_tab: 'on',
      interface: 'fr',
    })
    expect(reply).toMatchObject({ status: 303, location: `${PATH}?done=saved` })
    expect(keptBy(visitor)).toEqual({
      engines: ['engine_a', 'engine_c'],
      safe: false,
      lang: 'de',
      region: 'AT',
      suggestions: true,
      cards: false,
      answersFirst: true,
      theme: 'dark',
      density: 'compact',
      newTab: true,
      keys: false,
      interfaceLocale: 'fr',
    })
    const { body } = await visitor.get(`${PATH}?done=saved`)
    expect(body).toContain('<html lang="fr" dir="ltr" data-theme="dark" data-keys="off">')
    expect(body).toContain('Vos préférences sont enregistrées.')
    expect(chosenIn(body)).toEqual(['engine_a', 'engine_c', 'de', 'AT', 'on', 'on', 'dark', 'compact', 'fr'])
  })

  it('choosing all engines includes those added later', async () => {
    const { browser } = await open()
    const visitor = browser()
    await visitor.submit(PATH, UNCHANGED)
    expect(keptBy(visitor)).toEqual(DEFAULT_PREFERENCES)
  })

  it('400: choosing no engine shows an error at the field, changes nothing, and keeps the rest of the form', async () => {
    const { browser } = await open()
    const visitor = browser()
    const reply = await visitor.submit(PATH, { ...UNCHANGED, engines: [], theme: 'dark', lang: 'es' })
    expect(reply.status).toBe(400)
    expect(reply.body).toContain('id="field-engines-error">Choose at least one engine.')
    expect(chosenIn(reply.body)).toEqual(['on', 'es', 'all', 'on', 'on', 'dark', 'comfortable', 'auto'])
    expect(visitor.cookies.has(COOKIE)).toBe(false)
  })

  it('ignores values that the form does not offer', async () => {
    const { browser } = await open()
    const visitor = browser()
    await visitor.submit(PATH, {
      engines: ['engine_b', 'engine_z', '<b>'],
      safe: ['on', 'on'],
      lang: 'de; Path=/evil',
      cards: 'on',
      keys: 'on',
      theme: 'pink',
      interface: 'tlh',
    })
    expect(keptBy(visitor)).toEqual({ ...DEFAULT_PREFERENCES, engines: ['engine_b'] })
  })

  it('keeps an imported language that is not in the list', async () => {
    const { browser } = await open()
    const visitor = browser()
    await visitor.submit(`${PATH}/import`, { code: 'lang=pt-BR' }, PATH)
    expect((await visitor.get(PATH)).body).toContain('<option value="pt-BR" selected>pt-BR</option>')
    await visitor.submit(PATH, { ...UNCHANGED, lang: 'pt-BR' })
    expect(keptBy(visitor).lang).toBe('pt-BR')
  })

  it('the exported line gives another browser the same preferences', async () => {
    const { browser } = await open()
    const [one, other] = [browser(), browser()]
    await one.submit(PATH, { ...UNCHANGED, engines: 'engine_b', theme: 'light', lang: 'nl' })
    const code = /<code>([^<]+)<\/code>/.exec((await one.get(PATH)).body)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const reply = await other.submit(`${PATH}/import`, { code: `  ${code}\n` }, PATH)
    expect(reply.location).toBe(`${PATH}?done=imported`)
    expect(other.cookies.get(COOKIE)).toBe(one.cookies.get(COOKIE))
    expect(keptBy(other)).toMatchObject({ engines: ['engine_b'], theme: 'light', lang: 'nl' })
  })

  it.each(['', 'hello', 'theme=dark&safe=perhaps', `<script>alert(1)</script>${'x'.repeat(600)}`])(
    '400: what is not such a line is refused whole and given back as text: %s',
    async (code) => {
      const { browser } = await open()
      const visitor = browser()
      const reply = await visitor.submit(`${PATH}/import`, { code }, PATH)
      expect(reply.status).toBe(400)
      expect(reply.body).toContain('id="field-code-error">This is not a preferences export')
      expect(reply.body).not.toContain('<script>alert')
      expect(visitor.cookies.has(COOKIE)).toBe(false)
    },
  )

  it('resets to the defaults', async () => {
    const { browser } = await open()
    const visitor = browser()
    await visitor.submit(PATH, { ...UNCHANGED, theme: 'dark' })
    const reply = await visitor.submit(`${PATH}/reset`, {}, PATH)
    expect(reply.location).toBe(`${PATH}?done=wasReset`)
    expect(visitor.cookies.get(COOKIE)).toBe(exportPreferences(DEFAULT_PREFERENCES))
  })

  it('without engines there is no engine field, and the rest can be saved', async () => {
    const { search } = openStagedSearch()
    const { browser } = await open({ search: { ...search, engineNamesOf: () => [] } })
    const visitor = browser()
    expect((await visitor.get(PATH)).body).not.toContain('name="engines"')
    await visitor.submit(PATH, { ...UNCHANGED, engines: [], theme: 'dark' })
    expect(keptBy(visitor).theme).toBe('dark')
  })

  const suggest = { providerNames: ['Wikipedia', 'DuckDuckGo'], suggest: () => Promise.reject(new Error('not asked')) }
  const cards = { providerNames: ['Wikidata'], list: [], cards: () => Promise.reject(new Error('not asked')) }

  it.each([
    ['users', 'a user', true],
    ['users', 'a stranger', false],
    ['all', 'a stranger', true],
    ['off', 'a user', false],
  ] as [SuggestionsFor, string, boolean][])(
    'with SITE_SUGGESTIONS=%s, %s has the choice of suggestions: %s',
    async (suggestionsFor, who, isOffered) => {
      const { browser } = await open({ suggest, suggestionsFor })
      const visitor = browser(who === 'a user' ? USER : undefined)
      const { body } = await visitor.get(PATH)
      expect(body.includes('name="suggestions"')).toBe(isOffered)
      const { suggestions: _, ...without } = UNCHANGED
      await visitor.submit(PATH, without)
      // Who had no box to tick has not decided anything.
      expect(keptBy(visitor).suggestions).toBe(!isOffered)
    },
  )

  it('says what is sent to whom under the stored preferences', async () => {
    const { browser } = await open({ suggest, cards, suggestionsFor: 'all' })
    const visitor = browser()
    const told = (await visitor.get(PATH)).text
    expect(told).toContain('While you type, your words go to Wikipedia and DuckDuckGo.')
    expect(told).toContain('For cards, web searches also go to Wikidata.')
    await visitor.submit(PATH, { ...UNCHANGED, suggestions: [], cards: [] })
    const later = (await visitor.get(PATH)).text
    expect(later).toContain('Nothing is sent while you type.')
    expect(later).not.toContain('Wikidata')
  })
})
