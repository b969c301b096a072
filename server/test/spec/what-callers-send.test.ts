// What callers send that a strict server would refuse or misread: other forms of a page and a language, raw and Latin-1
// characters in the address, and addresses that are too long.
import { beforeAll, describe, expect, it } from 'vitest'
import { rawRequest } from '../support/raw-request.ts'
import { type SharedInstance, shareInstance } from '../support/shared-instance.ts'
import { freshQuery } from './fresh-query.ts'

let server: SharedInstance
beforeAll(async () => {
  server = await shareInstance()
})

const send = (target: string, { method = 'GET', headers = '' } = {}) =>
  rawRequest(
    server.url,
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Api-Key ${server.key}\r\nConnection: close\r\n${headers}\r\n`,
  )

const web = (parameters: string) => server.api.get(`/api/v1/web/?${parameters}`)

describe('page and lang', () => {
  it.each([
    ['', 1],
    [' ', 1],
    ['+3', 3],
    ['3.0', 3],
    ['3.', 3],
  ])('"%s" is page %d', async (page, number) => {
    const { status, json } = await web(`q=climate&page=${encodeURIComponent(page)}`)
    expect([status, json.page]).toEqual([200, number])
  })

  it.each(['auto', 'all', 'AUTO', ''])('%j is automatic', async (lang) => {
    const { json, headers } = await web(`q=${freshQuery()}&lang=${lang}`)
    expect(json.engine).toEqual(['engine_a', 'engine_b', 'engine_c'])
    expect(headers.get('engine-status')).not.toContain('for=lang')
  })

  it('de_DE is de-DE', async () => {
    const q = freshQuery()
    const [one, other] = [await web(`q=${q}&lang=de_DE`), await web(`q=${q}&lang=de-DE`)]
    expect([one.status, one.json]).toEqual([200, other.json])
  })
})

describe('raw UTF-8', () => {
  it.each(['Zürich', '猫', 'café+crème', 'Ωmega%20x'])('q=%s is searched as it stands', async (q) => {
    const { status, body, headers } = await send(`/api/v1/web/?q=${q}`)
    expect(status).toBe(200)
    expect(JSON.parse(Buffer.from(body, 'latin1').toString()).query).toBe(decodeURIComponent(q.replaceAll('+', ' ')))
    expect(headers['search-status']).toBe('complete')
    expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
  })

  it('needs a key, and is limited and counted as any request', async () => {
    const key = await server.createKey({ burst: '2/min' })
    const ask = () => send('/api/v1/web/?q=Zürich', { headers: `X: y\r\n` })
    const own = (authorization: string) =>
      rawRequest(server.url, `GET /api/v1/web/?q=Zürich HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`)
    expect((await ask()).status).toBe(200)
    expect((await own('')).status).toBe(401)
    const statuses = []
    for (let round = 0; round < 3; round++) statuses.push((await own(`Authorization: Api-Key ${key}\r\n`)).status)
    expect(statuses).toEqual([200, 200, 429])
  })

  it('HEAD has no body', async () => {
    const { status, body } = await send('/api/v1/web/?q=Zürich', { method: 'HEAD' })
    expect([status, body]).toEqual([200, ''])
  })

  it.each([
    ['a body', '/api/v1/web/?q=ü', 'Content-Length: 3\r\n'],
    ['a chunked body', '/api/v1/web/?q=ü', 'Transfer-Encoding: chunked\r\n'],
    ['a header twice', '/api/v1/web/?q=ü', 'X: 1\r\nX: 2\r\n'],
    ['a header that is none', '/api/v1/web/?q=ü', 'no header\r\n'],
    ['a space in the address', '/api/v1/web/?q=ü b', ''],
  ])('400: with %s', async (_what, target, headers) => {
    const { status, body } = await send(target, { headers })
    expect([status, JSON.parse(body)]).toEqual([400, { detail: 'The request is not well-formed HTTP.' }])
  })
})

it.each([
  ['caf%E9', 'café'],
  ['Z%FCrich', 'Zürich'],
  ['100%25', '100%'],
  ['%ZZ', '%ZZ'],
])('q=%s is read as %s', async (written, query) => {
  const { status, json } = await server.api.get(`/api/v1/web/?q=${written}`)
  expect([status, json.query]).toEqual([200, query])
})

describe('too long', () => {
  it.each([
    ['414: an address', `/api/v1/web/?q=${'x'.repeat(20_000)}`, '', 414, /^The address is too long\./],
    [
      '431: headers',
      '/api/v1/web/?q=oak',
      `X: ${'x'.repeat(20_000)}\r\n`,
      431,
      /^The headers of the request are too long\.$/,
    ],
  ])('%s', async (...[, target, more, code, detail]) => {
    const { status, body, headers } = await send(target, { headers: more })
    expect([status, JSON.parse(body)]).toEqual([code, { detail: expect.stringMatching(detail) }])
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
  })
})
