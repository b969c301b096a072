import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { checkHealth } from './health.ts'

const server = createServer((request, response) => {
  response.writeHead(request.url === '/readyz' ? status : 404).end()
})
let status = 200

async function listen(host: string): Promise<string> {
  server.listen(0, host)
  await once(server, 'listening')
  // A listening TCP server has an address with a port.
  return String((server.address() as AddressInfo).port)
}

afterEach(() => {
  server.close()
})

describe('bowerbird health', () => {
  it('is ready if the instance is, even one that listens on every address', async () => {
    status = 200
    const port = await listen('0.0.0.0')
    expect(await checkHealth({ HOST: '0.0.0.0', PORT: port })).toEqual({ isReady: true, sentence: 'Ready.' })
  })

  it('uses ADMIN_PORT if it is set', async () => {
    status = 200
    const port = await listen('127.0.0.1')
    expect(await checkHealth({ PORT: '1', ADMIN_PORT: port })).toMatchObject({ isReady: true })
    expect(await checkHealth({ PORT: port, ADMIN_PORT: '0' })).toMatchObject({ isReady: true })
  })

  it('is not ready if the instance returns 503 or does not run', async () => {
    status = 503
    const port = await listen('127.0.0.1')
    const draining = { isReady: false, sentence: 'Not ready: /readyz says 503.' }
    expect(await checkHealth({ PORT: port })).toEqual(draining)
    server.close()
    const away = { isReady: false, sentence: `Not ready: nothing answers on port ${port} (ECONNREFUSED).` }
    expect(await checkHealth({ PORT: port })).toEqual(away)
  })
})
