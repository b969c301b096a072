// QUERY_GUARD on a whole instance: what providers are asked, and what is stored.
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const IBAN = 'DE89370400440532013000'
const TOKEN = `ghp_${'aB3'.repeat(12)}`
const SECRET = new RegExp(`${IBAN}|${TOKEN}`)

const SLUGS = [...new Set([...ALL_ENGINES, ...ALL_SOURCES].map(({ slug }) => slug))]

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance({ ...WITHOUT_RATE_LIMIT, QUERY_GUARD: 'redact', SITE_ACCESS: 'public' })
})
afterAll(() => server.close())

const search = (text: string) => server.api.get(`/api/v1/web/?q=${encodeURIComponent(text)}`)
/** Everything that any provider was sent. */
const sent = (): string[] =>
  SLUGS.flatMap((slug) => server.sandbox.calls(slug)).map(({ path, query, body }) =>
    [decodeURIComponent(path), ...Object.values(query), body].join(' '),
  )

describe('QUERY_GUARD=redact', () => {
  it('no provider is asked with the secret, and the redacted query is the one that is cached', async () => {
    const first = await search(`glacier ${TOKEN} melting`)
    expect([first.status, first.json.query]).toEqual([200, 'glacier GitHub token melting'])
    expect(first.headers.get('query-guard')).toBe('redacted=github_token')
    expect(sent().some((address) => address.includes('glacier GitHub token melting'))).toBe(true)
    // Another token, and no token at all, are the same search.
    const callsBefore = sent().length
    const second = await search(`glacier ghp_${'zY9'.repeat(12)} melting`)
    const third = await search('glacier GitHub token melting')
    expect([second.headers.get('cache-status'), third.headers.get('cache-status')]).toEqual([
      expect.stringContaining('hit'),
      expect.stringContaining('hit'),
    ])
    expect(sent()).toHaveLength(callsBefore)
  })

  it('neither in suggestions, cards, answers, places, nor on the website', async () => {
    for (const endpoint of ['suggest', 'cards', 'instant', 'maps'])
      await server.api.get(`/api/v1/${endpoint}/?q=weather+in+${IBAN}`)
    const page = await fetch(`${server.url}/search?q=weather+in+${IBAN}`)
    expect([page.redirected, new URL(page.url).searchParams.get('q')]).toEqual([true, 'weather in IBAN'])
    expect(await page.text()).toContain('Left out of this search: IBAN.')
    expect(sent().filter((address) => SECRET.test(address))).toEqual([])
    expect(server.logged()).not.toMatch(SECRET)
  })
})
