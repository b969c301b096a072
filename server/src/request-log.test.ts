import { fastify } from 'fastify'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'
import { recordRequests } from './request-log.ts'

const lines: string[] = []
const stream = { write: (line: string) => void lines.push(line) }

it('writes one whole line of JSON a request, with the route and never the query', async () => {
  const http = fastify()
  http.decorateRequest('keyId', undefined)
  recordRequests(http, pino({ level: 'info' }, stream), createMetrics())
  http.get('/search', (request) => {
    request.keyId = '42'
    return 'found'
  })
  await http.inject('/search?q=secret')
  await http.inject({ method: 'PUT', url: '/nowhere"\\?q=secret' })
  await http.close()
  const [found, lost] = lines.map((line) => JSON.parse(line))
  expect(lines.every((line) => line.endsWith('}\n') && !line.includes('secret'))).toBe(true)
  expect(found).toMatchObject({ level: 30, method: 'GET', route: '/search', status: 200, key: '42' })
  expect(lost).toMatchObject({ method: 'PUT', route: 'unmatched', status: 404 })
  expect(Date.parse(found.time)).toBeGreaterThan(Date.now() - 60_000)
})

it('writes nothing below the level that is asked for', async () => {
  lines.length = 0
  const http = fastify()
  recordRequests(http, pino({ level: 'warn' }, stream), createMetrics())
  await http.inject('/search')
  await http.close()
  expect(lines).toEqual([])
})
