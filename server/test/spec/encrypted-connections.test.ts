// Outgoing TLS, to providers, Redis and PostgreSQL: only current versions and ciphers, untrusted certificates are
// rejected, and nothing falls back to an unencrypted connection.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { createLog } from '../../src/log.ts'
import { openRedis } from '../../src/redis/redis-client.ts'
import { openPostgres } from '../../src/store/postgres.ts'
import { openProviderClient } from '../../src/upstream/provider-client.ts'

const log = createLog('silent')
const folder = mkdtempSync(join(tmpdir(), 'bb-tls-'))
const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
execFileSync(
  'openssl',
  ['req', '-x509', '-nodes', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'].concat([
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-keyout',
    keyFile,
    '-out',
    certFile,
  ]),
  { stdio: 'ignore' },
)
const [key, cert] = [readFileSync(keyFile), readFileSync(certFile)]

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true })
})

/** A server on its own port, recording what its clients send outside and inside TLS. */
async function listen(onConnection: (socket: Socket, heard: Heard) => void) {
  const heard: Heard = { outside: '', within: '' }
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    onConnection(socket, heard)
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { heard, port: typeof address === 'object' ? (address?.port ?? 0) : 0 }
}

interface Heard {
  outside: string
  within: string
}

function speakTls(socket: Socket, heard: Heard): void {
  const secured = new TLSSocket(socket, { isServer: true, key, cert })
  secured.on('error', () => undefined)
  secured.on('data', (chunk) => {
    heard.within += chunk.toString('latin1')
  })
}

const askProvider = async (port: number): Promise<unknown> => {
  const client = openProviderClient({
    baseUrl: `https://127.0.0.1:${port}`,
    isTrustedAddress: true,
    proxy: undefined,
    userAgent: 'test',
  })
  const deadline = createDeadline(2_000)
  try {
    return await client.ask({ path: '/canary' }, deadline, async () => undefined)
  } catch (error) {
    return error
  } finally {
    deadline.cancel()
    await client.close()
  }
}

describe('an untrusted certificate', () => {
  it('is rejected by the provider client, which sends nothing', async () => {
    const { heard, port } = await listen(speakTls)
    expect(await askProvider(port)).toMatchObject({ kind: 'unreachable' })
    expect(heard.within).toBe('')
  })

  it('is rejected by the Redis client, which sends nothing and logs it', async () => {
    const lines: string[] = []
    const { heard, port } = await listen(speakTls)
    const redis = await openRedis(
      `rediss://:canary@127.0.0.1:${port}`,
      pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    )
    expect(redis.isAway()).toBe(true)
    await redis.close()
    expect(heard.within).toBe('')
    expect(lines.join('')).toContain('Redis is unavailable')
  })

  it('is rejected by the PostgreSQL client, which sends nothing', async () => {
    const { heard, port } = await listen((socket, heard) => {
      // PostgreSQL clients first ask whether the server supports TLS.
      socket.once('data', () => {
        socket.write('S')
        speakTls(socket, heard)
      })
    })
    const database = openPostgres(`postgres://root:canary@127.0.0.1:${port}/test?sslmode=verify-full`, log)
    await expect(sql`select 1`.execute(database.db)).rejects.toThrow(/certificate/)
    await database.close()
    expect(heard.within).toBe('')
  })
})

describe('a server without TLS', () => {
  const listenPlainly = () =>
    listen((socket, heard) => {
      socket.on('data', (chunk) => {
        heard.outside += chunk.toString('latin1')
        socket.write('N')
      })
    })

  it('gets nothing of a request from the provider client', async () => {
    const { heard, port } = await listenPlainly()
    expect(await askProvider(port)).toMatchObject({ kind: 'unreachable' })
    expect(heard.outside).not.toMatch(/canary|GET /)
  })

  it('gets no password from the PostgreSQL client', async () => {
    const { heard, port } = await listenPlainly()
    const database = openPostgres(`postgres://root:canary@127.0.0.1:${port}/test?sslmode=verify-full`, log)
    await expect(sql`select 1`.execute(database.db)).rejects.toThrow(/SSL/)
    await database.close()
    expect(heard.outside).not.toMatch(/canary|root/)
  })
})

describe('the TLS handshake', () => {
  it('offers only TLS 1.3 and 1.2, newest first, and no broken cipher', async () => {
    const { promise, resolve } = Promise.withResolvers<Buffer>()
    const { port } = await listen((socket) => {
      socket.once('data', (chunk) => {
        resolve(chunk)
        socket.destroy()
      })
    })
    await askProvider(port)
    const { versions, ciphers } = readGreeting(await promise)
    expect(versions).toEqual([0x0304, 0x0303])
    expect(ciphers.length).toBeGreaterThan(3)
    // The TLS 1.3 suites come first.
    expect((ciphers[0] ?? 0) >> 8).toBe(0x13)
    expect(ciphers.filter((cipher) => BROKEN.has(cipher))).toEqual([])
  })
})

/** ECDH without encryption or authentication, or with RC4 or triple DES. */
const BROKEN_ECDH = [
  0xc001, 0xc002, 0xc003, 0xc006, 0xc007, 0xc008, 0xc00b, 0xc00c, 0xc00d, 0xc010, 0xc011, 0xc012, 0xc015, 0xc016,
  0xc017, 0xc018, 0xc019,
]
/** The start of IANA's list: without encryption or authentication, export ciphers, RC4, DES and triple DES. */
const OLDEST = Array.from({ length: 0x2f }, (_, cipher) => cipher)
const BROKEN = new Set([...OLDEST, 0x3b, ...BROKEN_ECDH])

/** A ClientHello: a record header of 5 bytes, a handshake header of 4, version, random, session, ciphers, extensions. */
function readGreeting(bytes: Buffer): { versions: number[]; ciphers: number[] } {
  let at = 5 + 4 + 2 + 32
  at += 1 + bytes.readUInt8(at)
  const ciphers = numbersIn(bytes.subarray(at + 2, at + 2 + bytes.readUInt16BE(at)))
  at += 2 + bytes.readUInt16BE(at)
  at += 1 + bytes.readUInt8(at)
  const end = at + 2 + bytes.readUInt16BE(at)
  at += 2
  while (at < end) {
    const [kind, length] = [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 2)]
    if (kind === 43) return { ciphers, versions: numbersIn(bytes.subarray(at + 5, at + 4 + length)) }
    at += 4 + length
  }
  return { ciphers, versions: [] }
}

const numbersIn = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length >> 1 }, (_, at) => bytes.readUInt16BE(at * 2))
