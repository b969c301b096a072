import { describe, expect, it } from 'vitest'
import { Refusal } from '../../errors.ts'
import { found, setUpApi } from '../api.test-harness.ts'

const stage = setUpApi()
const PATH = '/api/v1/batch/'
const JSON_TYPE = { 'content-type': 'application/json' }

const send = (body: unknown, key?: string) =>
  stage.get(PATH, {
    method: 'POST',
    headers: JSON_TYPE,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(key !== undefined && { key }),
  })
const batch = (requests: unknown, key?: string) => send({ requests }, key)
const web = (id: string, q: string) => ({ id, endpoint: 'web', params: { q } })
/** Searches made, in order. */
const texts = () => stage.asked.map(([, , request]) => (request as { text: string }).text)

describe('a batch', () => {
  it('200: each part has the status, headers and exact text of its own reply', async () => {
    const alone = await stage.get('/api/v1/web/?q=climate')
    const { status, json, text, headers } = await batch([
      web('one', 'climate'),
      { id: 'two', endpoint: 'images/similar', params: { q: 'glacier' } },
      { id: 'three', endpoint: 'key' },
    ])
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('private, no-store')
    expect(json.responses.map(({ id, status }: { id: string; status: number }) => [id, status])).toEqual([
      ['one', 200],
      ['two', 200],
      ['three', 200],
    ])
    expect(text).toContain(`"body":${alone.text}}`)
    expect(json.responses[0].headers).toMatchObject({
      'Engine-Status': alone.headers['engine-status'],
      'Search-Status': 'complete',
      'RateLimit-Policy': alone.headers['ratelimit-policy'],
      'X-Request-Id': expect.stringMatching(/^[\da-f-]{36}$/),
    })
    expect(json.responses[1].body.results).toEqual([])
    expect(json.responses[2].body.name).toBe('laptop')
  })

  it('each part counts as one request, and the batch itself as none', async () => {
    await batch([web('1', 'one'), web('2', 'two'), { id: '3', endpoint: 'suggest', params: { q: 'cli' } }])
    expect(stage.counted.toSorted()).toEqual(['suggest', 'web_search', 'web_search'])
  })

  it('each part is checked separately: scope, limit, parameters and outcome', async () => {
    stage.says.search = async (tab, request) => {
      if (request.text === 'bug') throw new TypeError('canary')
      if (request.text === 'down')
        throw new Refusal('no_engine_responded', 'No search engine responded.', { 'Retry-After': '5' })
      return found(tab, request)
    }
    const key = stage.addKey({ scopes: new Set(['search']), burst: { count: 5, windowMs: 60_000 } })
    const { status, json, text } = await batch(
      [
        web('good', 'climate'),
        web('wrong', ''),
        { id: 'forbidden', endpoint: 'maps', params: { q: 'paris' } },
        web('down', 'down'),
        web('bug', 'bug'),
        web('last', 'two'),
        web('late', 'three'),
      ],
      key,
    )
    expect(status).toBe(200)
    expect(json.responses.map(({ id, status }: { id: string; status: number }) => `${id} ${status}`)).toEqual([
      'good 200',
      'wrong 400',
      'forbidden 403',
      'down 503',
      'bug 500',
      'last 200',
      'late 429',
    ])
    expect(json.responses[1].body).toEqual({ q: ['This parameter is required.'] })
    expect(json.responses.map(({ headers }: { headers: Record<string, string> }) => headers['Error-Code'])).toEqual([
      undefined,
      'parameter_invalid',
      'scope_missing',
      'no_engine_responded',
      'internal_error',
      undefined,
      'rate_limited',
    ])
    expect(json.responses[3]).toMatchObject({ headers: { 'Retry-After': '5' } })
    expect(json.responses[6]).toMatchObject({ headers: { 'Retry-After': '60' } })
    expect(text).not.toContain('canary')
    expect(stage.counted).toEqual(['web_search', 'web_search'])
  })

  it('identical requests are served and counted once, however their parameters are written', async () => {
    const { json } = await batch([
      { id: 'a', endpoint: 'web', params: { q: 'climate', page: 2 } },
      { id: 'b', endpoint: 'web', params: { page: '2', q: 'climate', lang: null } },
      { id: 'c', endpoint: 'web', params: { q: 'climate', page: 3 } },
    ])
    expect(stage.consumed.length).toBe(2)
    expect(stage.asked.length).toBe(2)
    const [a, b, c] = json.responses
    expect({ ...b, id: 'a' }).toEqual(a)
    expect([b.id, c.body.page]).toEqual(['b', 3])
  })

  it('parameters may be numbers, booleans and lists', async () => {
    await batch([{ id: '1', endpoint: 'web', params: { q: 7, safe: false, engine: ['engine_a', 'engine_b'] } }])
    expect(stage.asked[0]?.[2]).toMatchObject({ text: '7', safe: false, engines: ['engine_a', 'engine_b'] })
  })

  it('an id may be a number, and an endpoint the path that it has', async () => {
    const endpoints = ['web', 'web/', '/api/v1/web/', '/api/v1/web']
    const { json } = await batch(endpoints.map((endpoint, id) => ({ id, endpoint, params: { q: 'climate' } })))
    expect(json.responses.map(({ id, status }: { id: string; status: number }) => [id, status])).toEqual(
      endpoints.map((_, id) => [String(id), 200]),
    )
    // All of them are the same request.
    expect(stage.asked.length).toBe(1)
  })

  it('at most four parts are served concurrently', async () => {
    const before = stage.load.inFlight
    let most = 0
    stage.says.search = async (tab, request) => {
      most = Math.max(most, stage.load.inFlight - before)
      await new Promise((resolve) => setTimeout(resolve, 5))
      return found(tab, request)
    }
    await batch(Array.from({ length: 10 }, (_, at) => web(String(at), `query ${at}`)))
    expect(texts().length).toBe(10)
    // The four parts, and the batch.
    expect(most).toBe(5)
    await expect.poll(() => stage.load.inFlight).toBe(before)
  })

  it('a long text for translation fits in', async () => {
    const q = 'ü'.repeat(100)
    const { json } = await batch([{ id: '1', endpoint: 'translate', params: { q, target: 'fr' } }])
    expect(json.responses[0].body.translated_text).toBe(q)
  })
})

