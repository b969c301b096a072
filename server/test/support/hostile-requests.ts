// A compatible API answers any request in its own shape, never with a 5xx and never with a stack. `spec/` sends each of them
// some of these bodies, and `nightly/` all.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ODD_VALUES } from '../../../engines/test/odd-bodies.ts'
import { isErrorCode } from '../../src/errors.ts'
import { PERMISSION_SCOPES } from '../../src/keys/scopes.ts'
import { type CompatReply, sendTo } from '../spec/compat-request.ts'
import { startTestInstance, type TestInstance } from './test-instance.ts'

const UNLIMITED = { burst: '100000/min', sustained: '1000000/day' }

let instance: TestInstance
let key: string

type IsOwnShape = (body: Record<string, unknown>) => boolean

const saysError: IsOwnShape = ({ error }) => typeof error === 'string'
const saysDetail: IsOwnShape = ({ detail }) => typeof detail === 'string'
const saysAsTavily: IsOwnShape = ({ detail }) => typeof Object(detail).error === 'string'
const saysAsFirecrawl: IsOwnShape = ({ success, error }) => success === false && typeof error === 'string'
const saysAsRpc: IsOwnShape = ({ jsonrpc, error }) => jsonrpc === '2.0' && typeof Object(error).message === 'string'
/** The API names the invalid fields. */
const saysFields: IsOwnShape = (body) => Object.values(body).every((text) => Array.isArray(text)) || saysDetail(body)

const PATHS: Record<string, IsOwnShape> = {
  '/searxng': saysError,
  '/searxng/search': saysError,
  '/searxng/autocompleter': saysError,
  '/tavily/search': saysAsTavily,
  '/tavily/extract': saysAsTavily,
  '/firecrawl': saysAsFirecrawl,
  '/firecrawl/v1/search': saysAsFirecrawl,
  '/v2/search': saysAsFirecrawl,
  '/v2/scrape': saysAsFirecrawl,
  '//v1/search': saysAsFirecrawl,
  '/autocompleter': saysError,
  '/openwebui/search': saysDetail,
  '/openwebui/load': saysDetail,
  '/tools/search': saysDetail,
  '/tools/answer': saysDetail,
  '/tools/find_place': saysDetail,
  '/tools/translate': saysDetail,
  '/tools/suggest': saysDetail,
  '/tools/cards': saysDetail,
  '/tools/read': saysDetail,
  '/mcp': saysAsRpc,
  '/api/v1/read/': saysFields,
}

const MEMBERS =
  'q query text target tab page pageno max_results include_domains exclude_domains prefer_domains date_from date_to lat lon tz place method id url urls start length format requests dedupe limit sources categories tbs includeDomains excludeDomains safe scrapeOptions formats actions timeout include_raw_content'.split(
    ' ',
  )
const withMembers = (value: unknown) => Object.fromEntries(MEMBERS.map((name) => [name, value]))

/** URLs that the reader must not open, and some that are invalid. */
const ODD_ADDRESSES = [
  'http://127.0.0.1:1/',
  'http://[::1]/',
  'http://169.254.169.254/latest/meta-data',
  'http://localhost/',
  'http://2130706433/',
  'file:///etc/passwd',
  'https://harbour-gazette.example:6379/',
  'https://harbour-gazette.example/hostile-gone',
  `https://harbour-gazette.example/${'x'.repeat(5_000)}`,
  'https://\ud800.example/',
  'x'.repeat(20_000),
]

/** V8's parser can end the process at such a depth, though not at the first attempt: see engines/src/parsing/parse-json.ts. */
const DEEP = Array.from({ length: 20 }, () => `${'[1,'.repeat(20_000)}"x`)

/** Bodies that only some of them look at. */
const OWN_BODIES: Record<string, readonly object[]> = {
  '/mcp': ODD_VALUES.map((value) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: value })),
  '/tavily/extract': ODD_ADDRESSES.map((url) => ({ urls: url })),
  '/firecrawl': [
    ...ODD_VALUES.flatMap((value) => [
      { query: 'climate', sources: [value], categories: [value] },
      { query: 'climate', sources: [{ type: value, tbs: value }] },
      { query: 'climate', scrapeOptions: { formats: [value], actions: value } },
    ]),
    ...ODD_ADDRESSES.map((url) => ({ url })),
  ],
  '/openwebui/load': ODD_ADDRESSES.map((url) => ({ urls: [url] })),
  '/api/v1/read/': ODD_ADDRESSES.map((url) => ({ url })),
}

function expectHonest({ status, headers, text }: CompatReply, isOwnShape: IsOwnShape, sent: unknown): void {
  expect(status, JSON.stringify(sent)?.slice(0, 200)).toBeLessThan(500)
  if (status >= 400) expect(isOwnShape(JSON.parse(text)), text).toBe(true)
  expect([isErrorCode(headers.get('error-code')), text]).toEqual([status >= 400, text])
  expect(text).not.toMatch(/\n {4}at |\\n {4}at |node_modules/)
  expect(text).not.toContain(new URL(instance.sandbox.url).host)
}

/** Sends every API each `step`-th body. */
export function describeHostileRequests(step: number): void {
  beforeAll(async () => {
    instance = await startTestInstance({ URL_KEYS: 'on' })
    key = await instance.createKey({ ...UNLIMITED, scopes: [...PERMISSION_SCOPES] })
  })
  afterAll(() => instance?.close())

  const some = <Item>(items: readonly Item[]): Item[] => items.filter((_, at) => at % step === 0)

  it.each(Object.entries(PATHS))('%s answers any body in its own format', async (path, isOwnShape) => {
    const scheme = path.startsWith('/api/') ? 'Api-Key' : 'Bearer'
    const odd = ODD_VALUES.flatMap((value) => [value, withMembers(value)])
    const spoilt = ['{', '', '\0', '"', '['.repeat(5_000), '{"__proto__":{"q":1}}']
    for (const body of [...some([...odd, ...DEEP, ...(OWN_BODIES[path] ?? [])]), ...spoilt]) {
      expectHonest(await sendTo(instance.url, path, { key, body, scheme }), isOwnShape, body)
    }
  })

  it.each(['search', 'answer', 'cards', 'find_place', 'translate', 'suggest', 'read'])(
    'the MCP tool %s returns a result or an error message, whatever its arguments',
    async (name) => {
      const given = [
        ...ODD_VALUES.flatMap((value) => [value, withMembers(value)]),
        ...ODD_ADDRESSES.map((url) => ({ url, query: url, text: url })),
      ]
      for (const args of some(given)) {
        const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
        const reply = await sendTo(instance.url, '/mcp', { key, body })
        expectHonest(reply, saysAsRpc, body)
        const { result, error } = JSON.parse(reply.text)
        expect(typeof (error?.message ?? result?.content[0].text), reply.text).toBe('string')
      }
    },
  )

  it('no body makes the service log a bug', () => {
    const lines = instance.logged().split('\n')
    expect(lines.filter((line) => /"level":[56]0/.test(line))).toEqual([])
  })
}
