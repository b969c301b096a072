// Every way to be refused has a status, a code and a body in JSON. `api-client.ts` checks in every other test that an
// error has a documented code; here each is provoked.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, disableUser } from '../../src/accounts/users.ts'
import { ALL_CARDS } from '../../src/cards/all.ts'
import { mintKey } from '../../src/keys/key-format.ts'
import { revokeKey, rotateKey } from '../../src/keys/keys.ts'
import { rawRequest } from '../support/raw-request.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

/** With everything that the sandbox simulates. */
let full: TestInstance
/** With everything turned off that can be. */
let bare: TestInstance
beforeAll(async () => {
  const settings = { SEARCH_TIMEOUT_MS: '2000', TRUSTED_PROXIES: '127.0.0.1' }
  full = await startTestInstance({ ...settings, ALLOWED_HOSTS: 'search.example.org', URL_KEYS: 'on' })
  const cards = ALL_CARDS.map(({ kind }) => kind).join(' ')
  const without = { SUGGEST: 'none', CARDS_DISABLED: cards, READER: 'off', KEYLESS_ENGINES: 'none' }
  const backends = { NOMINATIM_URL: '', PHOTON_URL: '', LIBRETRANSLATE_URL: '', APERTIUM_URL: '' }
  bare = await startTestInstance({ ...settings, ...without, ...backends, ENGINE_C: 'marginalia', API_MONTHLY_CAP: '1' })
})
afterAll(() => Promise.all([full?.close(), bare?.close()]))

interface Refusal {
  status: number
  headers: Headers | Record<string, string>
}
type Refused = Promise<Refusal>

const codeIn = ({ headers }: Refusal) =>
  headers instanceof Headers ? headers.get('error-code') : headers['error-code']
const coded = async (asking: Refused) => {
  const reply = await asking
  return `${reply.status} ${codeIn(reply)}`
}
const detail = { detail: expect.stringMatching(/^[A-Z].*\.$/) }

const raw = (bytes: string): Refused => rawRequest(full.url, bytes)
const post = (path: string, body: string, type = 'application/json'): Refused =>
  full.api.get(path, { method: 'POST', headers: { 'content-type': type }, body })
const revoked = async (): Promise<string> => {
  const key = await full.createKey()
  await revokeKey(full.instance.services.access, key)
  return key
}
const expired = async (): Promise<string> => {
  const key = await full.createKey()
  await rotateKey(full.instance.services.access, { key, graceSeconds: 0 })
  return key
}
const disabled = async (): Promise<string> => {
  const { access } = full.instance.services
  await createUser(access, { username: 'linus', password: 'correct horse battery' })
  const key = await full.createKey({ owner: { username: 'linus' } })
  await disableUser(access, 'linus')
  return key
}
describe('keys', () => {
  it.each([
    ['401 key_missing', async (): Promise<undefined> => undefined],
    ['401 key_malformed', async (): Promise<string> => 'bowerbird_typo'],
    ['401 key_unknown', async (): Promise<string> => mintKey(randomBytes).full],
    ['401 key_revoked', revoked],
    ['401 key_expired', expired],
    ['403 account_disabled', disabled],
    ['403 network_not_allowed', () => full.createKey({ networks: ['192.0.2.0/24'] })],
    ['403 scope_missing', () => full.createKey({ scopes: ['maps'] })],
  ] as const)('%s, with a detail', async (code, makeKey) => {
    const reply = await full.api.get('/api/v1/web/?q=a', { key: await makeKey() })
    expect(`${reply.status} ${codeIn(reply)}`).toBe(code)
    expect(reply.json).toEqual(detail)
  })

  it('429 rate_limited, in the documented words, and Retry-After has the same wait', async () => {
    const key = await full.createKey({ burst: '1/min' })
    await full.api.get('/api/v1/status/', { key })
    const reply = await full.api.get('/api/v1/web/?q=a', { key })
    expect(`${reply.status} ${codeIn(reply)}`).toBe('429 rate_limited')
    const seconds = reply.headers.get('retry-after')
    expect(seconds).toMatch(/^\d+$/)
    expect(reply.json).toEqual({ detail: `Request was throttled. Expected available in ${seconds} seconds.` })
  })

  it('key_in_url', async () => {
    expect(await coded(fetch(`${full.url}/k/${full.key}/searxng/search?q=a`))).toBe('403 key_in_url')
  })

  it('wrong_keys_limited', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.77' }
    for (let count = 0; count < 20; count++) await full.api.get('/api/v1/key/', { key: 'bowerbird_typo', headers })
    const refused = full.api.get('/api/v1/key/', { key: 'bowerbird_typo', headers })
    expect(await coded(refused)).toBe('429 wrong_keys_limited')
  })
})

