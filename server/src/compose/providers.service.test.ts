import { createServer } from 'node:http'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EditionClients, openClients } from './providers.ts'

const server = createServer((request, response) => response.end(request.url))
let clients: EditionClients
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const provider = {
    settings: { baseUrl: `http://127.0.0.1:${port}/en` },
    isTrustedAddress: true,
    addressOf: (base: string, edition: string) => base.replace(/en$/, edition),
  }
  clients = openClients(provider, { maxReplyBytes: 1_000, operatorContact: '', operation: { sendsTrace: false } }, 1)
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

it('a request goes to the address of its edition, or else to the configured one', async () => {
  expect([await ask(), await ask('de'), await ask('ja'), await ask('de')]).toEqual([
    '/en/search',
    '/de/search',
    '/ja/search',
    '/de/search',
  ])
})
