import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConnectProxy, PROXY_ADDRESS, startConnectProxy } from '../../test/support/connect-proxy.ts'
import type { ConfiguredSource } from '../settings/provider-configuration.ts'
import { parseOutgoingProxy } from '../upstream/outgoing-proxy.ts'
import { openClients } from './providers.ts'

const server = createServer((request, response) => response.end(`${request.socket.remoteAddress} ${request.url}`))
let proxies: [ofInstance: ConnectProxy, ofProvider: ConnectProxy]
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxies = await Promise.all([startConnectProxy(), startConnectProxy()])
})
afterAll(async () => {
  for (const proxy of proxies) await proxy.close()
  server.close()
})

/** Asks for these editions one after another. */
async function ask(
  editions: (string | undefined)[],
  proxy: { ofInstance?: ConnectProxy; ofProvider?: ConfiguredSource['proxy'] } = {},
): Promise<string[]> {
  const { port } = server.address() as AddressInfo // A listening TCP server has a port.
  const provider = {
    settings: { baseUrl: `http://127.0.0.1:${port}/en` },
    isTrustedAddress: true,
    proxy: proxy.ofProvider,
    addressOf: (base: string, edition: string) => base.replace(/en$/, edition),
  }
  const outgoingProxy = parseOutgoingProxy(proxy.ofInstance?.url ?? '')
  const settings = { maxReplyBytes: 1_000, operatorContact: '', outgoingProxy, operation: { sendsTrace: false } }
  const clients = openClients(provider, settings, 1)
  const deadline = createDeadline(5_000)
  try {
    const bodies: string[] = []
    for (const edition of editions) {
      const request = { path: '/search', ...(edition !== undefined && { edition }) }
      bodies.push((await clients.send(request, deadline, async () => undefined)).body)
    }
    return bodies
  } finally {
    deadline.cancel()
    await clients.close()
  }
}

it('a request goes to the address of its edition, or else to the configured one', async () => {
  expect(await ask([undefined, 'de', 'ja', 'de'])).toEqual([
    '127.0.0.1 /en/search',
    '127.0.0.1 /de/search',
    '127.0.0.1 /ja/search',
    '127.0.0.1 /de/search',
  ])
})

describe('the outgoing proxy', () => {
  const askedOf = () => proxies.map(({ asked }) => asked.splice(0).length)

  it('of the instance carries the calls to every address of a provider', async () => {
    const [ofInstance] = proxies
    expect(await ask([undefined, 'de'], { ofInstance })).toEqual([
      `${PROXY_ADDRESS} /en/search`,
      `${PROXY_ADDRESS} /de/search`,
    ])
    expect(askedOf()).toEqual([2, 0])
  })

  it('of the provider is used instead, if it has one', async () => {
    const [ofInstance, { url }] = proxies
    const ofProvider = parseOutgoingProxy(url)
    expect(await ask([undefined], { ofInstance, ofProvider })).toEqual([`${PROXY_ADDRESS} /en/search`])
    expect(await ask([undefined], { ofProvider })).toEqual([`${PROXY_ADDRESS} /en/search`])
    expect(askedOf()).toEqual([0, 2])
  })

  it('is left out for a provider that is called directly', async () => {
    const [ofInstance] = proxies
    expect(await ask([undefined], { ofInstance, ofProvider: 'direct' })).toEqual(['127.0.0.1 /en/search'])
    expect(askedOf()).toEqual([0, 0])
  })
})