describe('requests', () => {
  const sendMcp = (body: object): Refused =>
    fetch(`${full.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${full.key}`, 'content-type': 'application/json', accept: 'text/plain' },
      body: JSON.stringify(body),
    })

  it.each([
    ['400 parameter_invalid', () => full.api.get('/api/v1/web/?q=')],
    ['400 body_invalid', () => post('/api/v1/translate/', '[]')],
    ['400 request_malformed', () => raw('nonsense\r\n\r\n')],
    ['400 request_malformed', () => raw('GET /api/v1/ HTTP/1.1\r\n\r\n')],
    ['404 not_found', () => full.api.get('/api/v1/nowhere/')],
    ['405 method_not_allowed', () => full.api.get('/api/v1/web/', { method: 'DELETE' })],
    ['405 method_not_allowed', () => raw('CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['405 method_not_allowed', () => fetch(`${full.url}/tavily/search`, { method: 'HEAD' })],
    ['413 body_too_large', () => post('/api/v1/translate/', `{"q":"${'x'.repeat(200_000)}"}`)],
    ['414 url_too_long', () => raw(`GET /?q=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)],
    ['415 content_type_unsupported', () => post('/api/v1/translate/', 'hello', 'text/plain')],
    ['421 host_not_allowed', () => raw('GET /api/v1/ HTTP/1.1\r\nHost: evil.example\r\n\r\n')],
    ['431 headers_too_long', () => raw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)],
    ['400 message_invalid', () => sendMcp({ jsonrpc: '2.0', id: 1, method: 'nothing/such', params: 7 })],
    ['401 sign_in_required', () => fetch(`${full.url}/suggest?q=cli`)],
    ['404 not_found', () => fetch(`${full.url}/nowhere`, { headers: { accept: 'text/html' } })],
  ] as const)('%s', async (code, ask) => {
    expect(await coded(ask())).toBe(code)
  })

  it('400: of a malformed URL is JSON, and reveals no internals', async () => {
    const response = await fetch(`${full.url}/api/v1/web/%zz?q=climate`)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual({ detail: 'The request could not be read.' })
  })
})

describe('pages', () => {
  it('page_not_in_results and page_unreadable', async () => {
    const path = '/api/v1/read/?url=https://harbour-gazette.example/hostile-gone'
    const [own, any] = [
      await full.createKey({ scopes: ['read'] }),
      await full.createKey({ scopes: ['read', 'read_any'] }),
    ]
    expect(await coded(full.api.get(path, { key: own }))).toBe('403 page_not_in_results')
    expect(await coded(full.api.get(path, { key: any }))).toBe('422 page_unreadable')
  })
})

describe('providers that fail', () => {
  const SLUGS = 'brave mojeek marginalia wikipedia duckduckgo nominatim photon libretranslate apertium'.split(' ')

  it('503: each endpoint has its code, a detail that names no provider, and Retry-After', async () => {
    for (const slug of SLUGS) full.sandbox.setFault(slug, { kind: 'status', status: 500 })
    const q = freshQuery()
    for (const [path, code] of [
      [`web/?q=${q}`, 'no_engine_responded'],
      [`suggest/?q=${q}`, 'suggestions_failed'],
      [`maps/?q=${q}`, 'maps_failed'],
      [`translate/?q=${q}&target=fr`, 'translation_failed'],
    ]) {
      const reply = await full.api.get(`/api/v1/${path}`)
      expect(`${reply.status} ${codeIn(reply)}`).toBe(`503 ${code}`)
      expect(reply.json).toEqual(detail)
      expect(reply.text).not.toMatch(new RegExp(`http|127\\.0|sandbox|${SLUGS.join('|')}`, 'i'))
      expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    }
    const stream = await fetch(`${full.url}/api/v1/web/?q=${freshQuery()}`, {
      headers: { authorization: `Api-Key ${full.key}`, accept: 'application/x-ndjson' },
    })
    const last = JSON.parse((await stream.text()).trim().split('\n').at(-1) ?? '')
    expect(last).toMatchObject({ event: 'error', headers: { 'Error-Code': 'no_engine_responded' } })
    full.sandbox.reset()
  })

  it('200: engines that find nothing have answered', async () => {
    expect(await full.api.get('/api/v1/web/?q=nothingtofind')).toMatchObject({ status: 200, json: { results: [] } })
  })
})

describe('what is not configured', () => {
  it.each([
    ['no_engine_configured', '/api/v1/science/?q=a'],
    ['suggestions_not_configured', '/api/v1/suggest/?q=a'],
    ['maps_not_configured', '/api/v1/maps/?q=paris'],
    ['translation_not_configured', '/api/v1/translate/?q=a&target=fr'],
    ['cards_not_configured', '/api/v1/cards/?q=paris'],
  ])('%s', async (code, path) => {
    expect(await coded(bare.api.get(path))).toBe(`503 ${code}`)
  })

  it('reading pages is not found', async () => {
    expect(await coded(bare.api.get('/api/v1/read/?url=https://a.example/'))).toBe('404 not_found')
  })

  it('monthly_cap_reached', async () => {
    const key = await bare.createKey()
    await bare.api.get(`/api/v1/web/?q=${freshQuery()}`, { key })
    const refused = bare.api.get(`/api/v1/web/?q=${freshQuery()}`, { key })
    expect(await coded(refused)).toBe('429 monthly_cap_reached')
  })
})

it('a web page on another origin can read the code', async () => {
  const { headers } = await fetch(`${full.url}/api/v1/openapi.json`)
  expect(headers.get('access-control-expose-headers')).toContain('Error-Code')
})
