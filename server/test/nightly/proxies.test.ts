// HAProxy, nginx and Caddy in front of a real node, with the files in deploy/load-balancer and the snippets in
// docs/set-up/https.md; only names, ports, certificates and the nodes' addresses are replaced. A program that isn't
// installed is reported.
import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { request as plainRequest, type RequestOptions } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Balancer, startBalancer } from '../support/balancers.ts'
import { eventually } from '../support/eventually.ts'
import { keyPaths } from '../support/key-paths.ts'
import { blocksRunBy, openPageShell } from '../support/page-commands.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const execute = promisify(execFile)

interface Proxy {
  program: string
  /** Its configuration, as an operator finds it. */
  read: () => Promise<string>
  arguments: (file: string) => string[]
}

const shipped = (name: string) => () => readFile(join(ROOT, 'deploy/load-balancer', name), 'utf8')

/** The first block of the page in this language. */
const snippet = (language: string) => async () => {
  const page = await readFile(join(ROOT, 'docs/set-up/https.md'), 'utf8')
  const [, block = ''] = new RegExp(`\`\`\`${language}\\n([^\`]+)\`\`\``).exec(page) ?? []
  expect(block).not.toBe('')
  return language === 'nginx' ? `events {}\nhttp {\n${block}}\n` : block
}

const byHaproxy = (file: string) => ['-db', '-f', file]
const byNginx = (file: string) => ['-c', file, '-p', folder, '-e', 'stderr', '-g', 'daemon off; pid nginx.pid;']
const byCaddy = (file: string) => ['run', '--adapter', 'caddyfile', '--config', file]

const PROXIES: Record<string, Proxy> = {
  'deploy/load-balancer/haproxy.cfg': { program: 'haproxy', read: shipped('haproxy.cfg'), arguments: byHaproxy },
  'deploy/load-balancer/nginx.conf': { program: 'nginx', read: shipped('nginx.conf'), arguments: byNginx },
  'deploy/load-balancer/Caddyfile': { program: 'caddy', read: shipped('Caddyfile'), arguments: byCaddy },
  'nginx in docs/set-up/https.md': { program: 'nginx', read: snippet('nginx'), arguments: byNginx },
  'Caddy in docs/set-up/https.md': { program: 'caddy', read: snippet('caddy'), arguments: byCaddy },
}

let node: TestInstance
let folder: string
/** HAProxy logs to it. */
const syslog = createSocket('udp4')
const syslogLines: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bb-proxies-'))
  syslog.on('message', (line) => void syslogLines.push(line.toString())).bind(0, '127.0.0.1')
  await once(syslog, 'listening')
  const [key, certificate] = [join(folder, 'site.key'), join(folder, 'site.crt')]
  const names = ['-subj', '/CN=localhost', '-days', '2', '-keyout', key, '-out', certificate]
  await execute('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...names])
  await writeFile(join(folder, 'both.pem'), (await readFile(certificate, 'utf8')) + (await readFile(key, 'utf8')))
  node = await startTestInstance({ TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: 'https://localhost', ADMIN_PORT: '0' })
})
afterAll(async () => {
  syslog.close()
  await node.close()
  await rm(folder, { recursive: true, force: true })
})

function find(program: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  const path = folders.map((path) => join(path, program)).find((path) => existsSync(path))
  if (!path) process.stderr.write(`Skipped: no ${program} here.\n`)
  return path
}

