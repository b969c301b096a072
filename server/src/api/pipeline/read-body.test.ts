// The body of a POST, sent to the one endpoint that takes one.
import { describe, expect, it } from 'vitest'
import { setUpApi } from '../api.test-harness.ts'

const stage = setUpApi()
/** 100 characters in the longest encoding, and room for the rest. */
const MOST_BYTES = 100 * 12 + 4_096

interface Sent {
  type?: string
  headers?: Record<string, string>
  query?: string
  key?: string | null
}

const post = (body: string, { type = 'application/json', headers = {}, query = '', ...rest }: Sent = {}) =>
  stage.get(`/api/v1/translate/${query}`, {
    method: 'POST',
    body,
    headers: { ...(type && { 'content-type': type }), ...headers },
    ...rest,
  })
const asForm = (body: string, sent: Sent = {}) => post(body, { type: 'application/x-www-form-urlencoded', ...sent })
const askedOf = () => stage.asked.map(([, request]) => request)

describe('a body', () => {
  it.each([
    ['a form', 'application/x-www-form-urlencoded', 'q=Hello+%C3%A9t%C3%A9&target=fr'],
    [
      'a form that names its encoding',
      'Application/X-WWW-Form-Urlencoded; charset=utf-8',
      'q=Hello+%C3%A9t%C3%A9&target=fr',
    ],
    ['a JSON object', 'application/json', '{"q":"Hello été","target":"fr"}'],
    ['a JSON object that names its encoding', 'application/json;charset=UTF-8', '{"q":"Hello été","target":"fr"}'],
  ])('200: is %s', async (_, type, body) => {
    expect((await post(body, { type })).status).toBe(200)
    expect(askedOf()).toEqual([{ text: 'Hello été', textParameter: 'q', source: 'auto', target: 'fr' }])
  })

  it('wins over the query string, parameter by parameter', async () => {
    await asForm('q=from+the+body', { query: '?q=from+the+address&target=de' })
    expect(askedOf()).toMatchObject([{ text: 'from the body', target: 'de' }])
  })

  it('200: may be missing when the query string has everything', async () => {
    const { status } = await stage.get('/api/v1/translate/?q=Hello&target=fr', { method: 'POST' })
    expect(status).toBe(200)
  })

  it('may have unknown fields, which are ignored', async () => {
    const body = JSON.stringify({ q: 'Hello', target: 'fr', __proto__: 1, constructor: 'x', format: { html: true } })
    expect((await post(body)).status).toBe(200)
  })

  it.each(['[]', 'null', '"text"', '7', '{"q":', '', 'q=Hello&target=fr'])(
    '400: %j is not a JSON object',
    async (body) => {
      const { status, json, text } = await post(body, { headers: { 'content-length': `${body.length || 1}` } })
      expect(status).toBe(400)
      expect(json).toEqual({ detail: 'The request body is not a JSON object.' })
      expect(text).not.toContain('Hello')
    },
  )

  it('400: a field that is not text is reported under its name', async () => {
    const { status, json } = await post('{"q":7,"target":["fr"],"source":{}}')
    expect(status).toBe(400)
    expect(json).toEqual({
      q: ['Send this parameter as a string.'],
      target: ['Send this parameter only once.'],
      source: ['Send this parameter as a string.'],
    })
  })

  it('400: a field twice in a form', async () => {
    const { status, json } = await asForm('q=one&q=two&target=fr')
    expect(status).toBe(400)
    expect(json).toEqual({ q: ['Send this parameter only once.'] })
  })

  it('415: compressed', async () => {
    const { status } = await asForm('q=Hello&target=fr', { headers: { 'content-encoding': 'gzip' } })
    expect(status).toBe(415)
  })

  it('413: one byte too long, by Content-Length and by actual size', async () => {
    const fits = `target=fr&q=Hello&pad=${'x'.repeat(MOST_BYTES - 22)}`
    expect(Buffer.byteLength(fits)).toBe(MOST_BYTES)
    expect((await asForm(fits)).status).toBe(200)
    for (const headers of [{}, { 'transfer-encoding': 'chunked', 'content-length': '' }]) {
      const { status, json } = await asForm(`${fits}x`, { headers })
      expect(status).toBe(413)
      expect(json).toEqual({ detail: `The request body is too large. Send at most ${MOST_BYTES} bytes.` })
    }
  })

  it('429: limits are checked before its content', async () => {
    const key = stage.addKey({ burst: { count: 1, windowMs: 60_000 } })
    expect((await post('{', { key })).status).toBe(400)
    expect((await post('{', { key })).status).toBe(429)
    expect([stage.consumed.length, stage.counted]).toEqual([2, []])
  })
})
