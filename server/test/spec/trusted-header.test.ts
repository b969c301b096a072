// The header in which the operator's proxy names a person: who may set it, and everything that must not let anyone in.
// The instance listens on all addresses of loopback, so that a test can connect from the proxy's address or another.
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService, createUser } from '../../src/accounts/users.ts'
import { choosePort } from '../support/oauth-walk.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

/** Where the test connects from: the proxy that may name people, another that only forwards, and anyone. */
const PROXY = '127.0.0.2'
const FORWARDER = '127.0.0.3'
const STRANGER = '127.0.0.1'

let server: TestInstance
let port: number
let adminPort: number

beforeAll(async () => {
  port = await choosePort()
  adminPort = await choosePort()
  server = await startTestInstance({
    HOST: '0.0.0.0',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    TRUSTED_PROXIES: '127.0.0.0/8',
    TRUSTED_HEADER: 'Remote-User',
    TRUSTED_HEADER_FROM: PROXY,
    ADMIN_PORT: String(adminPort),
    METRICS_TOKEN: 'a token for metrics that is long enough',
  })
  const { access } = server.instance.services
  await createUser(access, { username: 'grace', password: 'correct horse battery', isAdmin: true })
})
afterAll(() => server?.close())

interface Asked {
  path?: string
  from?: string
  method?: string
  to?: number
  /** Names and values as they are sent, in turn. */
  headers?: string[]
}

interface Answer {
  status: number
  location: string
  cookies: string[]
  body: string
}

const ask = ({ path = '/login', from = STRANGER, method = 'GET', to = port, headers = [] }: Asked): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const all = ['Host', `127.0.0.1:${port}`, 'Accept', 'text/html', ...headers]
    const options = { host: '127.0.0.1', port: to, localAddress: from, path, method, headers: all }
    const sent = request(options, (reply) => {
      let body = ''
      reply.setEncoding('utf8')
      reply.on('data', (part: string) => {
        body += part
      })
      reply.on('end', () =>
        resolve({
          status: reply.statusCode ?? 0,
          location: reply.headers.location ?? '',
          cookies: reply.headers['set-cookie'] ?? [],
          body,
        }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })

/** What is written to the socket as it is, for what Node's client would not send. */
const askRaw = (lines: string[], from = PROXY): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: from })
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (part: string) => {
      text += part
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
    socket.write([...lines, `Host: 127.0.0.1:${port}`, 'Connection: close', '', ''].join('\r\n'))
  })

const sessionIn = ({ cookies }: Answer): string =>
  cookies.find((cookie) => cookie.startsWith('bowerbird_session='))?.split(';')[0] ?? ''

const NAMED = ['Remote-User', 'grace']

