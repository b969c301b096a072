// The API in memory for tests: real routing, the real pipeline and a real rate limiter on a clock that only the test
// moves, but no sockets, no database and no providers. The test defines the keys and the replies of the services. Every
// reply is validated against the OpenAPI document.

import { ALL_ANSWERS } from '@bowerbird/answers/all.ts'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createReplyValidator, type OpenapiDocument } from '../../test/support/reply-validator.ts'
import type { BudgetSettings } from '../budget/provider-budget.ts'
import { ALL_CARDS } from '../cards/all.ts'
import { createInstantAnswers } from '../cards/instant-answers.ts'
import type { CompatMount } from '../compat/compat-router.ts'
import type { ToolServices } from '../compat/tools/tool.ts'
import { createHttp, type HttpParts } from '../http/http-server.ts'
import { DEFAULT_SCOPES } from '../keys/scopes.ts'
import type { KeyVerdict, KeyVerifier, VerifiedKey } from '../keys/verify-key.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { LoadShedder } from '../rate-limit/load-shedder.ts'
import { createMemoryRateLimiter, type MemoryRateLimiter } from '../rate-limit/memory-rate-limiter.ts'
import type { ConsumeRequest, Limits, RateLimiter, UserLimits } from '../rate-limit/rate-limiter.ts'
import { createReadableUrls } from '../reader/readable-urls.ts'
import type { Caller } from '../search/caller.ts'
import { type GuardMode, guardText } from '../search/query-guard.ts'
import { listPageUrls, type Search } from '../search/search.ts'
import type { SearchWatcher } from '../search/search-watcher.ts'
import { NOW, type Says, silentServices } from './api.test-answers.ts'
import { createApi } from './api.ts'
import type { ApiMount } from './api-router.ts'
import { createPlanSearch } from './endpoints/plan-endpoint.ts'
import { createPageReading } from './page-reading.ts'
import { createAdmission } from './pipeline/admission.ts'

export { found, NOW, readPage, webHit } from './api.test-answers.ts'

export interface ApiReply {
  status: number
  headers: Record<string, string | undefined>
  text: string
  // Tests read replies of every shape; the document has already validated them.
  // biome-ignore lint/suspicious/noExplicitAny: as said above
  json: any
}

interface ApiRequest {
  /** `null` for a request without one; a valid key with very high limits unless given. */
  key?: string | null
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  headers?: Record<string, string>
  body?: string
  /** The client's address. */
  from?: string
}

/** The replies of the services behind the API. */
export const LIMITS: Limits = {
  burst: { count: 60, windowMs: 60_000 },
  sustained: { count: 5_000, windowMs: 86_400_000 },
  monthlyCap: undefined,
}
const GOOD_KEY = 'bowerbird_good.key'

type StageServices = ApiMount & CompatMount & Pick<HttpParts, 'keys' | 'load'>

interface StageSettings {
  limits?: Partial<Limits>
  publicUrl?: string
  corsOrigins?: HttpParts['corsOrigins']
  userLimits?: UserLimits
  areUrlKeysOn?: boolean
  isReaderOn?: boolean
  hasMine?: boolean
  queryGuard?: GuardMode
}

export class ApiStage {
  now = NOW
  /** Who made each search. */
  readonly callers: Caller[] = []
  /** Calls to services: the name, then the arguments without the caller. */
  asked: unknown[][] = []
  /** Requests to the rate limiter. */
  consumed: ConsumeRequest[] = []
  /** The endpoints whose usage was counted. */
  counted: string[] = []
  /** The stored usage of the month, for a monthly cap. */
  usedThisMonth = 0
  /** Prices and caps by the engine's slug. */
  budgets = new Map<string, BudgetSettings>()
  /** The engines whose daily calls are used up. */
  spentQuotas: { slug: string }[] = []
  declare says: Says
  declare http: FastifyInstance
  declare document: OpenapiDocument
  declare validate: ReturnType<typeof createReplyValidator>
  load = new LoadShedder({ maxInFlight: 1_000, log: pino({ level: 'silent' }), clock: () => this.now })
  declare rateLimiter: MemoryRateLimiter
  readonly #keys = new Map<string, { verdict: KeyVerdict; isCached: boolean }>()
  readonly #lines: string[] = []

  logged = (): string => this.#lines.join('')

  /** Adds a valid key with these properties. */
  addKey(own: Partial<VerifiedKey> = {}, { isCached = true } = {}): string {
    const presented = `bowerbird_${this.#keys.size}.key`
    this.#keys.set(presented, { verdict: { ok: true, key: keyOf(presented, own) }, isCached })
    return presented
  }

