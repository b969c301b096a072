import { describe, expect, it } from 'vitest'
import { Refusal } from '../../errors.ts'
import type { SuggestionsFor } from '../search-offers.ts'
import { openSiteStage, type SiteStubs, USER } from '../site.test-harness.ts'
import { openAnswers } from './answer-box.test-harness.ts'
import { homePage } from './home-page.ts'
import { openSearchPage, suggestPage } from './suggest-page.ts'

const TWO = ['climate <b>', 'climbing']

interface Scene extends Partial<SiteStubs> {
  providerNames?: string[]
  /** Suggests what Wikipedia would. */
  suggestions?: () => string[]
}

async function open({ providerNames = ['Wikipedia'], suggestions = () => TWO, ...services }: Scene = {}) {
  const asked: string[] = []
  const suggest: SiteStubs['suggest'] = {
    providerNames,
    async suggest(_caller, { text, lang }) {
      asked.push(`${text} ${lang}`)
      return { suggestions: suggestions(), status: 'complete' }
    },
  }
  const given = { suggestionsFor: 'all', answers: openAnswers(), suggest, ...services } as const
  const { browser } = await openSiteStage(given, [suggestPage, openSearchPage, homePage])
  return { browser, asked }
}

/** The suggestions with their descriptions, and how often a provider was asked. */
async function suggested(q: string, preferences = '', scene: Scene = {}) {
  const { browser, asked } = await open(scene)
  const reader = browser()
  if (preferences) reader.cookies.set('bowerbird_preferences', preferences)
  const [, texts, descriptions] = (await reader.get(`/suggest?q=${encodeURIComponent(q)}`)).json()
  return { texts, descriptions, asked: asked.length }
}

describe('GET /suggest', () => {
  it('replies in the format browsers read, in the reader’s preferred language', async () => {
    const { browser, asked } = await open()
    const reader = browser()
    reader.cookies.set('bowerbird_preferences', 'lang=de')
    const reply = await reader.get('/suggest?q=%20clim%20')
    const sure = { 'google:suggestrelevance': [1_300, 1_299] }
    expect(reply.json()).toEqual(['clim', TWO, [], [], sure])
    expect(reply.headers['content-type']).toBe('application/x-suggestions+json; charset=utf-8')
    // Nothing that is blocked later can come from the browser's cache.
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(asked).toEqual(['clim de'])
  })

  it('is empty if no provider answers', async () => {
    const suggestions = () => {
      throw new Refusal('suggestions_failed', 'No suggestion provider responded.')
    }
    expect((await suggested('abc', '', { suggestions })).texts).toEqual([])
  })

  it.each(['', ' ', 'ab', ' ab ', 'x'.repeat(501), '!gh bower', '!w climate anxiety', '!i cats'])(
    'calls no provider for %j, and suggests nothing',
    async (q) => {
      expect(await suggested(q)).toMatchObject({ texts: [], asked: 0 })
    },
  )

  it.each([
    ['!w', '!w', 'wikipedia.org'],
    ['!wikip', '!wikipedia', 'wikipedia.org'],
    ['!GH', '!gh', 'github.com'],
    ['bower bird !gh', 'bower bird !gh', 'github.com'],
    ['!i', '!i', 'Images'],
    ['!m', '!m', 'Maps'],
  ])('suggests bangs for %s, and nobody is asked', async (q, text, description) => {
    const { texts, descriptions, asked } = await suggested(q)
    expect(texts[0]).toBe(text)
    expect(descriptions[0]).toBe(description)
    expect(asked).toBe(0)
    expect(texts.length).toBeLessThanOrEqual(8)
    // One for each site: there are dozens of bangs for some.
    expect(new Set(descriptions).size).toBe(texts.length)
  })

  it.each([
    ['12 km in m', '= 12,000 m'],
    ['2^10', '= 1,024'],
    ['5 - 8', '= −3'],
  ])('has the answer to %s before what providers suggest: %s', async (q, answer) => {
    expect(await suggested(q)).toEqual({ texts: [q, ...TWO], descriptions: [answer, '', ''], asked: 1 })
  })

  it('asks no provider about what can be answered here, if the reader wants it so', async () => {
    expect(await suggested('2^10', 'answers_first=on')).toMatchObject({ texts: ['2^10'], asked: 0 })
  })

  it.each([
    ['is random', 'random number'],
    ['is about the reader', 'my ip'],
    ['is of another day elsewhere', 'what time is it'],
    ['is long', 'lorem ipsum 3 paragraphs'],
    ['comes from a source', 'weather in Paris'],
    ['is no bang', '!nosuchbangatall'],
    ['is ordinary', 'climate'],
  ])('describes nothing that %s: %s', async (_, q) => {
    expect(await suggested(q)).toMatchObject({ texts: TWO, descriptions: [] })
  })
})

