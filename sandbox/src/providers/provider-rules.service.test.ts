import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Fault, SANDBOX_KEYS, type Sandbox, startSandbox } from '../sandbox.ts'
import { ALL_PROVIDERS } from './all.ts'
import { SAMPLE_REQUESTS, type SampleRequest } from './sample-requests.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterEach(() => sandbox.reset())
afterAll(() => sandbox.close())

async function ask({ slug, path, headers = {}, body }: SampleRequest, fault?: Fault) {
  sandbox.setFault(slug, fault)
  const post = body === undefined ? {} : { method: 'POST', body }
  const reply = await fetch(sandbox.urlOf(slug) + path, { headers, redirect: 'manual', ...post })
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}

/** GDELT escapes apostrophes, which is invalid JSON. */
const parse = (text: string): unknown => JSON.parse(text.replaceAll("\\'", "'"))

/** The Stack Exchange API throttles with status 400, and Mojeek with status 200. */
const OWN_WAYS_TO_THROTTLE: Readonly<Record<string, string>> = {
  mojeek: 'Daily Limit Reached',
  stackexchange: 'throttle_violation',
}

/** Providers for which no results is an error. */
const OWN_WAYS_TO_FIND_NOTHING: Readonly<Record<string, number>> = { jina: 422 }

const resultsIn = (text: string, { results }: SampleRequest): unknown =>
  results.reduce<unknown>(
    (json, name) => (Object(json) === json ? Reflect.get(Object(json), name) : undefined),
    parse(text),
  )

const countResults = (text: string, request: SampleRequest): number => {
  const results = resultsIn(text, request)
  return Array.isArray(results) ? results.length : -1
}

const named = SAMPLE_REQUESTS.map((request) => [`${request.slug} ${request.what}`, request] as const)

function expectReservedNames(text: string): void {
  // The name of an XML namespace looks like an address and is none.
  const addresses = text.replaceAll(/xmlns(?::\w+)?="[^"]*"/g, '')
  for (const [address] of addresses.matchAll(/https?:\/\/[^/"\\ <]+/g)) {
    expect(new URL(address).hostname).toMatch(/\.(example|test|example\.(org|net|com))$/)
  }
}

it('every provider has a valid request in sample-requests.ts', () => {
  expect(new Set(SAMPLE_REQUESTS.map(({ slug }) => slug))).toEqual(new Set(ALL_PROVIDERS.map(({ slug }) => slug)))
})

it('every provider that needs a key has one in SANDBOX_KEYS', () => {
  for (const provider of ALL_PROVIDERS) {
    const { slug } = provider
    const refusesStrangers = provider.badKey(0).status >= 400 || slug === 'mojeek'
    expect(SANDBOX_KEYS, slug).toHaveProperty(slug)
    if (SANDBOX_KEYS[slug] !== '') expect(refusesStrangers, slug).toBe(true)
  }
})

describe.each(named)('%s', (_, request) => {
  const { optionalMembers = [] } = ALL_PROVIDERS.find(({ slug }) => slug === request.slug) ?? {}
  const status = request.what === 'web by POST' ? 201 : 200

  it('is answered on reserved names, the same for the same request', async () => {
    const good = await ask(request)
    expect(good.status).toBe(status)
    if (!request.isLookup) expect(countResults(good.text, request)).toBeGreaterThanOrEqual(8)
    else if (good.text.startsWith('{')) expect(resultsIn(good.text, request)).toSatisfy(Boolean)
    expectReservedNames(good.text)
    expect((await ask(request)).text).toBe(good.text)
  })

  it('omit-optional and nulls: as many results have required members only', async () => {
    const good = await ask(request)
    const names = new RegExp(`"(${optionalMembers.join('|')})":(?!null)`)
    for (const kind of ['omit-optional', 'nulls'] as const) {
      const bare = await ask(request, { kind })
      expect(bare.status).toBe(status)
      if (!request.isLookup) expect(countResults(bare.text, request)).toBe(countResults(good.text, request))
      if (optionalMembers.length > 0) expect(bare.text).not.toMatch(names)
    }
  })

  it('wrong-shape: another reply has no results in their place, and no address', async () => {
    const good = await ask(request)
    if (!/^[[{]/.test(good.text)) return
    const wrong = await ask(request, { kind: 'wrong-shape' })
    expect(wrong.text).not.toBe(good.text)
    if (!request.isLookup) expect(resultsIn(wrong.text, request)).not.toSatisfy(Array.isArray)
    expect((await ask(request, { kind: 'wrong-shape', at: 'leaves' })).text).not.toMatch(/https?:/)
  })

  it('no-results: a good reply has none', async () => {
    if (request.isLookup) return
    const empty = await ask(request, { kind: 'no-results' })
    expect(empty.status).toBe(OWN_WAYS_TO_FIND_NOTHING[request.slug] ?? status)
    expect(resultsIn(empty.text, request) ?? []).toEqual([])
  })

  it('throttled: in the provider’s own words, with Retry-After', async () => {
    const { status, headers, text } = await ask(request, { kind: 'throttled', retryAfterSeconds: 7 })
    const ownWords = OWN_WAYS_TO_THROTTLE[request.slug]
    if (request.slug !== 'stackexchange') expect(headers.get('retry-after')).toBe('7')
    if (ownWords !== undefined) expect(text).toContain(ownWords)
    else expect(status).toBe(429)
  })

  it('badKey and status: never a good reply', async () => {
    const refused = await ask(request, { kind: 'badKey' })
    if (request.slug === 'mojeek') expect(refused.text).toContain('ERROR')
    else expect(refused.status).toBeGreaterThanOrEqual(400)
    expect((await ask(request, { kind: 'status', status: 503 })).status).toBe(503)
  })

  it('answers other paths and methods with its own 404', async () => {
    expect((await ask({ ...request, path: '/nowhere' })).status).toBe(404)
    const removed = await fetch(sandbox.urlOf(request.slug) + request.path, {
      method: 'DELETE',
      headers: request.headers ?? {},
    })
    expect(removed.status).toBe(404)
  })
})
