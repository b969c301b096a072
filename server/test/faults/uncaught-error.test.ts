// An uncaught error is logged without the text it quotes, and the process exits with code 1, so that a supervisor
// restarts it.
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServerProcess } from '../support/server-process.ts'
import { createTemporaryDatabase, type TemporaryDatabase } from '../support/temporary-database.ts'

let database: TemporaryDatabase
beforeAll(async () => {
  database = await createTemporaryDatabase()
})
afterAll(() => database?.drop())

/** Preloaded into the process; throws on a signal. The stack contains this source, so the secret is split. */
const throwing = (statement: string) =>
  `--import=data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${statement} })`)}`

it.each([
  ['uncaught exception', `JSON.parse('s' + 'ecret query')`],
  ['unhandled rejection', `Promise.reject(new TypeError('https://example.org/?q=s' + 'ecret+query'))`],
])('%s', async (kind, statement) => {
  const server = await startServerProcess({ DATABASE_URL: database.url, NODE_OPTIONS: throwing(statement) })
  // By then, all of its output has been read.
  const ended = once(server.process, 'close')
  server.process.kill('SIGUSR2')
  expect(await ended).toEqual([1, null])
  const lines = server.logged()
  expect(lines).not.toMatch(/secret/)
  const last = JSON.parse(lines.trim().split('\n').at(-1) ?? '')
  expect(last).toMatchObject({ level: 60, msg: kind, err: { stack: expect.stringContaining('    at ') } })
})