describe('suggestions while typing', () => {
  it.each<[SuggestionsFor, 'a user' | 'a stranger', string, boolean]>([
    ['users', 'a user', '', true],
    ['users', 'a stranger', '', false],
    ['all', 'a user', '', true],
    ['all', 'a stranger', '', true],
    ['off', 'a user', '', false],
    ['all', 'a user', 'suggestions=off', false],
  ])('with SITE_SUGGESTIONS=%s, %s who prefers “%s” gets them: %s', async (suggestionsFor, who, preferences, gets) => {
    const { browser, asked } = await open({ suggestionsFor })
    const reader = browser(who === 'a user' ? USER : undefined)
    if (preferences) reader.cookies.set('bowerbird_preferences', preferences)
    for (const q of ['clim', '2^10', '!gh'])
      expect((await reader.get(`/suggest?q=${q}`)).json()[1].length > 0, q).toBe(gets)
    expect(asked.length > 0).toBe(gets)
    expect((await reader.get('/')).body.includes('data-suggest="Suggestions"')).toBe(gets)
  })
})

describe('suggestions in the address bar, which sends no cookies', () => {
  const openPrivate = (isSignedIn: () => boolean) =>
    open({
      isPublic: false,
      suggestionsFor: 'users',
      accounts: { sessions: { list: async () => (isSignedIn() ? [{ id: USER.sessionId }] : []) } } as never,
    })
  const pathIn = (body: string) => {
    const template = /template="http:\/\/site\.test(\/suggest[^"]*)"/.exec(body)?.[1] ?? ''
    return template.replace('{searchTerms}', 'clim').replaceAll('&amp;', '&')
  }

  it('work with a token in the description, until the session ends', async () => {
    let isSignedIn = true
    const { browser } = await openPrivate(() => isSignedIn)
    const { body, headers } = await browser(USER).get('/opensearch.xml')
    expect(headers['cache-control']).toBe('no-store')
    const path = pathIn(body)
    expect((await browser().get(path)).json()[1]).toHaveLength(2)
    const token = path.slice(path.indexOf('&t=') + 3)
    expect(pathIn((await browser().get(`/opensearch.xml?for=${token}`)).body)).toContain(token)
    isSignedIn = false
    expect((await browser().get(path)).status).toBe(401)
  })

  it('401: an invented or changed token is refused, and a good one gives access to nothing else', async () => {
    const { browser } = await openPrivate(() => true)
    const path = pathIn((await browser(USER).get('/opensearch.xml')).body)
    const forged = [path.replace('t=1.', 't=8.'), `${path}x`, path.replace(/t=.*/, 't=1.1.aaaaaaaaaaaaaaaaaaaaaa')]
    for (const wrong of forged) expect((await browser().get(wrong)).status, wrong).toBe(401)
    expect((await browser().get(`/?${path.slice(path.indexOf('t='))}`)).status).toBe(303)
  })
})

describe('GET /opensearch.xml', () => {
  it.each<[Scene]>([
    [{ suggestionsFor: 'users' }],
    [{ suggestionsFor: 'off' }],
    [{ isPublic: false }],
    [{ providerNames: [] }],
  ])('offers no suggestions that a visitor would not get: %j', async (scene) => {
    const { body } = await (await open(scene)).browser().get('/opensearch.xml')
    expect(body).toContain('/search?q={searchTerms}')
    expect(body).not.toContain('suggest')
  })

  it('has the search URL, at the address that people use', async () => {
    const { body, headers } = await (await open()).browser().get('/opensearch.xml')
    expect(headers['content-type']).toContain('application/opensearchdescription+xml')
    expect(body).toContain('template="http://site.test/search?q={searchTerms}"')
    expect(body).toContain('template="http://site.test/suggest?q={searchTerms}"')
  })
})
