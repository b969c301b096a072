import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import { createLog, type LogLevel } from '../log.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { recordRequests } from './access-log.ts'

const lines: string[] = []
const logTo = (level: LogLevel) => createLog(level, { write: (line) => void lines.push(line) })

it('logs one line of JSON per request, with the route and never the query', async () => {
  const http = fastify()
  http.decorateRequest('keyId', undefined)
  recordRequests(http, { log: logTo('info'), metrics: createMetrics() })
  http.get('/search', (request) => {
    request.keyId = '42'
    return 'found'
  })
  await http.inject('/search?q=secret')
  await http.inject({ method: 'PUT', url: '/nowhere"\\?q=secret' })
  await http.close()
  const [found, lost] = lines.map((line) => JSON.parse(line))
  expect(lines.every((line) => line.endsWith('}\n') && !line.includes('secret'))).toBe(true)
  expect(Object.keys(found)).toEqual(['level', 'time', 'request', 'method', 'route', 'status', 'ms', 'key'])
  expect(lost).not.toHaveProperty('key')
  expect(found).toMatchObject({ level: 30, method: 'GET', route: '/search', status: 200, key: '42' })
  expect(lost).toMatchObject({ method: 'PUT', route: 'unmatched', status: 404 })
  expect(Date.parse(found.time)).toBeGreaterThan(Date.now() - 60_000)
})

it('logs refused requests too, with their status', async () => {
  lines.length = 0
  const http = fastify({ bodyLimit: 10 })
  recordRequests(http, { log: logTo('info'), metrics: createMetrics() })
  for (const status of [400, 401, 403, 429, 500]) http.get(`/${status}`, (_request, reply) => reply.code(status).send())
  http.post('/form', () => 'read')
  for (const status of [400, 401, 403, 429, 500]) await http.inject(`/${status}`)
  await http.inject('/nowhere')
  await http.inject({ method: 'POST', url: '/form', payload: { text: 'much too long' } })
  await http.close()
  const logged = lines.map((line) => JSON.parse(line)).map(({ route, status }) => `${route} ${status}`)
  expect(logged).toEqual(['/400 400', '/401 401', '/403 403', '/429 429', '/500 500', 'unmatched 404', '/form 413'])
})

it('every line has a UTC time, and nothing a client sends can start a new line', async () => {
  lines.length = 0
  const http = fastify()
  recordRequests(http, { log: logTo('info'), metrics: createMetrics() })
  await http.inject({ method: 'GET', url: '/a%0A%7B%22level%22:50%7D', headers: { 'user-agent': 'x"}\n{"level":50' } })
  await http.close()
  expect(lines).toHaveLength(1)
  expect(lines[0]?.trimEnd()).not.toContain('\n')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 30, time: expect.stringMatching(/^\d{4}-.*T.*Z$/) })
})

it('logs nothing below the configured level', async () => {
  lines.length = 0
  const http = fastify()
  recordRequests(http, { log: logTo('warn'), metrics: createMetrics() })
  await http.inject('/search')
  await http.close()
  expect(lines).toEqual([])
})
