import { describe, expect, it } from 'vitest'
import { DEFAULT_PREFERENCES, exportPreferences, type Preferences, preferencesOf } from '../preferences.ts'
import { openStagedSearch } from '../search/search.test-harness.ts'
import type { SuggestionsFor } from '../search-offers.ts'
import { expectPage, openSiteStage, pagesUnder, type SiteStubs, USER } from '../site.test-harness.ts'

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
const notAsked = () => Promise.reject(new Error('not asked'))
const { search } = openStagedSearch()

async function open(given: Partial<SiteStubs> = {}, viewer?: typeof USER) {
  const services: Partial<SiteStubs> = {
    search,
    cards: { providerNames: [], list: [], cards: notAsked },
    suggest: { providerNames: [], suggest: notAsked },
    ...given,
  }
  const { browser } = await openSiteStage(services, pagesUnder(PATH))
  const visitor = browser(viewer)
  const save = (fields: Record<string, string | string[]>) => visitor.submit(PATH, fields)
  const importCode = (code: string) => visitor.submit(`${PATH}/import`, { code }, PATH)
  const stored = (): Preferences => preferencesOf(visitor.cookies.get(COOKIE))
  return { ...visitor, save, importCode, stored, page: () => visitor.get(PATH) }
}

const chosenIn = (body: string): string =>
  [...body.matchAll(/value="([^"]*)"(?: checked| selected)/g)].map(([, value]) => value).join(' ')

