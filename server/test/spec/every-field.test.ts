// Puts a canary into every field that anyone can send: each parameter of each route that the router lists, each field
// of each form and each part of a path, headers, keys, the tools of the MCP server, the messages
// between nodes and the commands. Then the log, the metrics, every row and everything in Redis is searched. Each canary
// stands for one field, so a leak names its field. What is stored on purpose is listed in `KEPT`.
import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../../src/accounts/users.ts'
import { hostWith, typed } from '../../src/cli/command-line.test-harness.ts'
import { createProgram, runCli } from '../../src/cli/program.ts'
import { PERMISSION_SCOPES } from '../../src/keys/scopes.ts'
import type { MountedSurface } from '../../src/text/surface.ts'
import { eventually } from '../support/eventually.ts'
import { openFormBrowser } from '../support/form-browser.ts'
import { readMetrics, readRedis, readTables } from '../support/stored-data.ts'
import {
  MCP_HEADERS,
  mcpMessage,
  type SurfaceRequest,
  sampleParams,
  sampleRequest,
  send,
} from '../support/surface-request.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const METRICS_TOKEN = 'metrics-token-of-the-test'
const HIGH = { burst: '100000/min', sustained: '1000000/day' }
const PASSWORD = 'correct horse battery'
const COOKIE = '__Host-bowerbird_session'
const RUN = randomBytes(4).toString('hex')
const CANARY = new RegExp(`qx${RUN}n(\\d+)z`, 'g')

/**
 * Field → where its text is kept, because that is what it is for. The first run asks for the same name and contact as
 * the page of the instance, which the walk sends later.
 */
const KEPT: Record<string, readonly string[]> = {
  'POST /settings/keys/new name': ['table api_keys'],
  'POST /admin/users/new username': ['table users'],
  'POST /admin/instance name': ['table settings'],
  'POST /admin/instance contact': ['table settings'],
  'POST /admin/appearance welcome': ['table settings'],
  'POST /admin/appearance imprint': ['table settings'],
  'POST /admin/appearance privacy': ['table settings'],
  'bowerbird user create <username>': ['table users'],
  'bowerbird key create --name': ['table api_keys'],
}

/** Commands that serve, or read and write files of their own. */
const OTHER_COMMANDS = ['serve', 'demo', 'mcp', 'backup', 'restore', 'help']

/** What each number stands for. */
const fields: string[] = []
const canaryFor = (field: string): string => `qx${RUN}n${fields.push(field) - 1}z`

let server: TestInstance
let routes: readonly MountedSurface[]
let key: string
/** Replies by status, to see that the walk got somewhere. */
const statuses: Record<number, number> = {}
/** Place → the fields whose canary is there. */
let leaks: Map<string, string[]>

beforeAll(async () => {
  server = await startTestInstance({
    MINE: 'karakeep',
    METRICS_TOKEN,
    LOG_LEVEL: 'trace',
    PUBLIC_URL: 'https://search.example.org',
    URL_KEYS: 'on',
    TRUSTED_PROXIES: '127.0.0.1',
    API_THROTTLE_BURST: '100000/min',
    API_THROTTLE_SUSTAINED: '1000000/day',
  })
  routes = server.instance.surfaces
  key = await server.createKey({ ...HIGH, scopes: [...PERMISSION_SCOPES] })
  await useKeyRoutes()
  await useTools()
  await usePages()
  await useMessages()
  await useCommands()
  await eventually(
    async () =>
      (await readTables(server.databaseUrl)).some(([name, rows]) => name.includes('usage_daily') && rows !== ''),
    20_000,
  )
  const kept = [
    ['log', server.logged()] as const,
    ['metrics', await readMetrics(server.url, METRICS_TOKEN)] as const,
    ...(await readTables(server.databaseUrl)),
    ...(await readRedis(server.redisUrl)),
  ]
  expect(kept.length).toBeGreaterThan(40)
  leaks = new Map(kept.map(([place, content]) => [place, fieldsIn(content)]))
}, 240_000)
afterAll(() => server?.close())

