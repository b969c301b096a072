// The header in which the operator's proxy names a person: who may set it, and everything that must not let anyone in.
// The instance listens on all addresses of loopback, so that a test can connect from the proxy's address or another.
import { request } from 'node:http'
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

  it('403: neither a service nor a person without an account, or with a disabled one, is signed in', async () => {
    const { access } = server.instance.services
    await createService(access, 'printer')
    const { id } = await createUser(access, { username: 'gone', password: 'correct horse battery' })
    await access.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', id).execute()
    const sentences = {
      printer: 'This account belongs to a service',
      'nobody-yet': 'There is no account called nobody-yet here.',
      gone: 'This account is disabled.',
    }
    for (const [username, sentence] of Object.entries(sentences)) {
      const answer = await ask({ from: PROXY, headers: ['Remote-User', username] })
      expect(answer).toMatchObject({ status: 403, body: expect.stringContaining(sentence) })
      expect(sessionIn(answer)).toBe('')
    }
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
    ['with a chain that begins at the proxy', { headers: [...NAMED, 'X-Forwarded-For', `${PROXY}, 192.0.2.1`] }],
    ['through a second proxy', { from: FORWARDER, headers: [...NAMED, 'X-Forwarded-For', PROXY] }],
    [
      'with other headers that name the proxy',
      { headers: [...NAMED, 'Forwarded', `for=${PROXY}`, 'X-Real-IP', PROXY] },
    ],
    ['twice', { from: PROXY, headers: [...NAMED, ...NAMED] }],
    ['twice in two cases, with two names', { from: PROXY, headers: [...NAMED, 'remote-user', 'ada'] }],
    ['twice, once empty', { from: PROXY, headers: [...NAMED, 'Remote-User', ''] }],
    ['with a list of names', { from: PROXY, headers: ['Remote-User', 'grace,ada'] }],
    ['empty', { from: PROXY, headers: ['Remote-User', ''] }],
    ['with a domain', { from: PROXY, headers: ['Remote-User', 'grace@example.org'] }],
    ['percent-encoded', { from: PROXY, headers: ['Remote-User', 'gr%61ce'] }],
    ['far too long', { from: PROXY, headers: ['Remote-User', 'grace'.repeat(1_000)] }],
    ['under a name with an underscore', { from: PROXY, headers: ['Remote_User', 'grace'] }],
    ['under a longer name', { from: PROXY, headers: ['X-Remote-User', 'grace'] }],
    ['as a parameter', { from: PROXY, path: '/login?Remote-User=grace' }],
    ['by another method', { from: PROXY, method: 'POST', headers: [...NAMED, 'Content-Length', '0'] }],
  ])('%s', async (_, asked) => {
    const answer = await ask(asked)
    expect(answer.status).not.toBe(303)
    expect(sessionIn(answer)).toBe('')
  })

  it.each(['/admin/users', '/search?q=climate'])('directly at %s', async (path) => {
    const { status, location } = await ask({ from: PROXY, path, headers: NAMED })
    expect({ status, page: location.split('?')[0] }).toEqual({ status: 303, page: '/login' })
  })

  it('at the port for health checks', async () => {
    const answer = await ask({ from: PROXY, to: adminPort, headers: NAMED })
    expect([answer.status, answer.cookies]).toEqual([404, []])
  })

  it('without a trace: what it refused is recorded', () => {
    expect(server.logged()).toContain('"detail":"not-connected"')
  })
})