/** Replaces what every operator must, and what would need the whole machine. */
function adapted(configuration: string, port: number): string {
  const { port: adminPort } = JSON.parse(/.*answering health checks.*/.exec(node.logged())?.[0] ?? '{}')
  const caddyOptions = `\thttp_port ${port}\n\thttps_port ${port + 1}\n\tadmin off\n\tskip_install_trust\n\tstorage file_system ${folder}\n`
  return configuration
    .replace(/^\{\n/m, `{\n${caddyOptions}`)
    .replaceAll(/search\.example\.org(?!\.)|\{\$SITE_HOST\}/g, 'localhost')
    .replaceAll(/10\.0\.0\.11:8080|127\.0\.0\.1:8080|\{\$NODES\}/g, new URL(node.url).host)
    .replaceAll(/^ *server .*10\.0\.0\.1[23]:8080.*$/gm, '')
    .replaceAll(/(health_port |check port )8081/g, `$1${adminPort}`)
    .replaceAll(/\/etc\/(?:nginx|ssl)\/\S+\.pem/g, join(folder, 'site.crt'))
    .replaceAll(/\/etc\/(?:nginx|ssl)\/\S+\.key/g, join(folder, 'site.key'))
    .replaceAll(/\/etc\/haproxy\/\S+\.pem/g, join(folder, 'both.pem'))
    .replaceAll('/var/log/nginx', folder)
    .replaceAll('maxconn 20000', `maxconn 100\n  log 127.0.0.1:${syslog.address().port} local0`)
    .replaceAll('mode http', 'mode http\n  log global')
    .replaceAll(/(listen |bind :)443/g, `$1${port + 1}`)
    .replaceAll(/(listen |bind :)80\b/g, `$1${port}`)
}

interface Call {
  path: string
  /** An address of this machine that the client calls from. */
  from?: string
  headers?: Record<string, string>
}

/** Calls the site by its name, over plain HTTP or TLS. */
async function call(balancer: Balancer, scheme: 'http' | 'https', { path, from, headers }: Call) {
  const port = Number(new URL(balancer.url).port) + (scheme === 'https' ? 1 : 0)
  const options: RequestOptions & { servername: string; rejectUnauthorized: boolean } = {
    host: '127.0.0.1',
    port,
    path,
    headers: { host: 'localhost', ...headers },
    localAddress: from,
    servername: 'localhost',
    rejectUnauthorized: false,
  }
  const { promise, resolve: answered, reject } = Promise.withResolvers<import('node:http').IncomingMessage>()
  const request = scheme === 'https' ? tlsRequest(options, answered) : plainRequest(options, answered)
  request.on('error', reject).end()
  const reply = await promise
  return { status: reply.statusCode ?? 0, headers: reply.headers, body: await text(reply) }
}

describe.each(Object.entries(PROXIES))('%s', (_, proxy) => {
  const program = find(proxy.program)
  let balancer: Balancer
  const https = (wanted: Call) => call(balancer, 'https', wanted)

  beforeAll(async () => {
    if (!program) return
    const configuration = await proxy.read()
    balancer = await startBalancer(program, {
      args: proxy.arguments,
      configure: (port) => adapted(configuration, port),
    })
    // Caddy makes its certificate after it has started.
    const isUp = () =>
      https({ path: '/livez' }).then(
        () => true,
        () => false,
      )
    expect(await eventually(isUp, 20_000)).toBe(true)
  })
  afterAll(() => balancer?.close())

  it.skipIf(!program)('serves a search over HTTPS, and hides /metrics', async () => {
    const headers = { authorization: `Api-Key ${node.key}` }
    const search = await https({ path: '/api/v1/web/?q=climate', headers })
    expect(search.status).toBe(200)
    expect(JSON.parse(search.body).results.length).toBeGreaterThan(0)
    expect((await https({ path: '/login' })).headers['set-cookie']?.join()).toContain('__Host-')
    expect((await https({ path: '/metrics' })).status).toBe(404)
  })

  it.skipIf(!program)('passes the check on the page', async () => {
    const site = `localhost:${Number(new URL(balancer.url).port) + 1}`
    const replacements = { 'curl ': 'curl --insecure ', 'search.example.org': site }
    const env = { PATH: process.env['PATH'] ?? '', KEY: node.key }
    const shell = await openPageShell({ cwd: folder, env, replacements })
    try {
      for (const { commands } of blocksRunBy('docs/set-up/https.md', 'proxies')) {
        const printed = await shell.run(commands)
        expect(printed).toMatch(/set-cookie: __Host-bowerbird_visitor=.*Secure/i)
        expect(printed).toMatch(/strict-transport-security: max-age/i)
        expect(printed).toContain('"ip":"127.0.0.1"')
      }
    } finally {
      await shell.close()
    }
  })

  it.skipIf(!program)('passes on the address of the client, whatever the client claims', async () => {
    const headers = { authorization: `Api-Key ${node.key}`, 'x-forwarded-for': '203.0.113.9' }
    for (const from of ['127.0.0.2', '127.0.0.3']) {
      const { body } = await https({ path: '/api/v1/instant/?q=what+is+my+ip', from, headers })
      expect(JSON.parse(body).ip).toBe(from)
    }
  })

  it.skipIf(!program)('logs neither what was searched for nor a key in a path, over HTTPS and plain HTTP', async () => {
    const tail = `/tools/${Object.values(PROXIES).indexOf(proxy)}`
    const path = `/k/${node.key}${tail}?q=private-words`
    const feed = `/feeds/${node.key.slice(-20)}.xml`
    for (const scheme of ['https', 'http'] as const) {
      await call(balancer, scheme, { path })
      await call(balancer, scheme, { path: feed })
    }
    const logged = async () => {
      const files = ['bowerbird.log', 'bowerbird-error.log'].map((name) => readFile(join(folder, name), 'utf8'))
      return [...(await Promise.all(files.map((text) => text.catch(() => '')))), ...syslogLines].join('\n')
    }
    const linesOf = async (shown: string) => (await logged()).split(` GET ${shown} `).length - 1
    // Caddy doesn't log requests.
    const expected = proxy.program === 'caddy' ? 0 : 2
    await expect.poll(() => linesOf(`/k/***${tail}`), { timeout: 10_000 }).toBe(expected)
    await expect.poll(() => linesOf('/feeds/***'), { timeout: 10_000 }).toBeGreaterThanOrEqual(expected)
    const text = await logged()
    expect([node.key.slice(-20), 'private-words'].filter((secret) => text.includes(secret))).toEqual([])
  })

  it.skipIf(!program)('refuses plain HTTP on every path that takes a key, and redirects pages', async () => {
    const statusOf = async (path: string) => `${(await call(balancer, 'http', { path })).status} ${path}`
    const paths = keyPaths()
    expect(await Promise.all(paths.map(statusOf))).toEqual(paths.map((path) => `403 ${path}`))
    for (const path of ['/', '/search?q=oak', '/settings/connect', '/docs/api', '/tools', '/tools/currency']) {
      const { status, headers } = await call(balancer, 'http', { path })
      expect([301, 302, 308]).toContain(status)
      expect(headers.location).toBe(`https://localhost${path}`)
    }
  })
})

describe.each(Object.entries(PROXIES))('%s, with no node that answers', (_, proxy) => {
  const program = find(proxy.program)

  it.skipIf(!program)('logs neither what was searched for nor a key', async () => {
    const logFolder = await mkdtemp(join(folder, 'logs-'))
    const configuration = await proxy.read()
    const balancer = await startBalancer(program ?? '', {
      args: proxy.arguments,
      configure: (port) =>
        adapted(configuration.replaceAll('/var/log/nginx', logFolder), port)
          .replaceAll(new URL(node.url).host, '127.0.0.1:1')
          // HAProxy logs nothing unless it is told where to.
          .replace(/^global$/m, 'global\n  log stderr format raw local0')
          .replace(/^ {2}mode http$(?!\n {2}log)/m, '  mode http\n  log global'),
    })
    try {
      const secrets = {
        query: 'private-words',
        key: node.key,
        feed: 'private-feed',
        page: 'private-page',
        cookie: 'private-session',
      }
      const headers = {
        'x-api-key': secrets.key,
        referer: `https://localhost/search?q=${secrets.query}`,
        cookie: `__Host-bowerbird_session=${secrets.cookie}`,
      }
      const calls: Call[] = [
        { path: `/search?q=${secrets.query}`, headers },
        { path: `/api/v1/read/?url=https://${secrets.page}.example/`, headers },
        { path: `/k/${secrets.key}/searxng/search?q=${secrets.query}`, headers },
        { path: `/feeds/${secrets.feed}.xml`, headers },
        { path: `/translate?q=${secrets.query}`, headers },
      ]
      const replies = await Promise.all(calls.map((wanted) => call(balancer, 'https', wanted)))
      for (const { status } of replies) expect([502, 503, 504]).toContain(status)
      await Promise.all(calls.map((wanted) => call(balancer, 'http', wanted)))
      const logs = async () => {
        const files = await Promise.all(
          (await readdir(logFolder)).map((name) => readFile(join(logFolder, name), 'utf8')),
        )
        return [balancer.logged(), ...files].join('\n')
      }
      // Each logs that it could not pass the request on.
      await expect.poll(logs, { timeout: 10_000 }).toMatch(/\/search|"uri"/)
      const logged = await logs()
      expect(Object.entries(secrets).flatMap(([name, secret]) => (logged.includes(secret) ? [name] : []))).toEqual([])
    } finally {
      await balancer.close()
    }
  })
})