const fieldsIn = (content: string): string[] => [
  ...new Set([...content.matchAll(CANARY)].map((match) => fields[Number(match[1])] ?? '?')),
]

let networks = 0
async function ask(request: SurfaceRequest, withKey?: string): Promise<string> {
  networks += 1
  const headers = {
    'x-forwarded-for': `198.51.${networks >> 8}.${networks & 255}`,
    ...(withKey !== undefined && { authorization: `Api-Key ${withKey}` }),
    ...request.headers,
  }
  const { status, body } = await send(server.url, { ...request, headers })
  statuses[status] = (statuses[status] ?? 0) + 1
  return body
}

/** Headers that a client chooses. */
const headersFor = (name: string): Record<string, string> =>
  Object.fromEntries(
    ['user-agent', 'referer', 'accept-language', 'x-request-id', 'traceparent', 'x-api-version', 'from'].map(
      (header) => [header, canaryFor(`${name} ${header}:`)],
    ),
  )

async function useKeyRoutes(): Promise<void> {
  const walked = routes.filter(({ access, method }) => access === 'key' && method !== 'HEAD')
  for (const route of walked) {
    const { method, url, fields: names = [] } = route
    const name = `${method} ${url}`
    for (const field of names) {
      const params = { ...sampleParams(names), [field]: canaryFor(`${name} ${field}`) }
      await ask(sampleRequest(route, params), key)
    }
    const { path, headers, ...rest } = sampleRequest(route)
    const extra = canaryFor(`${name} any other parameter`)
    await ask({ ...rest, headers, path: `${path}${path.includes('?') ? '&' : '?'}${extra}=${extra}` }, key)
    await ask({ ...rest, path, headers: { ...headers, ...headersFor(name) } }, key)
    await ask({ ...rest, path, headers }, canaryFor(`${name} a wrong key`))
    if (method === 'POST') await ask({ ...rest, path, headers, body: `{"${canaryFor(`${name} a broken body`)}` }, key)
    else await ask({ ...rest, path, headers: { ...headers, accept: 'application/x-ndjson' } }, key)
  }
  for (const path of [
    '/',
    '/api/v1/',
    '/searxng/',
    '/tavily/',
    '/firecrawl/',
    '/v2/',
    '/google/',
    '/mcp/',
    '/k/',
    '/feeds/',
    '/assets/',
    '/.well-known/',
  ]) {
    await ask({ method: 'GET', path: `${path}${canaryFor(`GET ${path}…`)}` }, key)
    await ask({
      method: 'GET',
      path: `${path}${canaryFor(`GET ${path}… of a browser`)}`,
      headers: { accept: 'text/html' },
    })
  }
  const inPath = canaryFor('a wrong key in the path')
  await ask({ method: 'GET', path: `/k/${inPath}/searxng/search?q=climate` })
}

async function useTools(): Promise<void> {
  const call = (name: string, given: object) =>
    ask(
      {
        method: 'POST',
        path: '/mcp',
        headers: MCP_HEADERS,
        body: mcpMessage('tools/call', { name, arguments: given }),
      },
      key,
    )
  const listed = await ask({ method: 'POST', path: '/mcp', headers: MCP_HEADERS, body: mcpMessage('tools/list') }, key)
  const { tools }: { tools: { name: string; inputSchema: { properties: object } }[] } = JSON.parse(listed).result
  for (const { name, inputSchema } of tools) {
    const names = Object.keys(inputSchema.properties)
    for (const field of names)
      await call(name, { ...sampleParams(names), [field]: canaryFor(`the tool ${name}: ${field}`) })
  }
  await call(canaryFor('the name of a tool'), {})
  for (const method of ['initialize', 'notifications/cancelled', canaryFor('a method of MCP')]) {
    const params = {
      requestId: canaryFor(`${method} requestId`),
      clientInfo: { name: canaryFor(`${method} clientInfo`) },
    }
    await ask({ method: 'POST', path: '/mcp', headers: MCP_HEADERS, body: mcpMessage(method, params) }, key)
  }
}

