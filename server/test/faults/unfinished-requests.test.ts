// Clients that begin requests and don't finish them: waiting for their bytes takes no place of anybody else.
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MAX_UNFINISHED_PER_NETWORK } from '../../src/rate-limit/unfinished-requests.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const MAX_IN_FLIGHT = 30
const UNFINISHED = 2_000
/** Opened at a time, so that none is turned away by the kernel. */
const AT_A_TIME = 100
const OTHER_CLIENT = '127.0.0.2'

let instance: TestInstance
const sockets: Socket[] = []
beforeAll(async () => {
  instance = await startTestInstance({ MAX_IN_FLIGHT: String(MAX_IN_FLIGHT), SITE_ACCESS: 'public' })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => instance?.close())

const HEAD = 'Host: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n'

/** Sends the head and one byte of the body, and reads nothing. */
async function beginRequests(count: number, head: string): Promise<void> {
  const { hostname, port } = new URL(instance.url)
  for (let begun = 0; begun < count; begun += AT_A_TIME) {
    const some = Array.from({ length: Math.min(AT_A_TIME, count - begun) }, async () => {
      const socket = connect(Number(port), hostname).pause()
      socket.on('error', () => 'the server may hang up')
      sockets.push(socket)
      await once(socket, 'connect')
      await new Promise((sent) => socket.write(`${head}\r\na`, sent))
    })
    await Promise.all(some)
  }
}

async function statusFor(path: string, headers: Record<string, string> = {}, body?: string): Promise<number> {
  const method = body === undefined ? 'GET' : 'POST'
  const options = { method, headers, agent: false, localAddress: OTHER_CLIENT }
  const sent = request(`${instance.url}${path}`, options).end(body)
  const [response] = await once(sent, 'response')
  await text(response)
  return response.statusCode
}

async function expectOthersServed(): Promise<void> {
  const authorization = `Api-Key ${instance.key}`
  expect(await statusFor('/')).toBe(200)
  expect(await statusFor('/api/v1/key/', { authorization })).toBe(200)
  const form = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
  expect(await statusFor('/api/v1/translate/', form, 'q=hello&target=de')).toBe(200)
}

async function countConnections(): Promise<number> {
  const metrics = await instance.instance.services.metrics.text()
  return Number(/^bowerbird_http_connections (\d+)$/m.exec(metrics)?.[1])
}

describe('requests that are begun and not finished', () => {
  it.each([
    ['forms of the website', `POST /login HTTP/1.1\r\n${HEAD}`],
    ['requests to the API', `POST /api/v1/translate/ HTTP/1.1\r\n${HEAD}Authorization: Api-Key KEY\r\n`],
  ])('are not in flight: others are served beside %s', async (_, head) => {
    await beginRequests(2 * MAX_IN_FLIGHT, head.replace('KEY', instance.key))
    await expectOthersServed()
  })

  it('can be only so many of one network, and two thousand of one address disturb no other', async () => {
    await beginRequests(UNFINISHED, `POST /login HTTP/1.1\r\n${HEAD}`)
    await expectOthersServed()
    // The rest have been refused and are closed, or about to be.
    await expect.poll(countConnections, { timeout: 10_000 }).toBeLessThan(2 * MAX_UNFINISHED_PER_NETWORK)
  })
})
