import { describe, expect, it } from 'vitest'
import { Refusal } from '../../errors.ts'
import type { SuggestAnswer } from '../../search/suggest.ts'
import { openSiteStage } from '../site.test-stage.ts'
import { openSearchPage } from './opensearch-page.ts'
import { suggestPage } from './suggest-page.ts'

const asked: string[] = []

const open = (answer: () => SuggestAnswer, isPublic = true) =>
  openSiteStage(
    {
      isPublic,
      suggest: {
        async suggest({ text, lang }) {
          asked.push(`${text} ${lang}`)
          return answer()
        },
      },
    },
    [suggestPage, openSearchPage],
  )

const two = (): SuggestAnswer => ({ suggestions: ['climate <b>', 'climbing'], status: 'complete' })

describe('GET /suggest', () => {
  it('answers as browsers know it, in the language that the reader prefers', async () => {
    const site = await open(two)
    const browser = site.browser()
    browser.cookies.set('bowerbird_preferences', 'lang=de')
    const reply = await browser.get('/suggest?q=%20clim%20')
    expect(reply.json()).toEqual(['clim', ['climate <b>', 'climbing']])
    expect(reply.headers['content-type']).toBe('application/x-suggestions+json; charset=utf-8')
    expect(asked.at(-1)).toBe('clim de')
    await site.close()
  })

  it('has nothing to say where nobody answers, and asks nobody about nothing', async () => {
    const site = await open(() => {
      throw new Refusal(503, 'No provider of suggestions answered.')
    })
    expect((await site.browser().get('/suggest?q=a')).json()).toEqual(['a', []])
    const before = asked.length
    for (const q of ['', '%20', 'x'.repeat(501)]) {
      expect((await site.browser().get(`/suggest?q=${q}`)).json()[1]).toEqual([])
    }
    expect(asked.length).toBe(before)
    await site.close()
  })

  it('401: not for strangers where searching is not', async () => {
    const site = await open(two, false)
    expect((await site.browser().get('/suggest?q=a')).statusCode).toBe(401)
    await site.close()
  })
})

describe('GET /opensearch.xml', () => {
  it('says where to search, at the address that people use', async () => {
    const site = await open(two)
    const { body, headers } = await site.browser().get('/opensearch.xml')
    expect(headers['content-type']).toContain('application/opensearchdescription+xml')
    expect(body).toContain('template="http://site.test/search?q={searchTerms}"')
    expect(body).toContain('template="http://site.test/suggest?q={searchTerms}"')
    await site.close()
  })
})
