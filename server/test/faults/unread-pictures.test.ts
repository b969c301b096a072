// Clients that ask for large pictures and don't read them: what waits for them in memory is limited.
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MAX_BYTES_PER_NETWORK } from '../../src/rate-limit/reply-memory.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const PICTURE = Buffer.concat([Buffer.from('\xff\xd8\xff', 'latin1'), Buffer.alloc(7_900_000)])
const CLIENTS = 40

let instance: TestInstance
let fetched = 0
const host = createServer((_request, response) => {
  fetched += 1
  response.writeHead(200, { 'content-type': 'image/jpeg' }).end(PICTURE)
})
beforeAll(async () => {
  await once(host.listen(0, '127.0.0.1'), 'listening')
  const { port } = host.address() as AddressInfo // a listening TCP server has an address with a port
  instance = await startTestInstance({ IMAGE_PROXY_URL: `http://127.0.0.1:${port}/` })
})
afterAll(async () => {
  await instance?.close()
  host.closeAllConnections()
  host.close()
})

const pathOf = (name: string) =>
  instance.instance.services.pictures.signedPath(`https://pictures.example/${name}`, 'picture')

/** Asks for a picture, and reads no more than the status. */
async function askWithoutReading(name: string): Promise<{ socket: Socket; status: number }> {
  const { hostname, port } = new URL(instance.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => 'we leave ourselves')
  socket.write(`GET ${pathOf(name)} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const [head] = await once(socket, 'data')
  socket.pause()
  return { socket, status: Number(/^HTTP\/1\.1 (\d{3})/.exec(String(head))?.[1]) }
}

async function askFrom(localAddress: string, name: string): Promise<{ status: number; bytes: number }> {
  const sent = request(instance.url + pathOf(name), { agent: false, localAddress }).end()
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, bytes: (await buffer(response)).length }
}

it('a network has room for a few pictures that it does not read, and other networks still get theirs', async () => {
  const unread = await Promise.all(Array.from({ length: CLIENTS }, (_, at) => askWithoutReading(`unread-${at}`)))
  const sent = unread.filter(({ status }) => status === 200)
  expect(sent.length).toBeGreaterThan(0)
  expect(sent.length * PICTURE.length).toBeLessThanOrEqual(MAX_BYTES_PER_NETWORK)
  expect(unread.filter(({ status }) => status === 503)).toHaveLength(CLIENTS - sent.length)
  expect(await askFrom('127.0.0.2', 'other')).toEqual({ status: 200, bytes: PICTURE.length })

  for (const { socket } of unread) socket.destroy()
  await expect.poll(() => askFrom('127.0.0.1', 'again')).toEqual({ status: 200, bytes: PICTURE.length })
  expect(fetched).toBeGreaterThan(0)
})
