// Rules for sites and `prefer_domains` in whole searches: later pages, streams; `explain` still adds up, and the
// engines aren't asked for anything else.

import { describe, expect, it } from 'vitest'
import { compileRules } from '../../src/rules/compile-rules.ts'
import type { RuleSet, SiteRule } from '../../src/rules/site-rules.ts'
import { Caller } from '../../src/search/caller.ts'
import type { MergedHit } from '../../src/search/merge.ts'
import type { SearchRequest } from '../../src/search/search-request.ts'
import type { SearchWatcher } from '../../src/search/search-watcher.ts'
import { useSharedInstance } from '../support/shared-instance.ts'
import { freshQuery } from './fresh-query.ts'

const server = useSharedInstance()

const freshText = () => decodeURIComponent(freshQuery())
const hostIn = (url: string) => new URL(url).hostname.replace(/^www\./, '')

interface Result {
  url: string
  explain: { score: number; engines: { addition: number }[]; adjustments?: { addition: number }[] }
}

describe('prefer_domains', () => {
  const search = async (tab: string, parameters: string): Promise<Result[]> => {
    const { status, json } = await server.api.get(`/api/v1/${tab}/?${parameters}`)
    expect(status).toBe(200)
    return json.results
  }

  it.each(['web', 'images', 'news', 'videos'])('moves results of %s up, and explains it', async (tab) => {
    const q = freshQuery()
    const plain = await search(tab, `q=${q}`)
    const domain = hostIn(plain.at(-1)?.url ?? '')
    const calls = server.sandbox.calls('brave').length
    const shaped = await search(tab, `q=${q}&include=explain&prefer_domains=${domain}`)
    expect(server.sandbox.calls('brave')).toHaveLength(calls)
    expect(shaped.map(({ url }) => url).sort()).toEqual(plain.map(({ url }) => url).sort())
    expect(shaped.map(({ url }) => url)).not.toEqual(plain.map(({ url }) => url))
    for (const { url, explain } of shaped) {
      const { score, engines, adjustments = [] } = explain
      expect([...engines, ...adjustments].reduce((sum, { addition }) => sum + addition, 0)).toBe(score)
      expect('adjustments' in explain).toBe(hostIn(url) === domain || hostIn(url).endsWith(`.${domain}`))
    }
    const scores = shaped.map(({ explain }) => explain.score)
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
  })
})

describe('rules', () => {
  const request = (text: string, rest: Partial<SearchRequest> = {}): SearchRequest => ({
    text,
    engines: [],
    safe: true,
    lang: '',
    page: 1,
    date: undefined,
    ...rest,
  })
  const rulesOf = (...rules: SiteRule[]) => compileRules([{ owner: 'key', rules }])
  const find = (wanted: SearchRequest, rules?: RuleSet, watcher?: SearchWatcher) => {
    const caller = new Caller({ findRules: () => rules })
    return server.instance.services.current().search.search({ caller, tab: 'web', request: wanted }, watcher)
  }

  it('a rewritten result of page 1 is not on page 2 again', async () => {
    const text = freshText()
    const [first] = (await find(request(text))).results
    const rules = await rulesOf({ pattern: hostIn(first?.hit.url ?? ''), action: 'rewrite', to: 'front.example' })
    const pages = [await find(request(text), rules), await find(request(text, { page: 2 }), rules)]
    expect(pages[0]?.results.some(({ hit }) => hostIn(hit.url) === 'front.example')).toBe(true)
    const shown = pages.flatMap(({ results }) => results.map(({ hit }) => hit.url))
    expect(new Set(shown).size).toBe(shown.length)
  })

  it('hold for what a stream shows before all engines have answered', async () => {
    const rules = await rulesOf({ pattern: '*.example', action: 'lower' })
    const shown: MergedHit[] = []
    const watcher: SearchWatcher = {
      onStart: () => undefined,
      onEngine: () => undefined,
      onResults: (soFar) => shown.push(...soFar().results),
      signal: new AbortController().signal,
    }
    const { results } = await find(request(freshText()), rules, watcher)
    expect(results.length).toBeGreaterThan(0)
    const lowered = shown.filter(({ hit }) => hostIn(hit.url).endsWith('.example'))
    expect(lowered.length).toBeGreaterThan(0)
    for (const { adjustments } of lowered) expect(adjustments).toMatchObject([{ action: 'lower' }])
  })
})