async function usePages(): Promise<void> {
  const { access } = server.instance.services
  await createUser(access, { username: 'grace', password: PASSWORD, isAdmin: true })
  let session = await signIn()
  const visitor = await tokenOf('/login', '')
  const ends = /^\/logout|sign-out-everywhere$/
  const pages = routes
    .filter(({ access: who, method }) => !['key', 'nobody', 'metrics-token'].includes(who) && method !== 'HEAD')
    .toSorted((one, other) => Number(ends.test(one.url)) - Number(ends.test(other.url)))
  for (const page of pages) {
    const { method, url, access: who, fields: names = [] } = page
    const account = await send(server.url, {
      method: 'GET',
      path: '/settings/account',
      headers: { cookie: session.cookie },
    })
    expect([url, 'signed in', account.status]).toEqual([url, 'signed in', 200])
    const name = `${method} ${url}`
    const person = () => (who === 'signed-out' ? visitor : session)
    const open = async (path: string, given: Record<string, string>, headers: Record<string, string> = {}) => {
      const { cookie, token } = person()
      if (method === 'GET') {
        const query = new URLSearchParams(given).toString()
        return ask({ method, path: query === '' ? path : `${path}?${query}`, headers: { cookie, ...headers } })
      }
      const form = { 'content-type': 'application/x-www-form-urlencoded', cookie, ...headers }
      return ask({ method, path, headers: form, body: new URLSearchParams({ ...given, _csrf: token }).toString() })
    }
    const path = url.replace(/:\w+/g, '0')
    const needed = Object.fromEntries(
      Object.entries(sampleParams(names)).map(([field, value]) => [field, String(value)]),
    )
    for (const field of names) await open(path, { ...needed, [field]: canaryFor(`${name} ${field}`) })
    for (const [part] of url.matchAll(/:\w+/g)) {
      await open(url.replace(part, canaryFor(`${name} ${part}`)).replace(/:\w+/g, '0'), needed)
    }
    await open(path, { [canaryFor(`${name} any other field`)]: canaryFor(`${name} any other value`) })
    await open(path, needed, { cookie: `${COOKIE}=${canaryFor(`${name} a wrong session`)}` })
    if (!ends.test(url)) await open(path, needed, headersFor(name))
    else session = await signIn()
  }
}

async function signIn(): Promise<{ cookie: string; token: string }> {
  const browser = openFormBrowser(server.url)
  await browser.submit('/login', [
    ['username', 'grace'],
    ['password', PASSWORD],
  ])
  return await tokenOf('/settings/account', `${COOKIE}=${browser.cookie(COOKIE)}`)
}

async function tokenOf(path: string, cookie: string): Promise<{ cookie: string; token: string }> {
  const { body, headers } = await send(server.url, { method: 'GET', path, headers: { cookie } })
  const token = /name="_csrf" value="([^"]+)"/.exec(body)?.[1] ?? expect.unreachable(`${path} has no form`)
  const set = [headers['set-cookie'] ?? []].flat().map((line) => line.split(';', 1)[0] ?? '')
  return { cookie: [cookie, ...set].filter(Boolean).join('; '), token }
}

let channels: string[]

/** On every channel that the instance listens to, as Redis lists them. */
async function useMessages(): Promise<void> {
  const redis = new Redis(server.redisUrl)
  try {
    channels = (await redis.pubsub('CHANNELS', '*')).map(String).sort()
    for (const channel of channels) {
      for (const text of ['', '{', 'user:', '9'.repeat(40), 'x'.repeat(1_000_000)]) await redis.publish(channel, text)
      await redis.publish(channel, canaryFor(`a message on ${channel}`))
      await redis.publish(channel, `user:${canaryFor(`a user’s id on ${channel}`)}`)
    }
  } finally {
    redis.disconnect()
  }
  // The nodes still listen, and still answer.
  expect(await ask({ method: 'GET', path: '/api/v1/key/' }, key)).toContain('"name"')
}

