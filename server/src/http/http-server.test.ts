import { describe, expect, it } from 'vitest'
import { ApiStage, LIMITS } from '../api/api.test-harness.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createHostCheck, createHttp } from './http-server.ts'

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
    const stage = new ApiStage()
    stage.reset(LIMITS)
    const http = createHttp({
      api: stage.services({ limits: LIMITS }),
      metrics: createMetrics(),
      metricsToken: undefined,
      trustedProxies: [],
      isAllowedHost: isAllowed,
      isReady: () => true,
    })
    const statusFor = async (host: string, url: string) =>
      (await http.inject({ method: 'GET', url, headers: { host } })).statusCode
    expect(await statusFor('evil.example', '/api/v1/openapi.json')).toBe(421)
    expect(await statusFor('search.example.org', '/api/v1/openapi.json')).toBe(200)
    expect(await statusFor('127.0.0.1:8080', '/readyz')).toBe(200)
    await http.close()
  })
})