describe('from the proxy', () => {
  it('signs the person in whom it names, and leads to the page that was asked for', async () => {
    const answer = await ask({ from: PROXY, path: '/login?next=%2Fsettings%2Fkeys', headers: NAMED })
    expect([answer.status, answer.location]).toEqual([303, '/settings/keys'])
    const page = await ask({ from: PROXY, path: '/settings/account', headers: [...NAMED, 'Cookie', sessionIn(answer)] })
    expect(page.body).toContain('Signed in as grace.')
  })

  it('the session ends with the header, and never becomes that of somebody else', async () => {
    await createUser(server.instance.services.access, { username: 'ada-l', password: 'correct horse battery' })
    const cookie = sessionIn(await ask({ from: PROXY, headers: NAMED }))
    expect(cookie).not.toBe('')
    const without: Asked[] = [
      { from: PROXY, headers: ['Cookie', cookie] },
      { from: PROXY, headers: ['Cookie', cookie, 'Remote-User', 'ada-l'] },
      { from: PROXY, headers: ['Cookie', cookie, ...NAMED, ...NAMED] },
      { from: STRANGER, headers: ['Cookie', cookie, ...NAMED] },
      { from: STRANGER, headers: ['Cookie', cookie] },
    ]
    for (const one of without) {
      const { status, location } = await ask({ ...one, path: '/settings/account' })
      expect([status, location]).toEqual([303, '/login?next=%2Fsettings%2Faccount'])
    }
  })

  it('403: a service is not signed in', async () => {
    await createService(server.instance.services.access, 'printer')
    const answer = await ask({ from: PROXY, headers: ['Remote-User', 'printer'] })
    expect([answer.status, sessionIn(answer)]).toEqual([403, ''])
    expect(answer.body).toContain('This account belongs to a service')
  })

  it('403: a person who has no account here is not given one', async () => {
    const answer = await ask({ from: PROXY, headers: ['Remote-User', 'nobody-yet'] })
    expect(answer.status).toBe(403)
    expect(answer.body).toContain('There is no account called nobody-yet here.')
    expect(sessionIn(answer)).toBe('')
  })

  it('403: nor one whose account is disabled', async () => {
    const { access } = server.instance.services
    await createUser(access, { username: 'gone', password: 'correct horse battery' })
    await access.db.updateTable('users').set({ disabled_at: new Date() }).where('username', '=', 'gone').execute()
    const answer = await ask({ from: PROXY, headers: ['Remote-User', 'gone'] })
    expect([answer.status, sessionIn(answer)]).toEqual([403, ''])
  })

  it('someone who has signed out is not signed in again until they say so', async () => {
    const answer = await ask({ from: PROXY, path: '/login?done=signed-out', headers: NAMED })
    expect([answer.status, sessionIn(answer)]).toEqual([200, ''])
    expect(answer.body).toContain('Sign in as grace')
  })

  it('nobody is asked for a password that they may not have', async () => {
    const cookie = sessionIn(await ask({ from: PROXY, headers: NAMED }))
    const { db } = server.instance.services.access
    await db.updateTable('sessions').set({ confirmed_at: null }).execute()
    const page = await ask({ from: PROXY, path: '/settings/keys/new', headers: [...NAMED, 'Cookie', cookie] })
    expect(page.status).toBe(200)
  })
})

