// The site in memory for tests, with a browser that keeps its cookies: real routing, real forms, no sockets. Services
// that a test does not give are missing, and a page that asks for one fails loudly.
import { randomBytes } from 'node:crypto'
import { fastify, type LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import { setCommonHeaders } from '../http/common-headers.ts'
import { LoadShedder } from '../rate-limit/load-shedder.ts'
import { ReplyMemory } from '../rate-limit/reply-memory.ts'
import { readConfiguration, requireConfiguration } from '../settings/configuration.ts'
import { createSettingsDesk, type SettingsDesk } from '../settings/settings-desk.ts'
import { createDailyHash, createKeyedHash } from '../text/cryptography.ts'
import type { Page } from './http/page.ts'
import { memoryRules } from './memory-rules.test-harness.ts'
import { mountSite } from './site-router.ts'
import type { SiteServices, Viewer } from './site-services.ts'

export interface Browser {
  cookies: Map<string, string>
  get: (path: string, headers?: Record<string, string>) => Promise<LightMyRequestResponse>
  /** Opens `from` (or the path itself) for its token first, as a person would, then sends the form. */
  submit: (path: string, fields: Record<string, string | string[]>, from?: string) => Promise<LightMyRequestResponse>
  /** The form exactly as given, without a token unless it has one. */
  post: (
    path: string,
    fields: Record<string, string | string[]>,
    headers?: Record<string, string>,
  ) => Promise<LightMyRequestResponse>
}

export interface SiteStage {
  /** A browser that nobody has used before, or one where somebody is signed in. */
  browser: (viewer?: Viewer, address?: string) => Browser
  /** A request as nobody's browser makes it. */
  inject: (request: InMemoryRequest) => Promise<LightMyRequestResponse>
  logged: () => string
  close: () => Promise<void>
}

const ENGINES_AND_CHOICE = {
  engines: {
    catalogue: [],
    contributions: async () => [],
    tryEngine: async () => undefined,
    spentQuotas: async () => [],
  },
  keyless: {
    current: 'foundations',
    isFixed: false,
    names: { none: [], foundations: ['Wikipedia', 'Marginalia'], all: ['You.com (keyless)'] },
  },
  mine: { slotNames: [] },
  mineStatus: { list: async () => [] },
  serviceEngines: { canStore: true, list: () => [] },
  costs: { ofMonth: async () => [], budgets: new Map() },
  instanceName: 'Bowerbird',
  appearance: requireConfiguration(readConfiguration({})).appearance,
  settings: deskWith(),
}

/** The settings of an instance on which nothing is set, and where nothing can be stored unless a test says how. */
export function deskWith(given: Partial<SettingsDesk> = {}): SettingsDesk {
  const configuration = requireConfiguration(readConfiguration({}))
  const desk = createSettingsDesk({
    store: { takesSecrets: true, change: async () => [] },
    configuration: () => configuration,
    stored: () => ({ version: 0, values: {}, secrets: [], unreadable: [] }),
    catchUp: async () => undefined,
  })
  return { ...desk, ...given }
}

/** Without `pages`: all pages of the site. */
export async function openSiteStage(given: Partial<SiteServices> = {}, pages?: readonly Page[]): Promise<SiteStage> {
  const lines: string[] = []
  const viewers = new Map<string, Viewer>()
  const sessions = given.sessions
  // Members that are missing here are those that the test's pages never touch.
  const services = {
    replyMemory: new ReplyMemory(),
    load: new LoadShedder({ maxInFlight: 0, log: pino({ level: 'silent' }), clock: () => 0 }),
    status: { list: async () => [] },
    search: { slotNames: [], labelOf: () => '' },
    ...ENGINES_AND_CHOICE,
    rules: memoryRules(),
    pictures: undefined,
    consume: async () => 0,
    networkPseudonym: createDailyHash({ instanceSecret: 'of tests', purpose: 'networks', clock: Date.now }),
    recordDenied: async () => undefined,
    isPublic: true,
    suggestionsFor: 'off',
    queryGuard: 'warn',
    areUrlKeysOn: false,
    reading: undefined,
    showsIcons: false,
    signSuggestionToken: createKeyedHash('of tests', 'suggestions of tests'),
    instanceSecret: 'a secret for tests',
    publicUrl: 'http://site.test',
    clock: Date.now,
    randomBytes,
    log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
    ...given,
    sessions: { ...sessions, find: async (token: string) => viewers.get(token) ?? (await sessions?.find(token)) },
  } as SiteServices
  const http = fastify()
  http.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply, services.publicUrl)
    if (services.load.isFull) done(services.load.refuse())
    else done()
  })
  const { notFound } = mountSite(http, services, pages)
  http.setNotFoundHandler((request, reply) => notFound(request, reply))
  await http.ready()
  const isSecure = services.publicUrl.startsWith('https://')

  return {
    browser(viewer, remoteAddress = '127.0.0.1') {
      const cookies = new Map<string, string>()
      if (viewer) {
        const token = randomBytes(32).toString('base64url')
        viewers.set(token, viewer)
        cookies.set(`${isSecure ? '__Host-' : ''}bowerbird_session`, token)
      }
      return openBrowser(cookies, (request) => http.inject({ ...request, remoteAddress }))
    },
    inject: (request) => http.inject(request),
    logged: () => lines.join(''),
    close: async () => await http.close(),
  }
}

interface InMemoryRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT'
  url: string
  headers: Record<string, string>
  payload?: string | Buffer
}

function openBrowser(
  cookies: Map<string, string>,
  inject: (request: InMemoryRequest) => Promise<LightMyRequestResponse>,
): Browser {
  const ask = async (request: InMemoryRequest) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await inject({ ...request, headers: { ...(cookie && { cookie }), ...request.headers } })
    for (const { name, value, maxAge } of reply.cookies) {
      if (maxAge === 0) cookies.delete(name)
      else cookies.set(name, value)
    }
    return reply
  }
  const get: Browser['get'] = (url, headers = {}) => ask({ method: 'GET', url, headers })
  const post: Browser['post'] = (url, fields, headers = {}) => {
    const payload = new URLSearchParams()
    for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) payload.append(name, one)
    return ask({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: payload.toString(),
    })
  }
  return {
    cookies,
    get,
    post,
    async submit(path, fields, from = path) {
      const page = await get(from)
      const token = /name="_csrf" value="([^"]+)"/.exec(page.body)?.[1]
      if (token === undefined) throw new Error(`${from} has no form that could be sent: ${page.statusCode}`)
      return await post(path, { ...fields, _csrf: token })
    },
  }
}

/** What a person reads: the text of a page without its tags. */
export const textOf = (body: string): string => body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
