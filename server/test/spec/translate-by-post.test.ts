// Translation by POST, with form fields or with JSON. And invalid
// bodies: a body is read only for a valid key, and rejected only after the limits are checked.
import { describe, expect, it } from 'vitest'
import { rawRequest } from '../support/raw-request.ts'
import { useTestInstance } from '../support/test-instance.ts'

const PATH = '/api/v1/translate/'
const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
const MOST_BYTES = 200 * 12 + 4_096

const server = useTestInstance({ TRANSLATE_MAX_CHARACTERS: '200' })

interface Sent {
  type?: string
  path?: string
  key?: string | undefined
  headers?: Record<string, string>
}

const post = (body: string, { type, path = PATH, headers = {}, ...rest }: Sent = {}) =>
  server.api.get(path, {
    method: 'POST',
    body,
    headers: { ...(type !== undefined && { 'content-type': type }), ...headers },
    key: 'key' in rest ? rest.key : server.key,
  })
const postForm = (fields: Record<string, string>, sent: Sent = {}) =>
  post(new URLSearchParams(fields).toString(), { type: FORM, ...sent })

describe('a body', () => {
  it('may be a form', async () => {
    const { status, json } = await postForm({ q: 'hello & world', target: 'fr' })
    expect(status).toBe(200)
    expect(json).toEqual({ source: 'auto', target: 'fr', translated_text: 'bonjour & monde', detected_lang: 'en' })
  })

  it('may be chunked', async () => {
    const body = 'q=hello+wor|ld&target=f|r'.split('|')
    const chunks = body.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')
    const head = `Host: x\r\nAuthorization: Api-Key ${server.key}\r\nContent-Type: ${FORM}\r\nConnection: close`
    const raw = `POST ${PATH} HTTP/1.1\r\n${head}\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`
    const { status, body: told } = await rawRequest(server.url, raw)
    expect(status).toBe(200)
    expect(told).toContain('bonjour monde')
  })
})

describe('400', () => {
  it('prototype members are not fields', async () => {
    const { status, json } = await post('{"__proto__": {"q": "hello", "target": "fr"}, "constructor": 7}', {
      type: JSON_TYPE,
    })
    expect([status, Object.keys(json).toSorted()]).toEqual([400, ['q', 'target']])
  })

  it('the longest allowed text fits, in its longest encoding', async () => {
    const text = '𝕏'.repeat(200)
    expect((await postForm({ q: text, target: 'fr', source: 'en' })).json.translated_text).toContain(text)
    const escaped = text.replaceAll('𝕏', String.raw`\ud835\udd4f`)
    const { json } = await post(`{"q":"${escaped}","target":"fr","source":"en"}`, { type: JSON_TYPE })
    expect(json.translated_text).toContain(text)
  })
})

describe('multipart/form-data', () => {
  const send = (fields: Record<string, string | Blob>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    return fetch(`${server.url}${PATH}`, { method: 'POST', headers: { authorization: `Api-Key ${server.key}` }, body })
  }

  it('is read like a form, with every character', async () => {
    const reply = await send({ q: 'Grüße & 100 %\r\n猫', target: 'fr', source: 'en' })
    expect([reply.status, await reply.json()]).toEqual([200, expect.objectContaining({ source: 'en', target: 'fr' })])
  })

  it('400: a parameter that is missing, too long, or a file', async () => {
    expect(await (await send({ q: 'hello' })).json()).toEqual({ target: ['This parameter is required.'] })
    expect(await (await send({ q: 'x'.repeat(201), target: 'fr' })).json()).toEqual({
      q: ['Send at most 200 characters.'],
    })
    const file = await send({ q: new Blob(['hello']), target: 'fr' })
    expect([file.status, Object.keys((await file.json()) as object)]).toEqual([400, ['q']])
  })

  it.each(['--x\r\nnothing', 'q=hello', '--x\r\nContent-Disposition: form-data; name="q"\r\n\r\nhello'])(
    '400: a malformed body: %j',
    async (body) => {
      const { status, json } = await post(body, { type: 'multipart/form-data; boundary=x' })
      expect([status, json]).toEqual([400, { detail: 'The request body is not well-formed multipart/form-data.' }])
    },
  )
})

describe('the order of checks', () => {
  it('401: without a valid key the body is not even read', async () => {
    for (const key of [undefined, 'nonsense']) {
      for (const [type, body] of [
        [JSON_TYPE, '{'],
        ['text/plain', 'x'],
        [FORM, 'x'.repeat(MOST_BYTES * 2)],
      ] as const) {
        expect((await post(body, { type, key })).status).toBe(401)
      }
    }
    // The body is announced but never sent.
    const head = `Host: x\r\nContent-Type: ${FORM}\r\nContent-Length: 100\r\nConnection: close`
    expect((await rawRequest(server.url, `POST ${PATH} HTTP/1.1\r\n${head}\r\n\r\n`)).status).toBe(401)
  })

  it('a client that disconnects midway leaves nothing behind', async () => {
    const head = `Host: x\r\nAuthorization: Api-Key ${server.key}\r\nContent-Type: ${FORM}\r\nContent-Length: 100`
    await rawRequest(server.url, `POST ${PATH} HTTP/1.1\r\n${head}\r\n\r\nq=hel`)
    expect(server.logged()).not.toMatch(/"level":[56]0/)
    expect((await postForm({ q: 'hello', target: 'fr' })).status).toBe(200)
  })
})