describe('an unreadable batch', () => {
  it.each([
    ['no list', {}, 'Send a list of 1 to 10 requests.'],
    ['another kind of list', { requests: 'web' }, 'Send a list of 1 to 10 requests.'],
    ['no request', { requests: [] }, 'Send a list of 1 to 10 requests.'],
    [
      'too many',
      { requests: Array.from({ length: 11 }, (_, at) => web(String(at), 'q')) },
      'Send a list of 1 to 10 requests.',
    ],
    ['no object', { requests: ['web'] }, 'Request 1: Send an object with id, endpoint and params.'],
    [
      'no id',
      { requests: [{ endpoint: 'key' }] },
      'Request 1: Send id as a string of 1 to 100 characters, or as a number.',
    ],
    [
      'a list for an id',
      { requests: [{ id: [1], endpoint: 'key' }] },
      'Request 1: Send id as a string of 1 to 100 characters, or as a number.',
    ],
    [
      'the same id, once as a number',
      { requests: [{ id: 1, endpoint: 'key' }, web('1', 'a')] },
      'Request 2: Another request in this batch has the same id.',
    ],
    [
      'a long id',
      { requests: [{ id: 'x'.repeat(101), endpoint: 'key' }] },
      'Request 1: Send id as a string of 1 to 100 characters, or as a number.',
    ],
    [
      'the same id',
      { requests: [web('1', 'a'), web('1', 'b')] },
      'Request 2: Another request in this batch has the same id.',
    ],
    ['too long a text', { requests: [web('1', 'x'.repeat(17_000))] }, 'Request 1: The parameters are too long.'],
    [
      'many parameters',
      {
        requests: [
          web('1', 'a'),
          { id: '2', endpoint: 'web', params: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [at, 'x'])) },
        ],
      },
      'Request 2: The parameters are too long.',
    ],
    [
      'a list of many values',
      { requests: [{ id: '1', endpoint: 'web', params: { q: Array(101).fill('x') } }] },
      'Request 1: The parameters are too long.',
    ],
  ])('400: %s', async (_what, body, message) => {
    const { status, json } = await send(body)
    expect({ status, json }).toEqual({ status: 400, json: { requests: [message] } })
    expect(stage.asked).toEqual([])
    // It counts against the rate limit, but not as usage.
    expect([stage.consumed.length, stage.counted]).toEqual([1, []])
  })

  it.each(['batch', 'nowhere', '../key', '', 'openapi.json', '/', '//', '/api/v1/', '/api/v2/web/', 7])(
    '400: %j is not an endpoint',
    async (endpoint) => {
      const { status, json } = await batch([{ id: '1', endpoint, params: {} }])
      expect(status).toBe(400)
      expect(json.requests).toEqual([expect.stringMatching(/^Request 1: Unknown endpoint\. Use web, images, /)])
    },
  )

  it.each([[['q']], ['q'], [{ q: { nested: 1 } }], [{ q: [['deep']] }]])(
    '400: %j are not parameters',
    async (params) => {
      const { status, json } = await batch([{ id: '1', endpoint: 'web', params }])
      expect(status).toBe(400)
      expect(json.requests).toEqual([
        'Request 1: Send params as an object whose values are strings, numbers, booleans or lists of these.',
      ])
    },
  )

  it.each(['', 'null', '[]', '{"requests":', '"web"', '7'])('400: %j is not a JSON object', async (body) => {
    const { status, json } = await send(body)
    expect(status).toBe(400)
    expect(json.detail).toMatch(/^The request body is not /)
  })

  it('401 without a key, 413 and 415 for a wrong size or type, 429 beyond the limit', async () => {
    expect((await stage.get(PATH, { method: 'POST', key: null, headers: JSON_TYPE, body: '{}' })).status).toBe(401)
    expect((await send(`"${'x'.repeat(300_000)}"`)).status).toBe(413)
    expect(
      (await stage.get(PATH, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' })).status,
    ).toBe(415)
    const key = stage.addKey({ burst: { count: 1, windowMs: 60_000 } })
    expect([(await send({}, key)).status, (await send({}, key)).status]).toEqual([400, 429])
  })

  it('405: another method', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS'] as const) {
      const { status, headers } = await stage.get(PATH, { method })
      expect([method, status, headers['allow']]).toEqual([method, 405, 'POST'])
    }
  })

  it('a parameter may have the name of an Object property', async () => {
    const body = '{"requests":[{"id":"1","endpoint":"web","params":{"q":"climate","__proto__":"x","constructor":"y"}}]}'
    expect((await send(body)).json.responses[0].status).toBe(200)
  })
})
