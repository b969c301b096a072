import { type FastifyInstance, fastify } from 'fastify'
import { expect, it } from 'vitest'
import { createLog, type LogLevel } from '../log.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { recordRequests } from './access-log.ts'

/** The log lines of some requests to a server with these routes. */
async function log(work: (http: FastifyInstance) => unknown, level: LogLevel = 'info'): Promise<string[]> {
  const lines: string[] = []
  const http = fastify({ bodyLimit: 10 })
  http.decorateRequest('keyId', undefined)
  recordRequests(http, { log: createLog(level, { write: (line) => void lines.push(line) }), metrics: createMetrics() })
  await work(http)
  await http.close()
  return lines
}

it('the access log logs one line of JSON per request, with the route and never the query', async () => {
  const lines = await log(async (http) => {
    http.get('/search', (request) => {
      request.keyId = '42'
      return 'found'
    })
    await http.inject('/search?q=secret')
    await http.inject({ method: 'PUT', url: '/nowhere"\\?q=secret' })
  })
  const [found, lost] = lines.map((line) => JSON.parse(line))
  for (const line of lines) expect(line).toMatch(/\}\n$/)
  expect(lines.join()).not.toContain('secret')
  expect(Object.keys(found)).toEqual(['level', 'time', 'request', 'method', 'route', 'status', 'ms', 'key'])
  expect(found).toMatchObject({ level: 30, method: 'GET', route: '/search', status: 200, key: '42' })
  expect(lost).not.toHaveProperty('key')
  expect(lost).toMatchObject({ method: 'PUT', route: 'unmatched', status: 404 })
  expect(Date.parse(found.time)).toBeGreaterThan(Date.now() - 60_000)
})

it('the access log logs refused requests too, with their status', async () => {
  const statuses = [400, 401, 403, 429, 500]
  const lines = await log(async (http) => {
    for (const status of statuses) http.get(`/${status}`, (_request, reply) => reply.code(status).send())
    http.post('/form', () => 'read')
    for (const status of statuses) await http.inject(`/${status}`)
    await http.inject('/nowhere')
    await http.inject({ method: 'POST', url: '/form', payload: { text: 'much too long' } })
  })
  const logged = lines.map((line) => JSON.parse(line)).map(({ route, status }) => `${route} ${status}`)
  expect(logged).toEqual(['/400 400', '/401 401', '/403 403', '/429 429', '/500 500', 'unmatched 404', '/form 413'])
})

it('in the access log every line has a UTC time, and nothing a client sends can start a new line', async () => {
  const headers = { 'user-agent': 'x"}\n{"level":50' }
  const lines = await log((http) => http.inject({ method: 'GET', url: '/a%0A%7B%22level%22:50%7D', headers }))
  expect(lines).toEqual([expect.stringMatching(/^[^\n]+\n$/)])
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 30, time: expect.stringMatching(/^\d{4}-.*T.*Z$/) })
})

it('the access log has nothing below the configured level', async () => {
  expect(await log((http) => http.inject('/search'), 'warn')).toEqual([])
})
