// What the providers of `json-provider.ts` refuse: missing credentials, a parameter that does not exist, and those changes to
// their good request in fixtures/refused.json, which the real ones refuse too.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ALL_PROVIDERS } from './all.ts'
import { askProvider } from './provider-testing.ts'
import { SAMPLE_REQUESTS, type SampleRequest } from './sample-requests.ts'

type Change = Record<string, unknown>

const REFUSED: Readonly<Record<string, Change[]>> = JSON.parse(
  readFileSync(new URL('../../fixtures/refused.json', import.meta.url), 'utf8'),
)

/** Headers that are wrong where no key is needed. */
const STRANGERS: Readonly<Record<string, Record<string, string>>> = {
  firecrawlfree: { authorization: 'Bearer ' },
  githubfree: { authorization: 'Bearer ' },
  semanticscholar: { 'x-api-key': 'wrong' },
  tavilyfree: {},
  youfree: { authorization: 'Bearer ' },
}

describe.each(Object.entries(REFUSED))('%s', (slug, changes) => {
  const provider = ALL_PROVIDERS.find((each) => each.slug === slug) ?? expect.unreachable(slug)
  const request = SAMPLE_REQUESTS.find((each) => each.slug === slug) ?? expect.unreachable(slug)

  const statusOf = (change: Change, { path, headers = {}, body }: SampleRequest = request) => {
    const { pathname, searchParams } = new URL(path, 'https://sandbox.example')
    const query = Object.fromEntries(searchParams)
    if (body !== undefined) {
      const changed = JSON.stringify({ ...JSON.parse(body), ...change })
      return askProvider(provider, { path: pathname, query, headers, body: changed }).status
    }
    for (const [name, value] of Object.entries(change)) query[name] = String(value)
    return askProvider(provider, { path: pathname, query, headers }).status
  }

  it('200: the good request', () => {
    expect(statusOf({})).toBe(200)
  })

  it.each([...changes, { nosuchparameter: 'x' }])('400: %j', (change) => {
    expect(statusOf(change)).toBe(400)
  })

  it('401 or 403: missing credentials', () => {
    const headers = STRANGERS[slug]
    if (provider.key === '' && headers === undefined) return
    const path = request.path.replace(provider.key || '\n', 'wrong')
    expect(statusOf({}, { ...request, path, headers: headers ?? {} })).toBe(slug === 'serper' ? 403 : 401)
  })
})
