// What clients send that a strict server would reject or misread: other forms of a page and a language, Latin-1 in the
// URL; and what is rejected with a hint: raw bytes in the URL, URLs that are too long.
import { describe, expect, it } from 'vitest'
import { rawRequest } from '../support/raw-request.ts'
import { useSharedInstance } from '../support/shared-instance.ts'
import { freshQuery } from './fresh-query.ts'

const server = useSharedInstance()

const send = (target: string, { method = 'GET', headers = '' } = {}) =>
  rawRequest(
    server.url,
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Api-Key ${server.key}\r\nConnection: close\r\n${headers}\r\n`,
  )

const web = (parameters: string) => server.api.get(`/api/v1/web/?${parameters}`)

describe('page and lang', () => {
  it.each(['auto', 'all', 'AUTO', ''])('%j is automatic', async (lang) => {
    const { json, headers } = await web(`q=${freshQuery()}&lang=${lang}`)
    expect(json.engine).toEqual(['engine_a', 'engine_b', 'engine_c'])
    expect(headers.get('engine-status')).not.toContain('for=lang')
  })
})

describe('raw bytes in the URL', () => {
  it.each([
    ['UTF-8', '/api/v1/web/?q=Zürich'],
    ['a space', '/api/v1/web/?q=oak bark'],
  ])('400 with a hint: %s', async (_what, target) => {
    const { status, body, headers } = await send(target)
    expect([status, JSON.parse(body)]).toEqual([400, { detail: expect.stringMatching(/Percent-encode the URL/) }])
    expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it('64 KB of headers after them are parsed in linear time', async () => {
    const hostile = `X: a${' '.repeat(60_000)}b\r\n`
    const startedAt = process.cpuUsage()
    const { status } = await send('/ü', { headers: hostile })
    const { user, system } = process.cpuUsage(startedAt)
    expect(status).toBe(400)
    // CPU time of server and client, which share this process. Quadratic parsing of these bytes took 17 s.
    expect((user + system) / 1_000).toBeLessThan(100)
  })
})

it('400: more than 100 parameters, at hardly any cost', async () => {
  const startedAt = process.cpuUsage()
  for (const path of ['/livez', '/api/v1/web/', '/nowhere']) {
    const reply = await fetch(`${server.url}${path}?${'a&'.repeat(7_900)}`)
    expect([reply.status, await reply.json()]).toEqual([400, { detail: 'Send at most 100 parameters in the URL.' }])
  }
  const { user, system } = process.cpuUsage(startedAt)
  expect((user + system) / 1_000).toBeLessThan(100)
})