describe('lets nobody in', () => {
  it.each<[string, Asked]>([
    ['from another address', { headers: NAMED }],
    ['from a trusted proxy that may not name people', { from: FORWARDER, headers: NAMED }],
    ['from another address that claims to forward for the proxy', { headers: [...NAMED, 'X-Forwarded-For', PROXY] }],
    ['with a chain that ends at the proxy', { headers: [...NAMED, 'X-Forwarded-For', `${PROXY}, ${PROXY}`] }],
    ['with a chain that begins at the proxy', { headers: [...NAMED, 'X-Forwarded-For', `${PROXY}, 192.0.2.1`] }],
    ['through a second proxy', { from: FORWARDER, headers: [...NAMED, 'X-Forwarded-For', PROXY] }],
    ['with Forwarded', { headers: [...NAMED, 'Forwarded', `for=${PROXY}`] }],
    ['with X-Real-IP', { headers: [...NAMED, 'X-Real-IP', PROXY] }],
    ['with X-Client-IP', { headers: [...NAMED, 'X-Client-IP', PROXY, 'True-Client-IP', PROXY] }],
    ['as the host', { headers: [...NAMED, 'X-Forwarded-Host', PROXY] }],
    ['in another case, from another address', { headers: ['REMOTE-USER', 'grace'] }],
    ['twice', { from: PROXY, headers: [...NAMED, ...NAMED] }],
    ['twice with two names', { from: PROXY, headers: ['Remote-User', 'ada', ...NAMED] }],
    ['twice in two cases', { from: PROXY, headers: [...NAMED, 'remote-user', 'ada'] }],
    ['twice, once empty', { from: PROXY, headers: [...NAMED, 'Remote-User', ''] }],
    ['with a list of names', { from: PROXY, headers: ['Remote-User', 'grace, ada'] }],
    ['with a list without a space', { from: PROXY, headers: ['Remote-User', 'grace,ada'] }],
    ['empty', { from: PROXY, headers: ['Remote-User', ''] }],
    ['of spaces', { from: PROXY, headers: ['Remote-User', '   '] }],
    ['with a space inside', { from: PROXY, headers: ['Remote-User', 'gra ce'] }],
    ['with a tab inside', { from: PROXY, headers: ['Remote-User', 'grace\tada'] }],
    ['with a domain', { from: PROXY, headers: ['Remote-User', 'grace@example.org'] }],
    ['with a domain before it', { from: PROXY, headers: ['Remote-User', 'EXAMPLE\\grace'] }],
    ['as a distinguished name', { from: PROXY, headers: ['Remote-User', 'cn=grace,dc=example'] }],
    ['in quotes', { from: PROXY, headers: ['Remote-User', '"grace"'] }],
    ['percent-encoded', { from: PROXY, headers: ['Remote-User', 'gr%61ce'] }],
    ['with letters that look the same', { from: PROXY, headers: ['Remote-User', 'gr\u00e1ce'] }],
    ['far too long', { from: PROXY, headers: ['Remote-User', 'grace'.repeat(1_000)] }],
    ['of one letter', { from: PROXY, headers: ['Remote-User', 'g'] }],
    ['under a name with an underscore', { from: PROXY, headers: ['Remote_User', 'grace'] }],
    ['under a longer name', { from: PROXY, headers: ['X-Remote-User', 'grace'] }],
    [
      'under the names of other proxies',
      { from: PROXY, headers: ['X-Forwarded-User', 'grace', 'X-Auth-Request-User', 'grace'] },
    ],
    ['as a cookie', { from: PROXY, headers: ['Cookie', 'Remote-User=grace'] }],
    ['as a parameter', { from: PROXY, path: '/login?Remote-User=grace' }],
    [
      'with basic authentication',
      { from: PROXY, headers: ['Authorization', `Basic ${Buffer.from('grace:').toString('base64')}`] },
    ],
    ['by another method', { from: PROXY, method: 'POST', headers: [...NAMED, 'Content-Length', '0'] }],
    ['by OPTIONS', { from: PROXY, method: 'OPTIONS', headers: NAMED }],
  ])('%s', async (_, asked) => {
    const answer = await ask(asked)
    expect(answer.status).not.toBe(303)
    expect(sessionIn(answer)).toBe('')
  })

  it.each([
    ['with a space before the colon', ['GET /login HTTP/1.1', 'Remote-User : grace']],
    ['folded over two lines', ['GET /login HTTP/1.1', 'Remote-User:', ' grace']],
    ['after a bare line feed', ['GET /login HTTP/1.1', 'X-Other: 1\nRemote-User: grace']],
    ['after a null byte', ['GET /login HTTP/1.1', 'X-Other: 1\0', 'Remote-User: gra\0ce']],
    ['in the trailer of a body', ['POST /login HTTP/1.1', 'Transfer-Encoding: chunked', 'Trailer: Remote-User']],
  ])('%s', async (_, lines) => {
    const text = await askRaw(lines, lines.some((line) => line.includes('\n')) ? STRANGER : PROXY)
    expect(text).not.toMatch(/^HTTP\/1\.1 303/)
    expect(text).not.toContain('bowerbird_session=')
  })

  it.each([
    '/api/v1/web/?q=climate',
    '/api/v1/usage/',
    '/searxng/search?q=climate',
    '/mcp',
    '/metrics',
    '/oauth/token',
  ])('at %s, which takes a key', async (path) => {
    const { status, cookies } = await ask({ from: PROXY, path, headers: NAMED })
    expect([401, 403, 404, 405]).toContain(status)
    expect(cookies).toEqual([])
  })

  it.each(['/settings/account', '/admin/users', '/search?q=climate'])('directly at %s', async (path) => {
    const { status, location } = await ask({ from: PROXY, path, headers: NAMED })
    expect([status, location.split('?')[0]]).toEqual([303, '/login'])
  })

  it('at the port for health checks', async () => {
    const answer = await ask({ from: PROXY, to: adminPort, headers: NAMED })
    expect([answer.status, answer.cookies]).toEqual([404, []])
  })

  it('without a trace: what it refused is recorded', () => {
    expect(server.logged()).toContain('"detail":"not-connected"')
  })
})
