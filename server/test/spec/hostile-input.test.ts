// Sends everything a program can send. Every reply is JSON, none is an unexpected 5xx, none shows a stack or an
// upstream address; and the server keeps running. ROUNDS=20, as every night, sends more.
import { METHODS } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RawReply, rawRequest } from '../support/raw-request.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 1)
const TEST_MS = 240_000 + ROUNDS * 60_000

interface Document {
  paths: Record<string, { get?: { parameters?: { name: string }[] } }>
}

let server: TestInstance
let key: string
let paths: string[]
let parameterNames: string[]

beforeAll(async () => {
  server = await startTestInstance()
  key = server.key
  const document: Document = (await server.api.get('/api/v1/openapi.json')).json
  paths = [...new Set([...Object.keys(document.paths), '/api/v1/openapi.json'])]
  parameterNames = [
    ...new Set(Object.values(document.paths).flatMap(({ get }) => (get?.parameters ?? []).map(({ name }) => name))),
  ]
})

afterAll(() => server?.close())

const OTHER_PATHS = ['/', '/api', '/api/v1', '/api/v1/nothing/', '/livez', '/readyz', '/metrics', '//', '/%', '/%00']
const NASTY_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'q[]', 'q[__proto__]', '', 'Q', 'length']
const NASTY_VALUES = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  '1e3',
  '-1',
  '0x10',
  'NaN',
  '9'.repeat(400),
  'engine_a,__proto__',
  'on\r\nX-Injected: 1',
  '"><script>',
  "'; drop table users; --",
  '../../etc/passwd',
  '{{7*7}}',
  'http://127.0.0.1:1/',
  '[object Object]',
  'x'.repeat(5_000),
  '𝕏'.repeat(499),
]

const HEADER_NAMES = [
  'Accept Accept-Encoding Accept-Language Accept-Version Connection Content-Encoding Content-Type Cookie Expect',
  'Forwarded If-None-Match Origin Range Referer TE Upgrade User-Agent Via X-Forwarded-For X-Forwarded-Host',
  'X-Forwarded-Proto X-HTTP-Method-Override X-Request-Id __proto__ constructor',
].flatMap((names) => names.split(' '))

/** Percent-encodes where needed, including lone surrogates, which no proper client can send. */
const encode = (text: string): string =>
  Array.from(text, (character) => (character.isWellFormed() ? encodeURIComponent(character) : '%ED%A0%80')).join('')

const name = () => fc.oneof(fc.constantFrom(...parameterNames), fc.constantFrom(...NASTY_NAMES), fc.string())
const value = () =>
  fc.oneof(
    fc.constantFrom(...NASTY_VALUES),
    fc.string({ unit: 'binary' }),
    fc.integer().map(String),
    fc.constantFrom('climate', 'all', 'off', 'w', 'de', 'engine_b'),
  )
const queryString = () =>
  fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: fc.tuple(name(), value()).map(([left, right]) => `${encode(left)}=${encode(right)}`) },
        {
          weight: 1,
          arbitrary: fc.constantFrom('q', '=', '%', 'q=%', 'q=%zz', 'q=%C3', 'q=%00', '&&', 'q=a;page=2', '?'),
        },
      ),
      { maxLength: 8 },
    )
    .map((pairs) => pairs.join('&'))

/** Printable, as header values must be; other bytes have their own tests. */
const headerText = () =>
  fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) })
const headerName = () => fc.oneof(fc.constantFrom(...HEADER_NAMES), fc.stringMatching(/^[A-Za-z-]{1,20}$/))

const raw = async (text: string): Promise<RawReply> => await rawRequest(server.url, Buffer.from(text, 'latin1'))

const host = () => new URL(server.url).host

function expectHonest({ status, headers, body }: RawReply, method = 'GET'): void {
  expect(status === 503 || (status >= 200 && status < 500), `status ${status}`).toBe(true)
  expect(headers).not.toHaveProperty('x-injected')
  // A path of the website leads to a page or redirects to sign-in.
  const type = headers['content-type'] ?? ''
  if (status === 303) expect(headers['location']).toMatch(/^\/login(?:\?next=%2F|$)/)
  else if (type.startsWith('text/html')) expect(headers['content-security-policy']).toContain("default-src 'none'")
  else {
    expect(type).toMatch(/^application\/json/)
    if (method !== 'HEAD') JSON.parse(body)
  }
  if (status >= 400) expect(body).not.toMatch(/node_modules|file:\/\/|\.ts\b|\n\s+at /)
  expect(body).not.toContain(new URL(server.sandbox.url).host)
}