describe('Settings → Search', () => {
  it('shows the defaults at first, with all engines under the names of their providers', async () => {
    const reply = await (await open()).page()
    expect(chosenIn(reply.body)).toBe('engine_a engine_b engine_c on auto all on on auto comfortable auto')
    expectPage(reply, {
      shows: [
        '>Brave</label>',
        '>Mojeek</label>',
        '>Openverse and Crossref</label>',
        'engines=all&amp;safe=on&amp;lang=auto',
      ],
    })
  })

  it('keeps every choice in the cookie, and shows it afterwards', async () => {
    const { save, stored, get } = await open()
    const { location } = await save({
      engines: ['engine_c', 'engine_a'],
      lang: 'de',
      region: 'AT',
      theme: 'dark',
      answers_first: 'on',
      density: 'compact',
      new_tab: 'on',
      interface: 'fr',
    })
    expect(location).toBe(`${PATH}?done=saved`)
    expect(stored()).toEqual({
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
    const reply = await get(location)
    expectPage(reply, {
      shows: ['<html lang="fr" dir="ltr" data-theme="dark" data-keys="off">', 'Vos préférences sont enregistrées.'],
    })
    expect(chosenIn(reply.body)).toBe('engine_a engine_c de AT on on dark compact fr')
  })

  it('choosing all engines includes those added later', async () => {
    const { save, stored } = await open()
    await save(UNCHANGED)
    expect(stored()).toEqual(DEFAULT_PREFERENCES)
  })

  it('400: choosing no engine shows an error at the field, changes nothing, and keeps the rest of the form', async () => {
    const { save, cookies } = await open()
    const reply = await save({ ...UNCHANGED, engines: [], theme: 'dark', lang: 'es' })
    expectPage(reply, { status: 400, shows: ['id="field-engines-error">Choose at least one engine.'] })
    expect(chosenIn(reply.body)).toBe('on es all on on dark comfortable auto')
    expect(cookies.has(COOKIE)).toBe(false)
  })

  it('ignores values that the form does not offer', async () => {
    const { save, stored } = await open()
    const odd = { safe: ['on', 'on'], lang: 'de; Path=/evil', theme: 'pink', interface: 'tlh' }
    await save({ ...UNCHANGED, engines: ['engine_b', 'engine_z', '<b>'], ...odd })
    expect(stored()).toEqual({ ...DEFAULT_PREFERENCES, engines: ['engine_b'] })
  })

  it('keeps an imported language that is not in the list', async () => {
    const { importCode, page, save, stored } = await open()
    await importCode('lang=pt-BR')
    expectPage(await page(), { shows: ['<option value="pt-BR" selected>pt-BR</option>'] })
    await save({ ...UNCHANGED, lang: 'pt-BR' })
    expect(stored().lang).toBe('pt-BR')
  })

  it('gives another browser the same preferences by the exported line', async () => {
    const [first, second] = [await open(), await open()]
    await first.save({ ...UNCHANGED, engines: 'engine_b', theme: 'light', lang: 'nl' })
    const code = /<code>([^<]+)<\/code>/.exec((await first.page()).body)?.[1]?.replaceAll('&amp;', '&')
    expect((await second.importCode(`  ${code}\n`)).location).toBe(`${PATH}?done=imported`)
    expect(second.stored()).toMatchObject({ engines: ['engine_b'], theme: 'light', lang: 'nl' })
    expect(second.stored()).toEqual(first.stored())
  })

  it.each(['', 'hello', 'theme=dark&safe=perhaps', `<script>alert(1)</script>${'x'.repeat(600)}`])(
    '400: what is not such a line is refused whole and given back as text: %s',
    async (code) => {
      const { importCode, cookies } = await open()
      const shows = ['id="field-code-error">This is not a preferences export']
      expectPage(await importCode(code), { status: 400, shows, hides: ['<script>alert'] })
      expect(cookies.has(COOKIE)).toBe(false)
    },
  )

  it('resets to the defaults', async () => {
    const { save, submit, cookies } = await open()
    await save({ ...UNCHANGED, theme: 'dark' })
    expect((await submit(`${PATH}/reset`, {}, PATH)).location).toBe(`${PATH}?done=wasReset`)
    expect(cookies.get(COOKIE)).toBe(exportPreferences(DEFAULT_PREFERENCES))
  })

  it('escapes provider names, and leaves out a slot without providers', async () => {
    const engineNamesOf = (slot: string) => (slot === 'engine_a' ? ['<i>Brave</i>'] : [])
    const { page } = await open({ search: { ...search, engineNamesOf } })
    expectPage(await page(), { shows: ['&lt;i&gt;Brave&lt;/i&gt;'], hides: ['engine_b'] })
  })

  it('without engines there is no engine field, and the rest can be saved', async () => {
    const { page, save, stored } = await open({ search: { ...search, engineNamesOf: () => [] } })
    expectPage(await page(), { hides: ['name="engines"'] })
    await save({ ...UNCHANGED, engines: [], theme: 'dark' })
    expect(stored().theme).toBe('dark')
  })

  const suggest = { providerNames: ['Wikipedia', 'DuckDuckGo'], suggest: notAsked }

  it.each<[SuggestionsFor, string, boolean]>([
    ['users', 'a user', true],
    ['users', 'a stranger', false],
    ['all', 'a stranger', true],
    ['off', 'a user', false],
  ])('with SITE_SUGGESTIONS=%s, %s has the choice of suggestions: %s', async (suggestionsFor, who, isOffered) => {
    const { page, save, stored } = await open({ suggest, suggestionsFor }, who === 'a user' ? USER : undefined)
    expect((await page()).body.includes('name="suggestions"')).toBe(isOffered)
    // Who had no box to tick has not decided anything.
    await save({ ...UNCHANGED, suggestions: [] })
    expect(stored().suggestions).toBe(!isOffered)
  })

  it('says what is sent to whom under the stored preferences', async () => {
    const cards = { providerNames: ['Wikidata'], list: [], cards: notAsked }
    const { page, save } = await open({ suggest, cards, suggestionsFor: 'all' })
    expectPage(await page(), {
      shows: [
        'While you type, your words go to Wikipedia and DuckDuckGo.',
        'For cards, web searches also go to Wikidata.',
      ],
    })
    await save({ ...UNCHANGED, suggestions: [], cards: [] })
    expectPage(await page(), { shows: ['Nothing is sent while you type.'], hides: ['Wikidata'] })
  })
})