  addWrongKey(reason: Exclude<KeyVerdict, { ok: true }>['reason'], { isCached = false } = {}): string {
    const presented = `bowerbird_${reason}.key`
    this.#keys.set(presented, { verdict: { ok: false, reason }, isCached })
    return presented
  }

  async get(url: string, { key = GOOD_KEY, method = 'GET', ...request }: ApiRequest = {}): Promise<ApiReply> {
    const reply = await this.http.inject({
      method,
      url,
      headers: { ...(key !== null && { authorization: `Api-Key ${key}` }), ...request.headers },
      ...(request.body !== undefined && { payload: request.body }),
      ...(request.from !== undefined && { remoteAddress: request.from }),
    })
    const json = reply.body === '' ? undefined : JSON.parse(reply.body)
    const contentType = reply.headers['content-type'] ?? ''
    this.validate({ path: url, method }, { status: reply.statusCode, contentType, json })
    // No header of the API is a list or a number.
    const headers = reply.headers as ApiReply['headers']
    return { status: reply.statusCode, headers, text: reply.body, json }
  }

  /** Forgets everything from earlier tests. */
  reset(limits: Limits): void {
    this.now = NOW
    this.asked = []
    this.consumed = []
    this.counted = []
    this.budgets.clear()
    this.spentQuotas = []
    this.usedThisMonth = 0
    this.#lines.length = 0
    this.#keys.clear()
    const burst = { count: 1_000_000, windowMs: limits.burst.windowMs }
    this.#keys.set(GOOD_KEY, { verdict: { ok: true, key: keyOf(GOOD_KEY, { burst }) }, isCached: true })
    this.says = silentServices()
    this.rateLimiter = createMemoryRateLimiter({
      clock: () => this.now,
      loadMonthUsage: async () => ({ used: this.usedThisMonth, validMs: 600_000 }),
    })
  }

