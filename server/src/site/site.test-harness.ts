// The site in memory for tests, with a browser that keeps its cookies: real routing, real forms, no sockets, and so
// nothing to close. Services that a test does not give are missing, and a page that asks for one fails loudly.
import { randomBytes } from 'node:crypto'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { fastify, type LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import { expect } from 'vitest'
import type { ProviderStatus } from '../health/provider-status.ts'
import { setCommonHeaders } from '../http/common-headers.ts'
import { LoadShedder } from '../rate-limit/load-shedder.ts'
import { ReplyMemory } from '../rate-limit/reply-memory.ts'
import { catalogueOf } from '../search/engine-catalogue.ts'
import { readConfiguration, requireConfiguration } from '../settings/configuration.ts'
import { createSettingsDesk, type SettingsDesk } from '../settings/settings-desk.ts'
import { createDailyHash, createKeyedHash } from '../text/cryptography.ts'
import { answerOtherMethods } from '../text/refuse-other-methods.ts'
import type { EngineAdmin } from './admin/engine-admin.ts'
import type { Page, Viewer } from './http/page.ts'
import { memoryRules } from './memory-rules.test-harness.ts'
import { toSearchOffers } from './search-offers.ts'
import { type FrameParts, type LimitParts, type PeopleParts, type Site, toPagesByRoute } from './site.ts'
import { listPages, type SitePagesParts } from './site-pages.ts'
import { mountSite } from './site-router.ts'

/** Two people for `browser`, where they have just signed in. */
export const USER: Viewer = {
  userId: '1',
  username: 'ada',
  isAdmin: false,
  sessionId: '1',
}
export const ADMIN: Viewer = { ...USER, userId: '2', username: 'grace', isAdmin: true, sessionId: '2' }

type Fields = Record<string, string | string[]>
type Headers = Record<string, string>

export interface Reply extends LightMyRequestResponse {
  status: number
  /** Where it leads, or ''. */
  location: string
  /** What a person reads: the page without its tags. */
  text: string
}

export interface Browser {
  cookies: Map<string, string>
  get: (path: string, headers?: Headers) => Promise<Reply>
  /** The token of the first form on a page. */
  token: (path: string) => Promise<string>
  /** Opens `from` (or the path itself) for its token first, as a person would, then sends the form. */
  submit: (path: string, fields: Fields, from?: string) => Promise<Reply>
  /** The form exactly as given, without a token unless it has one. */
  post: (path: string, fields: Fields, headers?: Headers) => Promise<Reply>
}

export interface SiteStage {
  /** A new browser, or one where the viewer is signed in. */
  browser: (viewer?: Viewer, address?: string) => Browser
  /** A request that no browser would make; a bare path is a plain GET. */
  inject: (request: InMemoryRequest | string) => Promise<Reply>
  logged: () => string
}

/** What a test may give: what its pages use, and what every request needs, by their names. */
export interface SiteStubs
  extends SitePagesParts,
    LimitParts,
    Pick<FrameParts, 'instanceSecret' | 'clock' | 'randomBytes' | 'log'>,
    Pick<Site, 'instanceName' | 'appearance' | 'isPublic'>,
    Pick<PeopleParts, 'recordDenied'> {
  sessions: { find: PeopleParts['findSession'] }
}

/** A page, or what makes one or several. */
export type StagePage = Page | MakePages
type MakePages = (stubs: SiteStubs) => Page | readonly Page[]

const makePages = (pages: readonly StagePage[] | MakePages, stubs: SiteStubs): Page[] =>
  [pages].flat().flatMap((page) => (typeof page === 'function' ? page(stubs) : page))

/** The pages below these paths. All of them take Fastify a third of a second. */
export const pagesUnder =
  (...paths: string[]) =>
  (stubs: SiteStubs): Page[] =>
    listPages(stubs).filter(({ path }) => paths.some((above) => path === above || path.startsWith(`${above}/`)))

/** All of them, for tests that look at their routes and open none: making a page asks no service. */
export const PAGES: readonly Page[] = listPages({} as SitePagesParts)

/** The engines that we ship, in these slots. */
export const shippedEngines = (slots = new Map(), missingOf = new Map()): EngineAdmin['catalogue'] =>
  catalogueOf({ engines: ALL_ENGINES, slots, missingOf })

export const engineAdmin = (given: Partial<EngineAdmin> = {}): EngineAdmin => ({
  catalogue: [],
  contributions: async () => [],
  tryEngine: async () => undefined,
  spentQuotas: async () => [],
  ...given,
})

/** A provider as the status board has it. */
export const providerStatus = (
  name: string,
  state: 'up' | 'down' | 'unknown',
  group = 'web',
  at = 1,
): ProviderStatus => ({
  provider: name.toLowerCase(),
  slug: name.toLowerCase(),
  name,
  group,
  monitor: 'query',
  health:
    state === 'unknown'
      ? undefined
      : { state, checkedAt: at, lastOkAt: at, lastError: 'It did not respond.', consecutiveFailures: 0 },
})

export const statusBoard = (...listed: ProviderStatus[]): SiteStubs['status'] => ({
  list: async () => listed,
  record: () => undefined,
  close: async () => undefined,
})

const CONFIGURATION = requireConfiguration(readConfiguration({}))

const DEFAULTS = {
  engines: engineAdmin(),
  answers: { answer: async () => null },
  cards: { cards: async () => ({ cards: {} }), providerNames: [] },
  // Pages only pass on who it was.
  accounts: { accessBy: ({ userId }: Viewer) => ({ actor: { userId, network: '' } }) },
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
  appearance: CONFIGURATION.appearance,
  settings: deskWith(),
}

/** The settings of an instance on which nothing is set, and where nothing can be stored unless a test says how. */
export function deskWith(given: Partial<SettingsDesk> = {}): SettingsDesk {
  const desk = createSettingsDesk({
    store: { takesSecrets: true, change: async () => [] },
    configuration: () => CONFIGURATION,
    stored: () => ({ version: 0, values: {}, secrets: [], unreadable: [] }),
    catchUp: async () => undefined,
  })
  return { ...desk, ...given }
}

/** Without `pages`: all pages of the site. */
export async function openSiteStage(
  { openapi = {}, ...given }: Partial<SiteStubs> & { openapi?: object } = {},
  pages: readonly StagePage[] | MakePages = listPages,
): Promise<SiteStage> {
  const lines: string[] = []
  const viewers = new Map<string, Viewer>()
  const sessions = given.sessions
  // Members that are missing here are those that the test's pages never touch.
  const stubs = {
    replyMemory: new ReplyMemory(),
    load: new LoadShedder({ maxInFlight: 0, log: pino({ level: 'silent' }), clock: () => 0 }),
    status: { list: async () => [] },
    search: { slotNames: [], labelOf: () => '' },
    ...DEFAULTS,
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
  } as unknown as SiteStubs
  const http = fastify()
  http.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply, stubs.publicUrl)
    if (stubs.load.isFull) done(stubs.load.refuse())
    else done()
  })
  const { instanceName, appearance, isPublic, consume, networkPseudonym, load, replyMemory } = stubs
  const site = {
    pages: toPagesByRoute(makePages(pages, stubs)),
    instanceName,
    appearance,
    isPublic,
    offers: toSearchOffers(stubs),
  }
  const people = {
    findSession: stubs.sessions.find,
    savePreferences: (...given: Parameters<PeopleParts['savePreferences']>) =>
      stubs.accounts.ownAccount.savePreferences(...given),
    recordDenied: stubs.recordDenied,
    trustedHeader: stubs.trustedHeader,
  }
  const frame = { ...stubs, people, limits: { consume, networkPseudonym, load, replyMemory } }
  const answerNotFound = mountSite(http, { site: () => site, frame, openapi: () => openapi })
  answerOtherMethods(http)
  http.setNotFoundHandler((request, reply) => answerNotFound(request, reply))
  await http.ready()
  const isSecure = stubs.publicUrl.startsWith('https://')

  return {
    browser(viewer, remoteAddress = '127.0.0.1') {
      const cookies = new Map<string, string>()
      if (viewer) {
        const token = randomBytes(32).toString('base64url')
        viewers.set(token, { confirmedAt: stubs.clock(), ...viewer })
        cookies.set(`${isSecure ? '__Host-' : ''}bowerbird_session`, token)
      }
      return openBrowser(cookies, (request) => http.inject({ ...request, remoteAddress }))
    },
    inject: async (request) => read(await http.inject(request)),
    logged: () => lines.join(''),
  }
}

