import { describe, expect, it } from 'vitest'
import { ANY, BOUNDS, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { you, youfree } from './you.ts'

describe('you', () => {
  it('asks by POST with the key in its header', () => {
    const request = you.tabs.web?.request(QUERY, { apiKey: 'key', baseUrl: '' })
    expect(request).toMatchObject({ method: 'POST', path: '/v1/search', headers: { 'x-api-key': 'key' } })
    expect(JSON.parse(request?.body ?? '')).toEqual({
      query: 'oak tree',
      count: 10,
      offset: 1,
      safesearch: 'strict',
      freshness: 'week',
      language: 'DE',
      country: 'AT',
    })
  })

  it('calls Japanese JP', () => {
    const request = you.tabs.web?.request({ ...ANY, lang: 'ja' }, { apiKey: 'key', baseUrl: '' })
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ language: 'JP', safesearch: 'off' })
  })

  it('takes domains: as a list, or joined in the address', () => {
    const request = you.tabs.web?.request({ ...ANY, ...BOUNDS }, { apiKey: 'key', baseUrl: '' })
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ include_domains: ['example.org'] })
    const excludeDomains = ['a.org', 'b.org']
    expect(youfree.tabs.web?.request({ ...ANY, excludeDomains }, { baseUrl: '' }).path).toMatch(
      /&exclude_domains=a\.org%2Cb\.org$/,
    )
  })

  it('takes a snippet where there is no description, without its Markdown', () => {
    const page = you.tabs.web?.parse(readFixture('you-web-page'), QUERY)
    expect(page?.hits.map(({ description }) => description)).toEqual([
      'Kurz erklärt.',
      'Heading A link in text.',
      'The third.',
    ])
  })
})

describe('youfree', () => {
  it('asks by GET without any credentials, and for a body that is not compressed', () => {
    expect(youfree.tabs.web?.request(ANY, { baseUrl: '' })).toEqual({
      path: '/v1/agents/search?query=oak%20tree&count=10&offset=0&safesearch=off',
      headers: { accept: 'application/json', 'accept-encoding': 'identity' },
    })
    expect(youfree.terms.dailyCalls).toBe(100)
  })
})