  /** What the HTTP server is made of that the API needs. */
  services({
    limits,
    userLimits,
    publicUrl = '',
    corsOrigins,
    isReaderOn = true,
    hasMine = false,
    queryGuard = 'off',
  }: StageSettings & { limits: Limits }): StageServices {
    const ask =
      <Args extends unknown[], Result>(name: string, of: (says: Says) => (...args: Args) => Promise<Result>) =>
      (...args: Args): Promise<Result> => {
        this.asked.push([name, ...args])
        return of(this.says)(...args)
      }
    /** The real services guard what they send, too. */
    const guarded = <Query extends { text: string }>(caller: Caller, query: Query): Query => {
      const text = guardText(caller, query.text)
      return text === query.text ? query : { ...query, text }
    }
    const [askSearch, askMine] = [ask('search', ({ search }) => search), ask('mine', ({ mine }) => mine)]
    /** A call without a watcher is recorded without one. */
    const toArgs = (watcher: SearchWatcher | undefined) => (watcher ? [watcher] : [])
    const askPreview = ask('preview', ({ preview }) => preview)
    const askSuggest = ask('suggest', ({ suggest }) => suggest)
    const [askForward, askReverse] = [
      ask('forward', ({ forward }) => forward),
      ask('reverse', ({ reverse }) => reverse),
    ]
    const askTranslate = ask('translate', ({ translate }) => translate)
    const askLanguages = ask('languages', ({ languages }) => languages)
    const askCards = ask('cards', ({ cards }) => cards)
    const mine: Search = {
      search: ({ tab, request }, watcher) => askMine(tab, request, ...toArgs(watcher)),
      engineNamesOf: (slot) => [`The service ${slot}`],
      labelOf: (slot) => `The service ${slot}`,
      attributionsOf: () => [],
      regionsOf: () => [],
      indexOf: () => '',
      preview: async () => ({ engines: [], skips: [] }),
      slotNames: hasMine ? ['karakeep', 'shelf'] : [],
    }
    const rateLimiter = this.#watchedRateLimiter()
    const usage = { count: (_: string, endpoint: string) => void this.counted.push(endpoint) }
    const clock = () => this.now
    const admit = createAdmission({ rateLimiter, usage, limits, userLimits, countRefusal: () => undefined, clock })
    const read = ask('read', ({ read }) => read)
    const urls = { redis: undefined, hash: (text: string) => text, clock }
    const log = pino({ level: 'error' }, { write: (line: string) => void this.#lines.push(line) })
    const search: Search = {
      search: async ({ caller, tab, request }, watcher) => {
        this.callers.push(caller)
        const answer = await askSearch(tab, guarded(caller, request), ...toArgs(watcher))
        caller.onFound?.(listPageUrls(answer.results))
        return answer
      },
      engineNamesOf: (slot) => [`The engine of ${slot}`],
      labelOf: (slot) => `The engine of ${slot}`,
      attributionsOf: () => [],
      regionsOf: () => [],
      indexOf: () => '',
      preview: async ({ caller, tab, request }) => await askPreview(tab, guarded(caller, request)),
      slotNames: ['engine_a', 'engine_b', 'engine_c'],
    }
    const current: ToolServices = {
      search,
      planSearch: createPlanSearch({
        search,
        costs: { ofMonth: ask('costs', ({ costs }) => costs), budgets: this.budgets },
        spentQuotas: async () => this.spentQuotas,
        clock,
        log,
      }),
      suggest: {
        providerNames: ['Wikipedia'],
        suggest: async (caller, query) => await askSuggest(guarded(caller, query)),
      },
      maps: {
        isConfigured: true,
        forward: async (caller, query) => await askForward(guarded(caller, query)),
        reverse: (_caller, query) => askReverse(query),
        find: async () => undefined,
      },
      translate: {
        isConfigured: true,
        maxCharacters: 100,
        languages: () => askLanguages(),
        translate: (_caller, request) => askTranslate(request),
        translateIfOffered: async () => null,
      },
      answers: createInstantAnswers({ list: ALL_ANSWERS, answer: ask('answer', ({ answer }) => answer) }),
      cards: {
        list: ALL_CARDS,
        providerNames: [],
        cards: async (caller, query) => await askCards(guarded(caller, query)),
      },
    }
    const reader = isReaderOn
      ? createPageReading({
          read: (address, { subject, format, withinMs }) =>
            read(address, { format, ...(withinMs !== undefined && { withinMs }) }, keyOf(subject, {})),
          found: createReadableUrls({ ...urls, list: 'found' }),
          linked: createReadableUrls({ ...urls, list: 'linked' }),
          admit,
        })
      : undefined
    const pipeline = { admit, rules: { inForce: async () => undefined }, reader, queryGuard, publicUrl, log }
    const keyUsage = { limits, readUsage: ask('usage', ({ usage }) => usage), clock }
    const status = { list: ask('status', ({ status }) => status) }
    const api = createApi({ ...current, ...pipeline, ...keyUsage, mine, status })
    return {
      ...keyUsage,
      keys: this.#keyVerifier(),
      load: this.load,
      pipeline,
      corsOrigins,
      current: () => current,
      api: () => api,
    }
  }

  #keyVerifier(): KeyVerifier {
    return {
      verifyCached: (presented) => this.#find(presented, true),
      verify: async (presented) => this.#find(presented, false) ?? { ok: false, reason: 'unknown' },
      state: () => ({ hits: 0, misses: 0, isDatabaseUp: true }),
      start: () => undefined,
      stop: async () => undefined,
    }
  }

  #watchedRateLimiter(): RateLimiter {
    return {
      consume: (request) => {
        this.consumed.push(request)
        return this.rateLimiter.consume(request)
      },
      peek: (request) => this.rateLimiter.peek(request),
    }
  }

  #find(presented: string, isCached: boolean): KeyVerdict | undefined {
    const known = this.#keys.get(presented)
    return isCached && !known?.isCached ? undefined : known?.verdict
  }
}

/** Call it inside describe: each test then gets a fresh API. */
export function setUpApi(own: StageSettings = {}): ApiStage {
  const stage = new ApiStage()
  const limits = { ...LIMITS, ...own.limits }
  beforeAll(async () => {
    const services = stage.services({ ...own, limits })
    stage.http = createHttp({
      ...services,
      metrics: createMetrics(),
      metricsToken: undefined,
      trustedProxies: [],
      areUrlKeysOn: own.areUrlKeysOn,
      isReady: () => true,
    })
    const openapi = await stage.http.inject('/api/v1/openapi.json')
    stage.document = openapi.json()
    stage.validate = createReplyValidator(stage.document)
  })
  beforeEach(() => stage.reset(limits))
  afterAll(() => stage.http.close())
  return stage
}

const keyOf = (presented: string, own: Partial<VerifiedKey>): VerifiedKey => ({
  keyId: presented,
  userId: '1',
  username: 'ada',
  name: 'laptop',
  prefix: presented.slice('bowerbird_'.length, -'.key'.length),
  isGrant: false,
  scopes: new Set(DEFAULT_SCOPES),
  burst: undefined,
  sustained: undefined,
  createdAt: new Date(NOW - 86_400_000),
  expiresAt: undefined,
  lastUsedAt: new Date(NOW),
  ...own,
})