let commands: string[]

async function useCommands(): Promise<void> {
  const leaves = (command: Command, path: string[]): { command: Command; path: string[] }[] =>
    command.commands.length === 0
      ? [{ command, path }]
      : command.commands.flatMap((child) => leaves(child, [...path, child.name()]))
  const { access } = server.instance.services
  const changes = () => ({ openAccess: async () => ({ access, close: () => Promise.resolve() }) })
  const found = leaves(createProgram(hostWith().host), []).filter(({ path }) => !OTHER_COMMANDS.includes(path[0] ?? ''))
  commands = found.map(({ path }) => path.join(' '))
  for (const { command, path } of found) {
    const name = `bowerbird ${path.join(' ')}`
    const given = command.registeredArguments.map((argument) => canaryFor(`${name} <${argument.name()}>`))
    const flags = command.options.some(({ long }) => long === '--password-stdin') ? ['--password-stdin'] : []
    const run = async (options: string[]) => {
      const { host } = hostWith({ ...changes(), ...typed(`${canaryFor(`${name} standard input`)} long enough\n`) })
      await runCli([...path, ...given, ...flags, ...options], host)
    }
    await run([])
    for (const option of command.options.filter(({ required }) => required)) {
      await run([String(option.long), canaryFor(`${name} ${option.long}`)])
    }
  }
  // With an owner that exists, so that the other fields are looked at.
  const { host } = hostWith(changes())
  await runCli(['key', 'create', 'grace', '--name', canaryFor('bowerbird key create --name')], host)
}

describe('a text in any field', () => {
  it('was sent to every route, form, tool, channel and command', () => {
    expect(fields.length).toBeGreaterThan(600)
    const walked = routes.filter(
      ({ access, method }) => access !== 'nobody' && access !== 'metrics-token' && method !== 'HEAD',
    )
    const missing = walked.filter(({ method, url }) => !fields.some((field) => field.startsWith(`${method} ${url} `)))
    expect(missing.map(({ method, url }) => `${method} ${url}`)).toEqual([])
    expect(channels).toEqual(['bb:key-changes'])
    expect(commands).toEqual(
      expect.arrayContaining(['user create', 'key create', 'key rotate', 'audit', 'engines try']),
    )
    for (const status of [200, 303, 400, 401, 403, 404])
      expect([status, statuses[status] ?? 0]).toEqual([status, expect.toSatisfy((count: number) => count > 5)])
    expect(statuses[500]).toBeUndefined()
  })

  const leakedTo = (isPlace: (place: string) => boolean): string[] =>
    [...leaks]
      .filter(([place]) => isPlace(place))
      .flatMap(([place, leaked]) =>
        leaked.filter((field) => !(KEPT[field] ?? []).includes(place)).map((field) => `${place}: ${field}`),
      )

  it('is in no line of the log', () => {
    expect(leakedTo((place) => place === 'log')).toEqual([])
  })

  it('is in no metric', () => {
    expect(leakedTo((place) => place === 'metrics')).toEqual([])
  })

  it('is in no row of any table, unless that is what the field is for', () => {
    expect(leakedTo((place) => place.startsWith('table '))).toEqual([])
  })

  it('is in no name and no value in Redis', () => {
    expect(leakedTo((place) => place.startsWith('Redis'))).toEqual([])
  })

  it('that is kept on purpose is found, so the search works', () => {
    for (const [field, places] of Object.entries(KEPT)) {
      for (const place of places) expect([field, leaks.get(place)]).toEqual([field, expect.arrayContaining([field])])
    }
  })
})
