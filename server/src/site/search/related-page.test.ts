import { describe, expect, it } from 'vitest'
import { Refusal } from '../../errors.ts'
import { openSiteStage, type SiteStage, type SiteStubs } from '../site.test-harness.ts'
import { openAnswers } from './answer-box.test-harness.ts'
import { relatedPage } from './related-page.ts'
import { resultsPage } from './results-page.ts'
import { openStagedSearch } from './search.test-harness.ts'

let stage: SiteStage | undefined

const MANY = Array.from({ length: 10 }, (_, index) => `climate <${index}>`)

async function open(given: Partial<SiteStubs> = {}, suggest = async () => MANY) {
  const asked: string[] = []
  const { search } = openStagedSearch()
  stage = await openSiteStage(
    {
      search,
      answers: openAnswers(),
      cards: { providerNames: [], cards: async () => ({ cards: {} }) } as never,
      suggestionsFor: 'all',
      suggest: {
        providerNames: ['Wikipedia'],
        async suggest(_caller, { text, lang }) {
          asked.push(`${text} ${lang}`.trim())
          return { suggestions: await suggest(), status: 'complete' }
        },
      },
      ...given,
    },
    [resultsPage, relatedPage],
  )
  return { browser: stage.browser(), asked }
}

const LINK = 'data-in-place="related"'
const listIn = (body: string) =>
  [...body.matchAll(/<li><a href="(\/search[^"]*)" dir="auto">/g)].map(([, href]) => href)

describe('related searches', () => {
  it('are behind a link below the first page of web results, and no search asks for them', async () => {
    const { browser, asked } = await open()
    const { body } = await browser.get('/search?q=climate&lang=de')
    expect(body).toContain(`<a href="/search/related?q=climate&amp;lang=de" ${LINK}>Related searches</a>`)
    expect(body.indexOf(LINK)).toBeGreaterThan(body.lastIndexOf('class="result-link"'))
    expect(asked).toEqual([])
  })

  it.each(['/search?q=climate&page=2', '/search?q=climate&tab=news', '/search?q=ab', '/search?q='])(
    'no link on %s',
    async (path) => {
      const { browser } = await open()
      expect((await browser.get(path)).body).not.toContain(LINK)
    },
  )

  it('are at most eight, search with the same filters, and are about the words without operators', async () => {
    const { browser, asked } = await open()
    const { body, status } = await browser.get('/search/related?q=climate+site:example.org&lang=de&results=on')
    expect(status).toBe(200)
    expect(asked).toEqual(['climate de'])
    expect(listIn(body)).toHaveLength(8)
    expect(listIn(body)[0]).toBe('/search?q=climate+%3C0%3E&amp;lang=de')
    expect(body).toContain('climate &lt;0&gt;')
  })

  it.each([
    ['the operator has turned suggestions off', { suggestionsFor: 'off' }, 'climate'],
    ['they are for users', { suggestionsFor: 'users' }, 'climate'],
    ['the text holds a secret', { queryGuard: 'warn' }, 'DE89 3704 0044 0532 0130 00'],
  ] as [string, Partial<SiteStubs>, string][])('nobody is asked if %s', async (_, given, q) => {
    const { browser, asked } = await open(given)
    const { body, status } = await browser.get(`/search/related?q=${encodeURIComponent(q)}`)
    expect(status).toBe(200)
    expect(asked).toEqual([])
    expect(listIn(body)).toEqual([])
    expect(body).toContain('No related searches were found.')
    expect((await browser.get(`/search?q=${encodeURIComponent(q)}`)).body).not.toContain(LINK)
  })

  it('are none if no provider answers', async () => {
    const { browser } = await open({}, () => Promise.reject(new Refusal('suggestions_failed', 'None responded.')))
    const { body, status } = await browser.get('/search/related?q=climate')
    expect(status).toBe(200)
    expect(listIn(body)).toEqual([])
  })
})
