import { createServer } from 'node:http'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EditionClients, openEditionClients } from './edition-pools.ts'

const server = createServer((request, response) => response.end(request.url))
let clients: EditionClients
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const baseUrl = `http://127.0.0.1:${port}/en`
  const options = { baseUrl, isTrustedAddress: true, userAgent: 'Test/1' }
  clients = openEditionClients(options, (base, edition) => base.replace(/en$/, edition))
})
afterAll(async () => {
  await clients.close()
  server.close()
})

const ask = async (edition?: string) => {
  const deadline = createDeadline(5_000)
  const request = { path: '/search', ...(edition !== undefined && { edition }) }
  const { body } = await clients.ask(request, deadline, async () => undefined).finally(() => deadline.cancel())
  return body
}

it('asks at the address of the edition, or at the configured one', async () => {
  expect([await ask(), await ask('de'), await ask('ja'), await ask('de')]).toEqual([
    '/en/search',
    '/de/search',
    '/ja/search',
    '/de/search',
  ])
})
