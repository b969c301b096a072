import { describe, expect, it } from 'vitest'
import { Refusal } from '../../errors.ts'
import type { SuggestAnswer } from '../../search/suggest.ts'
import { openSiteStage } from '../site.test-harness.ts'
import type { SuggestionsFor } from '../site-services.ts'
import { openAnswers } from './answer-box.test-harness.ts'
import { homePage } from './home-page.ts'
import { openSearchPage, suggestPage } from './suggest-page.ts'

const searchQuery: string[] = []

const ADA = { userId: '7', username: 'ada', isAdmin: false, sessionId: '1' }

interface Wishes {
  isPublic?: boolean
  suggestionsFor?: SuggestionsFor
  providerNames?: string[]
}

const open = (
  answer: () => SuggestAnswer,
  { isPublic = true, suggestionsFor = 'all', providerNames = ['Wikipedia'] }: Wishes = {},
) =>
  openSiteStage(
    {
      isPublic,
      suggestionsFor,
      answers: openAnswers(),
      suggest: {
        providerNames,
        async suggest({ text, lang }) {
          searchQuery.push(`${text} ${lang}`)
          return answer()
        },
      },
    },
    [suggestPage, openSearchPage, homePage],
  )

const two = (): SuggestAnswer => ({ suggestions: ['climate <b>', 'climbing'], status: 'complete' })

describe('GET /suggest', () => {
  it('replies in the format browsers read, in the reader’s preferred language', async () => {
    const site = await open(two)
    const browser = site.browser()
    browser.cookies.set('bowerbird_preferences', 'lang=de')
    const reply = await browser.get('/suggest?q=%20clim%20')
    const sure = { 'google:suggestrelevance': [1_300, 1_299] }
    expect(reply.json()).toEqual(['clim', ['climate <b>', 'climbing'], [], [], sure])
    expect(reply.headers['content-type']).toBe('application/x-suggestions+json; charset=utf-8')
    // Nothing that is blocked later can come from the browser's cache.
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(searchQuery.at(-1)).toBe('clim de')
  })

  it('is empty if no provider answers, and calls none for too short a text', async () => {
    const site = await open(() => {
      throw new Refusal('suggestions_failed', 'No suggestion provider responded.')
    })
    expect((await site.browser().get('/suggest?q=abc')).json().slice(0, 2)).toEqual(['abc', []])
    const before = searchQuery.length
    for (const q of ['', '%20', 'ab', '%20ab%20', 'x'.repeat(501)]) {
      expect((await site.browser().get(`/suggest?q=${q}`)).json()[1]).toEqual([])
    }
    expect(searchQuery.length).toBe(before)
  })
})

describe('what is suggested without asking anyone', () => {
  /** The suggestions with their descriptions, and how often a provider was asked. */
  async function suggested(q: string, preferences = '') {
    const site = await open(two)
    const browser = site.browser()
    if (preferences) browser.cookies.set('bowerbird_preferences', preferences)
    const before = searchQuery.length
    const [, texts, descriptions] = (await browser.get(`/suggest?q=${encodeURIComponent(q)}`)).json()
    return { texts, descriptions, asked: searchQuery.length - before }
  }

  it.each([
    ['!w', '!w', 'wikipedia.org'],
    ['!wikip', '!wikipedia', 'wikipedia.org'],
    ['!GH', '!gh', 'github.com'],
    ['bower bird !gh', 'bower bird !gh', 'github.com'],
    ['!i', '!i', 'Images'],
    ['!m', '!m', 'Maps'],
  ])('%s: bangs, and nobody is asked', async (q, text, description) => {
    const { texts, descriptions, asked } = await suggested(q)
    expect(texts[0]).toBe(text)
    expect(descriptions[0]).toBe(description)
    expect(asked).toBe(0)
    expect(texts.length).toBeLessThanOrEqual(8)
    expect(descriptions).toHaveLength(texts.length)
    // One for each site: there are dozens of bangs for some.
    expect(new Set(descriptions).size).toBe(descriptions.length)
  })

  it.each(['!gh bower', '!w climate anxiety', '!i cats'])('%s: nothing, and nobody is asked', async (q) => {
    expect(await suggested(q)).toEqual({ texts: [], descriptions: [], asked: 0 })
  })

  it.each([
    ['12 km in m', '= 12,000 m'],
    ['2^10', '= 1,024'],
    ['5 - 8', '= −3'],
  ])('%s: its answer, before what providers suggest', async (q, answer) => {
    const { texts, descriptions, asked } = await suggested(q)
    expect(texts).toEqual([q, 'climate <b>', 'climbing'])
    expect(descriptions).toEqual([answer, '', ''])
    expect(asked).toBe(1)
  })

  it('asks no provider about what can be answered here, if the reader wants it so', async () => {
    const { texts, asked } = await suggested('2^10', 'answers_first=on')
    expect(texts).toEqual(['2^10'])
    expect(asked).toBe(0)
  })

  it.each([
    ['random', 'random number'],
    ['about the reader', 'my ip'],
    ['of another day elsewhere', 'what time is it'],
    ['long', 'lorem ipsum 3 paragraphs'],
    ['from a source', 'weather in Paris'],
    ['a bang of nobody', '!nosuchbangatall'],
    ['ordinary', 'climate'],
  ])('what is %s has no description: %s', async (_, q) => {
    const { texts, descriptions } = await suggested(q)
    expect(texts).toEqual(['climate <b>', 'climbing'])
    expect(descriptions).toEqual([])
  })

  it('is not suggested either if suggestions are off', async () => {
    for (const q of ['!gh', '2^10']) expect((await suggested(q, 'suggestions=off')).texts).toEqual([])
  })
})

