import { describe, expect, it } from 'vitest'
import { openSiteStage } from '../site.test-harness.ts'
import { findBang } from './bang.ts'
import { resultsPage } from './results-page.ts'

/** What the site answers, and whether an engine was asked. */
async function ask(q: string, sent: Record<string, string> = { 'sec-fetch-site': 'none' }) {
  const asked: string[] = []
  const search = {
    slotNames: ['engine_a'],
    labelOf: () => 'An engine',
    attributionsOf: () => [],
    regionsOf: () => [],
    search: async ({ request }: { request: { text: string } }) => {
      asked.push(request.text)
      throw new Error('asked')
    },
  }
  const site = await openSiteStage({ isPublic: true, search: search as never }, [resultsPage])
  const { headers, status, body } = await site.browser().get(`/search?q=${encodeURIComponent(q)}`, sent)
  return { headers, status: status, body, asked }
}

describe('a bang', () => {
  it.each([
    ['!gh bower bird', 'https://github.com/search?q=bower%20bird'],
    ['bower bird !gh', 'https://github.com/search?q=bower%20bird'],
    ['!GitHub  a&b=c#d', 'https://github.com/search?q=a%26b%3Dc%23d'],
    ['!gh', 'https://github.com/'],
  ])('%s leads to another site without a referrer, and queries no engine', async (q, address) => {
    const { headers, status, asked, body } = await ask(q)
    expect(status).toBe(200)
    expect(headers['refresh']).toBe(`0; url=${address}`)
    expect(asked).toEqual([])
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
    expect(body).toContain('rel="noreferrer"')
  })

  it.each([
    ['a page of this site', { 'sec-fetch-site': 'same-origin' }, true],
    ['a page of this site over plain HTTP', { referer: 'http://site.test/' }, true],
    ['another site', { 'sec-fetch-site': 'cross-site' }, false],
    [
      'another site that claims to be this one',
      { 'sec-fetch-site': 'cross-site', referer: 'http://site.test/' },
      false,
    ],
    ['another host of the same domain', { 'sec-fetch-site': 'same-site' }, false],
    ['another site over plain HTTP', { referer: 'http://site.test.evil.example/' }, false],
    ['nowhere known', {}, false],
  ])('from %s: leaves by itself, or waits for a click', async (_, sent, leaves) => {
    const { headers, status, body } = await ask('!gh bower', sent)
    expect(status).toBe(200)
    expect('refresh' in headers).toBe(leaves)
    expect(body).toContain('<a href="https://github.com/search?q=bower" rel="noreferrer">')
  })

  it.each([
    ['!i bower', '/search?q=bower&tab=images'],
    ['bower !n', '/search?q=bower&tab=news'],
    ['!v bower', '/search?q=bower&tab=videos'],
    ['!science bower', '/search?q=bower&tab=science'],
    ['bower !code', '/search?q=bower&tab=code'],
    ['!m bower', '/maps?q=bower'],
  ])('%s leads to our own tab', async (q, address) => {
    const { headers, status, asked } = await ask(q)
    expect(status).toBe(303)
    expect(headers['location']).toBe(address)
    expect(asked).toEqual([])
  })

  it.each(['!nosuchbang climate', 'wow! climate', 'climate !gh more', '! climate', '!constructor climate', 'hello!'])(
    '%s is an ordinary search',
    async (q) => {
      expect((await ask(q)).asked).toEqual([q])
    },
  )

  it('never leads to another host, whatever is typed', async () => {
    for (const words of ['@evil.example', '//evil.example', '\\evil', '\ud800', '%2f%2fevil', 'a\r\nb', '..%2f']) {
      expect((await findBang('gh', words))?.host).toBe('github.com')
    }
  })
})
