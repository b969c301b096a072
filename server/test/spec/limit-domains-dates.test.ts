// `limit`, domains and dates: never dropped in silence, never a further call, and nothing new in a body without them.
import { describe, expect, it } from 'vitest'
import { useSharedInstance } from '../support/shared-instance.ts'

const server = useSharedInstance()

interface Result {
  url: string
  date?: string
}

async function search(parameters: string, tab = 'web') {
  const { status, json, headers } = await server.api.get(`/api/v1/${tab}/?q=climate&${parameters}`)
  const results: Result[] = json.results
  return { status, json, results, hosts: new Set(results?.map(({ url }) => new URL(url).hostname)), headers }
}

const callsTo = (slug: string) => server.sandbox.calls(slug)
const inAnyOrder = (items: Iterable<string>) => [...items].sort()

describe('limit', () => {
  it('cuts the merged page and changes nothing else', async () => {
    const whole = await search('')
    const cut = await search('limit=3')
    expect(cut.json).toEqual({ ...whole.json, results: whole.results.slice(0, 3) })
    expect((await search('limit=50')).json).toEqual(whole.json)
    expect((await search('limit=')).json).toEqual(whole.json)
  })

  it('holds in every tab and in a stream', async () => {
    for (const tab of ['web', 'images', 'news', 'videos'])
      expect((await search('limit=2', tab)).results).toHaveLength(2)
    const stream = await fetch(`${server.url}/api/v1/web/?q=climate&limit=2`, {
      headers: { authorization: `Api-Key ${await server.createKey({})}`, accept: 'application/x-ndjson' },
    })
    const events = (await stream.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const lists = events.map(({ results, body }) => results ?? body?.results).filter(Array.isArray)
    expect(lists.length).toBeGreaterThan(0)
    for (const list of lists) expect(list.length).toBeLessThanOrEqual(2)
  })
})

describe('domains', () => {
  it('are kept to, subdomains included, and what is left out is counted', async () => {
    const [first = ''] = (await search('')).hosts
    const domain = first.replace(/^www\./, '')
    const only = await search(`include_domains=${domain}`)
    expect(only.results.length).toBeGreaterThan(0)
    for (const host of only.hosts) expect(`.${host}`.endsWith(`.${domain}`)).toBe(true)
    expect(only.headers.get('engine-status')).toMatch(/engine_a;ok;n=\d+;filtered=\d+;ms=/)
    const others = await search(`exclude_domains=https://www.${domain}/`)
    expect(others.results.length).toBeGreaterThan(0)
    for (const host of others.hosts) expect(`.${host}`.endsWith(`.${domain}`)).toBe(false)
  })

  it('reach an engine that understands them, and cost no further call if they leave nothing', async () => {
    const before = callsTo('brave').length
    const none = await search('include_domains=nowhere.example&exclude_domains=a.nowhere.example&engine=engine_a')
    expect([none.status, none.results]).toEqual([200, []])
    expect(none.headers.get('search-status')).toBe('complete')
    expect(none.headers.get('engine-status')).toMatch(/^engine_a;ok;n=0;filtered=[1-9]\d*;ms=\d+$/)
    expect(callsTo('brave').length - before).toBe(1)
    expect(callsTo('brave').at(-1)?.query['q']).toBe('climate site:nowhere.example -site:a.nowhere.example')
  })

  it('in another order are the same search', async () => {
    await search('include_domains=a.example,b.example')
    expect((await search('include_domains=b.example%20a.example')).headers.get('cache-status')).toBe('bowerbird; hit')
  })
})

describe('dates', () => {
  it('are absolute with include=date, and in no other body', async () => {
    const plain = await search('', 'news')
    const dated = await search('include=date', 'news')
    const withoutDates = dated.results.map((result) => ({ ...result, date: undefined }))
    expect(withoutDates).toEqual(plain.results)
    expect(plain.results.some((result) => 'date' in result)).toBe(false)
    for (const { date = '-' } of dated.results) if (date !== '') expect(new Date(date).toISOString()).toBe(date)
    expect(dated.results.some(({ date }) => date !== '')).toBe(true)
  })

  it.each(['web', 'news', 'videos'])('bound what %s finds', async (tab) => {
    const all = (await search('include=date', tab)).results.map(({ date = '' }) => date).filter(Boolean)
    const [oldest = '', newest = ''] = [inAnyOrder(all)[0], inAnyOrder(all).at(-1)]
    const middle = inAnyOrder(all)[Math.floor(all.length / 2)]?.slice(0, 10) ?? ''
    const until = (await search(`include=date&date_to=${middle}`, tab)).results
    for (const { date = '' } of until) if (date !== '') expect(date <= `${middle}T23:59:59.999Z`).toBe(true)
    const since = (await search(`include=date&date_from=${middle}`, tab)).results
    for (const { date = '' } of since) if (date !== '') expect(date >= middle).toBe(true)
    expect(since.length).toBeGreaterThan(0)
    expect(oldest <= newest).toBe(true)
  })

  it('are not asked of an engine that can keep to none', async () => {
    const { headers } = await search('date_from=2026-11-01')
    expect(headers.get('engine-status')).toContain('engine_c;skipped;for=date')
    expect(callsTo('brave').at(-1)?.query['freshness']).toMatch(/^2026-11-01to\d{4}-\d\d-\d\d$/)
  })
})