describe('suggestions while typing', () => {
  it.each([
    ['users', 'a user', true],
    ['users', 'a stranger', false],
    ['all', 'a user', true],
    ['all', 'a stranger', true],
    ['off', 'a user', false],
  ] as [SuggestionsFor, string, boolean][])(
    'with SITE_SUGGESTIONS=%s, %s gets them: %s; otherwise no provider is asked',
    async (suggestionsFor, who, gets) => {
      const site = await open(two, { suggestionsFor })
      const browser = site.browser(who === 'a user' ? ADA : undefined)
      const before = searchQuery.length
      expect((await browser.get('/suggest?q=clim')).json()[1]).toHaveLength(gets ? 2 : 0)
      expect(searchQuery.length - before).toBe(gets ? 1 : 0)
      expect((await browser.get('/')).body.includes('data-suggest="Suggestions"')).toBe(gets)
    },
  )
})

describe('suggestions in the address bar, which sends no cookies', () => {
  const openPrivate = (isSignedIn: () => boolean, suggestionsFor: SuggestionsFor = 'users') =>
    openSiteStage(
      {
        isPublic: false,
        suggestionsFor,
        answers: openAnswers(),
        suggest: { providerNames: ['Wikipedia'], suggest: async () => two() },
        accounts: { sessions: { list: async () => (isSignedIn() ? [{ id: '1' }] : []) } } as never,
      },
      [suggestPage, openSearchPage, homePage],
    )
  const templateIn = (body: string) => /template="http:\/\/site\.test(\/suggest[^"]*)"/.exec(body)?.[1] ?? ''
  const asked = (template: string) => template.replace('{searchTerms}', 'clim').replaceAll('&amp;', '&')

  it('work with a token in the description, until the session ends', async () => {
    let isSignedIn = true
    const site = await openPrivate(() => isSignedIn)
    const { body, headers } = await site.browser(ADA).get('/opensearch.xml')
    expect(headers['cache-control']).toBe('no-store')
    const path = asked(templateIn(body))
    expect((await site.browser().get(path)).json()[1]).toHaveLength(2)
    const token = path.slice(path.indexOf('&t=') + 3)
    expect(templateIn((await site.browser().get(`/opensearch.xml?for=${token}`)).body)).toContain(token)
    isSignedIn = false
    expect((await site.browser().get(path)).status).toBe(401)
  })

  it('401: an invented or changed token is refused, and a good one gives access to nothing else', async () => {
    const site = await openPrivate(() => true)
    const path = asked(templateIn((await site.browser(ADA).get('/opensearch.xml')).body))
    for (const wrong of [
      path.replace('t=7.', 't=8.'),
      `${path}x`,
      path.replace(/t=.*/, 't=7.1.aaaaaaaaaaaaaaaaaaaaaa'),
    ]) {
      expect((await site.browser().get(wrong)).status).toBe(401)
    }
    expect((await site.browser().get(`/?${path.slice(path.indexOf('t='))}`)).status).toBe(303)
  })

  it('are off where the operator turns suggestions off', async () => {
    const site = await openPrivate(() => true, 'off')
    expect((await site.browser(ADA).get('/opensearch.xml')).body).not.toContain('suggest')
  })
})

describe('GET /opensearch.xml', () => {
  it.each([
    [{ suggestionsFor: 'users' }],
    [{ suggestionsFor: 'off' }],
    [{ isPublic: false }],
    [{ providerNames: [] }],
  ] as [Wishes][])('offers no suggestions that a visitor would not get: %j', async (wishes) => {
    const site = await open(two, wishes)
    const { body } = await site.browser().get('/opensearch.xml')
    expect(body).toContain('/search?q={searchTerms}')
    expect(body).not.toContain('suggest')
  })

  it('has the search URL, at the address that people use', async () => {
    const site = await open(two)
    const { body, headers } = await site.browser().get('/opensearch.xml')
    expect(headers['content-type']).toContain('application/opensearchdescription+xml')
    expect(body).toContain('template="http://site.test/search?q={searchTerms}"')
    expect(body).toContain('template="http://site.test/suggest?q={searchTerms}"')
  })
})
