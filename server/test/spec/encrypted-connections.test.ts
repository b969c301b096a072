// Outgoing TLS, to providers, Redis and PostgreSQL: untrusted certificates are rejected, and nothing falls back to an
// unencrypted connection. Versions and ciphers are Node's, which `secure-code.test.ts` forbids to change.
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
    return await client.send({ path: '/canary' }, deadline, async () => undefined)
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
  const listenPlainly = (reply: string) =>
    listen((socket, heard) => {
      socket.on('data', (chunk) => {
        heard.outside += chunk.toString('latin1')
        socket.write(reply)
      })
    })

  it('gets nothing of a request from the provider client', async () => {
    const { heard, port } = await listenPlainly('HTTP/1.1 400 Bad Request\r\n\r\n')
    expect(await askProvider(port)).toMatchObject({ kind: 'unreachable' })
    expect(heard.outside).not.toMatch(/canary|GET /)
  })

  it('gets no password from the PostgreSQL client', async () => {
    // Its word for "no TLS here".
    const { heard, port } = await listenPlainly('N')
    const database = openPostgres(`postgres://root:canary@127.0.0.1:${port}/test?sslmode=verify-full`, log)
    await expect(sql`select 1`.execute(database.db)).rejects.toThrow(/SSL/)
    await database.close()
    expect(heard.outside).not.toMatch(/canary|root/)
  })
})