/** The site with an administrator at it, and the changes of settings that its pages ask for. */
export async function openAdminStage({
  desk = {},
  services = {},
  viewer = ADMIN,
  under = ['/admin'],
}: AdminScene = {}) {
  const saved: Record<string, string | undefined>[] = []
  const change: SettingsDesk['change'] = async (_by, edits) => {
    saved.push(edits)
    return Object.keys(edits)
  }
  const stage = await openSiteStage(
    { settings: deskWith({ version: 3, change, ...desk }), ...services },
    pagesUnder(...under),
  )
  return { ...stage, admin: stage.browser(viewer), saved }
}

interface AdminScene {
  desk?: Partial<SettingsDesk>
  services?: Partial<SiteStubs>
  viewer?: Viewer
  under?: string[]
}

interface InMemoryRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT'
  url: string
  headers?: Headers
  payload?: string | Buffer
}

const read = (reply: LightMyRequestResponse): Reply =>
  Object.assign(reply, {
    status: reply.statusCode,
    location: reply.headers.location ?? '',
    text: textOf(reply.body),
  })

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
    return read(reply)
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
  const token: Browser['token'] = async (path) => {
    const page = await get(path)
    const found = /name="_csrf" value="([^"]+)"/.exec(page.body)?.[1]
    if (found === undefined) throw new Error(`${path} has no form that could be sent: ${page.status}`)
    return found
  }
  const submit: Browser['submit'] = async (path, fields, from = path) =>
    await post(path, { ...fields, _csrf: await token(from) })
  return { cookies, get, token, post, submit }
}

/** What is on a page in some state, and what is not: parts of its markup, or of what a person reads. */
export interface PageView {
  status?: number
  shows?: readonly (string | RegExp)[]
  hides?: readonly (string | RegExp)[]
}

export function expectPage(reply: Reply, { status = 200, shows = [], hides = [] }: PageView): void {
  const page = `${reply.body}\n${reply.text}`
  expect(reply.status).toBe(status)
  for (const part of shows) expect(page).toMatch(part)
  for (const part of hides) expect(page).not.toMatch(part)
}

/** What a person reads: the text of a page without its tags. */
export const textOf = (body: string): string => body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
