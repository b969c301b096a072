import { once } from 'node:events'
import { mkdir, mkdtemp, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isListening, listenForAdministration, prepareSocketPath } from './administration-socket.ts'
import { databaseAway } from './command-line.test-harness.ts'

let folder: string
let logged: string

const log = pino(
  { serializers: { err: (error: Error) => ({ message: error.message }) } },
  {
    write: (line: string) => {
      logged += line
    },
  },
)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bb-'))
  logged = ''
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function ask(socketPath: string, { method = 'POST', path = '/user-disable', body = '{}', headers = {} } = {}) {
  const length = { 'Content-Length': Buffer.byteLength(body), ...headers }
  const asked = request({ socketPath, method, path, headers: length, agent: false })
  // A reply to a body that is too long comes before all of it was sent.
  asked.on('error', () => undefined)
  asked.end(body)
  // The 'response' event comes with exactly one message.
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: await text(response) }
}

describe('the administration socket', () => {
  it('can be used by its owner only', async () => {
    const socket = await listenForAdministration(folder, databaseAway, log)
    expect((await stat(join(folder, 'administration.sock'))).mode & 0o777).toBe(0o600)
    await socket.close()
  })

  it('refuses everything but a known operation with its own arguments', async () => {
    const socket = await listenForAdministration(folder, databaseAway, log)
    const path = await prepareSocketPath(folder)
    expect(await ask(path, { method: 'GET' })).toMatchObject({ status: 405 })
    for (const unknown of ['/', '/user-drop', '/constructor', '/toString', '/../user-list']) {
      expect(await ask(path, { path: unknown })).toMatchObject({ status: 404 })
    }
    for (const body of ['{', '', 'null', '[]', '{}', '{"username":1}', '{"username":"ada","more":1}']) {
      expect(await ask(path, { body }), body).toMatchObject({ status: 400 })
    }
    const body = JSON.stringify({ username: 'a'.repeat(13_000_000) })
    expect(await ask(path, { body })).toMatchObject({ status: 413 })
    await socket.close()
  })

  it('never logs or returns the arguments of a failed operation', async () => {
    const socket = await listenForAdministration(folder, databaseAway, log)
    const reply = await ask(await prepareSocketPath(folder), { body: '{"username":"canary-name"}' })
    await socket.close()
    expect(reply.status).toBe(500)
    expect(logged).toContain('user-disable')
    expect(logged + reply.body).not.toContain('canary')
  })

  it('replaces a leftover socket, but never one that is in use', async () => {
    await writeFile(join(folder, 'administration.sock'), '')
    const socket = await listenForAdministration(folder, databaseAway, log)
    expect(await isListening(await prepareSocketPath(folder))).toBe(true)
    await expect(listenForAdministration(folder, databaseAway, log)).rejects.toThrow('Another process')
    await socket.close()
    expect(await isListening(await prepareSocketPath(folder))).toBe(false)
  })

  it('closes even if connections stay silent', async () => {
    const socket = await listenForAdministration(folder, databaseAway, log)
    const path = await prepareSocketPath(folder)
    const [mute, halting] = [connect(path), connect(path)]
    await Promise.all([once(mute, 'connect'), once(halting, 'connect')])
    halting.write('POST /user-list HTTP/1.1\r\nContent-Length: 2\r\nHost: localhost\r\n\r\n{')
    for (const connection of [mute, halting]) connection.on('error', () => undefined)
    await ask(path)
    // Had it waited for them, the test would time out.
    await socket.close()
  })
})

describe('the path of the socket', () => {
  const deep = () => join(folder, 'd'.repeat(100))

  it('stays short for a deep data folder, in a private temporary folder', async () => {
    const path = await prepareSocketPath(deep())
    expect(Buffer.byteLength(path)).toBeLessThan(104)
    const other = await prepareSocketPath(join(folder, 'e'.repeat(100)))
    expect(other).not.toBe(path)
    await rmdir(dirname(other))
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700)
    const socket = await listenForAdministration(deep(), databaseAway, log)
    expect(await isListening(path)).toBe(true)
    await socket.close()
    await rm(dirname(path), { recursive: true })
  })

  it('is never in a folder that others can enter', async () => {
    const path = await prepareSocketPath(deep())
    await rm(dirname(path), { recursive: true })
    await mkdir(dirname(path), { mode: 0o755 })
    const impostor = createServer().listen(path)
    await once(impostor, 'listening')
    await expect(prepareSocketPath(deep())).rejects.toThrow('only this user can access')
    await expect(listenForAdministration(deep(), databaseAway, log)).rejects.toThrow('only this user can access')
    impostor.close()
    await rm(dirname(path), { recursive: true })
  })
})