describe('hostile input', { timeout: TEST_MS }, () => {
  it('in any parameter of any endpoint', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), queryString(), async (path, query) => {
        // This client also validates every reply against the OpenAPI document.
        const { status, headers, text } = await server.api.get(`${path}?${query}`, { key })
        expectHonest({ status, headers: Object.fromEntries(headers), body: text })
      }),
      { numRuns: 60 * ROUNDS },
    )
  })

  it('in any path', async () => {
    const anyPath = fc.oneof(
      fc.webPath(),
      fc.constantFrom(...OTHER_PATHS),
      fc.string().map((text) => `/api/v1/${encode(text)}`),
    )
    await fc.assert(
      fc.asyncProperty(anyPath, queryString(), async (path, query) => {
        expectHonest(
          await raw(`GET ${path || '/'}?${query} HTTP/1.1\r\nHost: ${host()}\r\nAuthorization: Api-Key ${key}\r\n\r\n`),
        )
      }),
      { numRuns: 20 * ROUNDS },
    )
  })

  it('in any header', async () => {
    const header = fc.tuple(headerName(), headerText()).map(([name, text]) => `${name}: ${text.trim()}\r\n`)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.array(header, { maxLength: 6 }), async (path, headers) => {
        const lines = `Host: ${host()}\r\nAuthorization: Api-Key ${key}\r\n${headers.join('')}`
        expectHonest(await raw(`GET ${path}?q=climate HTTP/1.1\r\n${lines}\r\n`))
      }),
      { numRuns: 30 * ROUNDS },
    )
  })

  it('in Authorization', async () => {
    const scheme = fc.constantFrom('Api-Key', 'api-key', 'Bearer', 'Basic', '', 'Api-Key\t', 'Api-Key  ')
    const text = fc.oneof(
      headerText(),
      fc.constantFrom(
        '',
        '.',
        'bowerbird_',
        key.slice(0, -1),
        `${key}x`,
        key.toUpperCase(),
        'a'.repeat(9_000),
        `${key} ${key}`,
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), scheme, text, async (path, scheme, text) => {
        const reply = await raw(
          `GET ${path}?q=x HTTP/1.1\r\nHost: ${host()}\r\nAuthorization: ${scheme} ${text}\r\n\r\n`,
        )
        expectHonest(reply)
        if (path === '/api/v1/openapi.json') return
        expect([400, 401, 429]).toContain(reply.status)
      }),
      { numRuns: 20 * ROUNDS },
    )
  })

  it('in Host, which is never used as more than a name', async () => {
    for (const weird of [
      '',
      '"><script>',
      '[::',
      'a b',
      'evil.example/path',
      'x'.repeat(3_000),
      '%00',
      '127.0.0.1:99999999',
    ]) {
      const reply = await raw(`GET /api/v1/ HTTP/1.1\r\nHost: ${weird}\r\nAuthorization: Api-Key ${key}\r\n\r\n`)
      expectHonest(reply)
      if (reply.status === 200) expect(new URL(JSON.parse(reply.body).web_search).pathname).toBe('/api/v1/web/')
    }
    expect((await raw(`GET /api/v1/ HTTP/1.1\r\nAuthorization: Api-Key ${key}\r\n\r\n`)).status).toBe(400)
  })

  it('as any method, with or without a body', async () => {
    const bodies = ['', '{"__proto__":{"a":1}}', '{"a', '\0\xff']
    for (const path of ['/api/v1/', '/api/v1/web/', '/api/v1/openapi.json', '/api/v1/nothing/', '/livez']) {
      for (const [turn, method] of [...METHODS, 'NONSENSE', 'get', '__proto__'].entries()) {
        const body = bodies[turn % bodies.length] ?? ''
        const type = turn % 3 === 0 ? 'application/json' : 'text/xml'
        const head = `Host: ${host()}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\nAuthorization: Api-Key ${key}`
        expectHonest(await raw(`${method} ${path} HTTP/1.1\r\n${head}\r\n\r\n${body}`), method)
      }
    }
  })

  it.each([
    ['no HTTP at all', '\0\x01\x02\xff\xfe\r\n\r\n'],
    ['the greeting of TLS', '\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03\r\n\r\n'],
    ['the greeting of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['half a request', 'GET /api/v1/ HTTP/1.1\r\nHost: x'],
    ['a path without a slash', 'GET api/v1/ HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a NUL in the path', 'GET /api/v1/\0 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a space in the path', 'GET /api/v1/ web/ HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a NUL in a header', 'GET /api/v1/ HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n'],
    ['a header of 100,000 characters', `GET /api/v1/ HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(100_000)}\r\n\r\n`],
    ['5,000 headers', `GET /api/v1/ HTTP/1.1\r\nHost: x\r\n${'A: a\r\n'.repeat(5_000)}\r\n`],
    ['a query of 100,000 characters', `GET /api/v1/web/?q=${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['two lengths', 'POST /api/v1/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST /api/v1/ HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a negative length', 'POST /api/v1/ HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    ['chunks that are none', 'POST /api/v1/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n'],
    ['a body that is declared and not sent', 'POST /api/v1/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n'],
    ['a tunnel', 'CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an upgrade', 'GET /api/v1/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['an expectation', 'GET /api/v1/ HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n'],
    ['everybody', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('on the wire: %s', async (_what, bytes) => {
    const reply = await raw(bytes)
    expectHonest(reply)
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.status).toBeLessThan(500)
  })

  // Last, because it checks the effect of all the tests before it.
  it('has left the server as it was, with no errors in its log', async () => {
    const { status, json } = await server.api.get('/api/v1/web/?q=climate', { key })
    expect(status).toBe(200)
    expect(json.engine).toEqual(['engine_a', 'engine_b', 'engine_c'])
    const bugs = server
      .logged()
      .split('\n')
      .filter((line) => /"level":[56]0/.test(line))
    expect(bugs).toEqual([])
  })
})
