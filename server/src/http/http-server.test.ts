import { describe, expect, it } from 'vitest'
import { ApiStage, LIMITS } from '../api/api.test-harness.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createHostCheck, createHttp } from './http-server.ts'

const CLOCK = Date.UTC(2026, 10, 16, 21, 30)

function open(options: Partial<Parameters<typeof createHttp>[0]> = {}, publicUrl = '') {
  const stage = new ApiStage()
  stage.reset(LIMITS)
  const services = { ...stage.services({ limits: LIMITS, publicUrl }), clock: () => CLOCK }
  return createHttp({
    ...services,
    metrics: createMetrics(),
    metricsToken: undefined,
    trustedProxies: [],
    isReady: () => true,
    ...options,
  })
}

describe('ALLOWED_HOSTS', () => {
  const isAllowed = createHostCheck(['search.example.org', 'bowerbird'], 'https://public.example.org/bower')

  it.each([
    'search.example.org',
    'SEARCH.example.org:8443',
    'search.example.org.',
    'bowerbird:8080',
    'public.example.org',
    'localhost:8080',
    '127.0.0.1:8080',
    '[::1]:8080',
    '192.168.1.7',
  ])('%s is a name of this instance', (host) => {
    expect(isAllowed?.(host)).toBe(true)
  })

  it.each([
    'evil.example',
    'search.example.org.evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '',
    '1.2.3',
  ])('%s is not', (host) => {
    expect(isAllowed?.(host)).toBe(false)
  })

  it('if it is not set, every name is accepted', () => {
    expect(createHostCheck(undefined, 'https://public.example.org')).toBeUndefined()
  })

  it('421: a request for another name is turned away before anything is done for it', async () => {
    const http = open({ isAllowedHost: isAllowed })
    const statusFor = async (host: string, url: string) =>
      (await http.inject({ method: 'GET', url, headers: { host } })).statusCode
    expect(await statusFor('evil.example', '/api/v1/openapi.json')).toBe(421)
    expect(await statusFor('search.example.org', '/api/v1/openapi.json')).toBe(200)
    expect(await statusFor('127.0.0.1:8080', '/readyz')).toBe(200)
    await http.close()
  })
})

describe('/.well-known/security.txt', () => {
  async function ask(operatorContact: string, publicUrl = '', method: 'GET' | 'POST' = 'GET') {
    const http = open({ operatorContact: () => operatorContact }, publicUrl)
    const reply = await http.inject({ method, url: '/.well-known/security.txt' })
    await http.close()
    return reply
  }

  it('has the contact, when it expires, and its own address', async () => {
    const { statusCode, headers, body } = await ask('ops@example.org', 'https://search.example.org')
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(body.split('\n').slice(1)).toEqual([
      'Contact: mailto:ops@example.org',
      'Expires: 2027-05-15T00:00:00.000Z',
      'Canonical: https://search.example.org/.well-known/security.txt',
      '',
    ])
    expect((await ask('https://example.org/security')).body).toContain('\nContact: https://example.org/security\n')
  })

  it.each(['', 'Ada, second floor', 'http://example.org', 'javascript:alert(1)', 'a@b\nContact: mailto:eve@example'])(
    '404: without a contact that the standard allows: %j',
    async (contact) => {
      expect((await ask(contact)).statusCode).toBe(404)
    },
  )

  it('405: anything but GET', async () => {
    expect((await ask('ops@example.org', '', 'POST')).statusCode).toBe(405)
  })
})
