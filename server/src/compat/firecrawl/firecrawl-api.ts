// The Firecrawl-compatible API, v2 and v1: search, scrape, and the credits by which n8n checks a key. Everything else is
// refused in a sentence. An address without a version is v2, and `/firecrawl` itself takes both kinds of request, because
// OpenClaw appends nothing to an address with a path. `key-location.ts` also leads `/v1/…` and `/v2/…` here.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Call } from '../../api/endpoint.ts'
import type { KeyUsage } from '../../api/endpoints/key-endpoint.ts'
import { createPageContents } from '../../api/endpoints/page-contents.ts'
import type { PageReading } from '../../api/page-reading.ts'
import { type Admit, limitsOf } from '../../api/pipeline/admission.ts'
import { requireScope } from '../../api/pipeline/authenticate.ts'
import { type FieldsToRead, readFields } from '../../api/pipeline/read-body.ts'
import { sendJson } from '../../api/pipeline/send-json.ts'
import type { Reading } from '../../api/pipeline/serve-endpoint.ts'
import { Refusal } from '../../errors.ts'
import { READ_SCOPE, type Scope } from '../../keys/scopes.ts'
import type { Search } from '../../search/search.ts'
import { monthOf } from '../../text/utc-day.ts'
import { totalOf } from '../../usage/usage.ts'
import {
  type CompatError,
  type CompatFrame,
  mountCompatRoute,
  mountNotFound,
  readMembers,
} from '../mount-compat-route.ts'
import { ScrapeSchema, scrape } from './firecrawl-pages.ts'
import {
  countedAs,
  type FirecrawlSearch,
  runSearch,
  type SearchParts,
  searchOf,
  searchSchema,
  type Version,
} from './firecrawl-search.ts'

const BASE = '/firecrawl'
const BASES = [
  [BASE, 'v2'],
  [`${BASE}/v2`, 'v2'],
  [`${BASE}/v1`, 'v1'],
] as const
const MAX_BODY_BYTES = 65_536

interface FirecrawlServices {
  search: Search
}

interface FirecrawlParts extends KeyUsage {
  current: () => FirecrawlServices
  /** undefined: this instance reads no pages. */
  reader: PageReading | undefined
  admit: Admit
}

export function mountFirecrawl(frame: CompatFrame, parts: FirecrawlParts): void {
  const { current, reader, admit, clock } = parts
  const searchParts = { admit, contents: reader && createPageContents(reader, admit) }
  const searching = { v1: searchOperation('v1', clock, searchParts), v2: searchOperation('v2', clock, searchParts) }
  const scraping = reader && scrapeOperation(reader)
  for (const [base, version] of BASES) {
    mountOperation(frame, { path: `${base}/search`, version, current }, searching[version])
    if (scraping) mountOperation(frame, { path: `${base}/scrape`, version, current }, scraping)
    mountCredits(frame, { path: `${base}/team/credit-usage`, version }, parts)
  }
  mountOperation(frame, { path: BASE, version: 'v2', current }, eitherOperation(searching.v2, scraping))
  const offered = reader ? 'search and scrape are' : 'search is'
  mountNotFound(frame, { path: `${BASE}/*`, describeError, sentence: `This is not offered here: only ${offered}.` })
}

/** What a body asks for. */
interface Operation<Params> {
  scope: Scope | undefined
  names: readonly string[]
  read: (members: Record<string, unknown>) => Reading<Params>
  countedAs: (params: Params) => string
  run: (call: Call<unknown>, params: Params, services: FirecrawlServices) => Promise<object>
}

const searchOperation = (version: Version, clock: () => number, parts: SearchParts): Operation<FirecrawlSearch> => {
  const schema = searchSchema(version, clock)
  return {
    scope: 'search',
    names: Object.keys(schema.shape),
    read(members) {
      const read = readMembers(schema, members)
      return read.ok ? searchOf(version, read.params) : read
    },
    countedAs,
    run: (call, wanted, { search }) => runSearch(call, wanted, search, parts),
  }
}

type ScrapeParams = z.output<typeof ScrapeSchema>

const scrapeOperation = (reader: PageReading): Operation<ScrapeParams> => ({
  scope: READ_SCOPE,
  names: Object.keys(ScrapeSchema.shape),
  read: (members) => readMembers(ScrapeSchema, members),
  countedAs: () => 'read',
  run: (call, params) => scrape(call, params, reader),
})

/** An operation with its parameters. */
interface BoundOperation {
  scope: Scope | undefined
  countedAs: string
  run: (call: Call<unknown>, services: FirecrawlServices) => Promise<object>
}

const getReader =
  <Params>({ scope, read, countedAs, run }: Operation<Params>) =>
  (members: Record<string, unknown>): Reading<BoundOperation> => {
    const given = read(members)
    if (!given.ok) return given
    const { params } = given
    return {
      ok: true,
      params: { scope, countedAs: countedAs(params), run: (call, services) => run(call, params, services) },
    }
  }

/** A body with a `url` and no `query` is a page to be read. Only then is it known which scope the key needs. */
const eitherOperation = (
  searching: Operation<FirecrawlSearch>,
  scraping: Operation<ScrapeParams> | undefined,
): Operation<BoundOperation> => {
  const readSearch = getReader(searching)
  const readScrape = scraping ? getReader(scraping) : readSearch
  return {
    scope: undefined,
    names: [...new Set([...searching.names, ...(scraping?.names ?? [])])],
    read: (members) => ('url' in members && !('query' in members) ? readScrape : readSearch)(members),
    countedAs: (bound) => bound.countedAs,
    run(call, { scope, run }, services) {
      requireScope(call.key, scope)
      return run(call, services)
    },
  }
}

interface Mounted {
  path: string
  version: Version
}

function mountOperation<Params>(
  frame: CompatFrame,
  { path, version, current }: Mounted & Pick<FirecrawlParts, 'current'>,
  operation: Operation<Params>,
): void {
  mountCompatRoute(frame, {
    path,
    methods: ['POST'],
    scope: operation.scope,
    countedAs: operation.countedAs,
    fields: { names: operation.names, maxBytes: MAX_BODY_BYTES },
    begin() {
      const services = current()
      return {
        async read(request: FastifyRequest, fields: FieldsToRead): Promise<Reading<Params>> {
          const members = await readFields(request, fields)
          return members instanceof Refusal ? { ok: false, refusal: members } : operation.read(members)
        },
        handle: (call) => operation.run(call, call.params, services),
      }
    },
    send,
    describeError,
    statusOf: (refusal) => statusOf(refusal, version),
  })
}

function mountCredits(frame: CompatFrame, { path, version }: Mounted, usage: KeyUsage): void {
  mountCompatRoute(frame, {
    path,
    methods: ['GET'],
    scope: undefined,
    countedAs: () => undefined,
    fields: { names: [], maxBytes: MAX_BODY_BYTES },
    begin: () => ({
      read: () => ({ ok: true, params: undefined }),
      async handle(call) {
        const { left, of } = await creditsOf(call, usage)
        const data =
          version === 'v1'
            ? { remaining_credits: left, plan_credits: of, billing_period_start: null, billing_period_end: null }
            : { remainingCredits: left, planCredits: of, billingPeriodStart: null, billingPeriodEnd: null }
        return { success: true, data }
      },
    }),
    send,
    describeError,
  })
}

/** A credit is a request: of the month if the key has a cap, or else of its longer limit. */
async function creditsOf(
  { key, admission }: Call<unknown>,
  { limits, readUsage, clock }: KeyUsage,
): Promise<{ left: number; of: number }> {
  const { monthlyCap, sustained } = limitsOf(key, limits)
  if (monthlyCap === undefined) return { left: admission.sustained.remaining, of: sustained.count }
  const used = totalOf(await readUsage(key.keyId, `${monthOf(clock())}-01`))
  return { left: Math.max(0, monthlyCap - used), of: monthlyCap }
}

const send = (reply: FastifyReply, body: unknown) => sendJson(reply, { ...Object(body), id: reply.request.id })

/** Without `details`, Firecrawl's Python client says that there are none. */
const describeError = ({ sentence, headers }: CompatError) => ({
  success: false,
  error: sentence,
  details: headers['Error-Code'] ?? '',
})

const STATUS_OF_REASON: Partial<Record<string, number>> = { robots: 403, blocked: 403, timeout: 408 }

/** Firecrawl's clients of v1 show the sentence of a 400, and only the number of a 422. */
function statusOf({ code, status, body }: Refusal, version: Version): number {
  if (code !== 'page_unreadable') return status
  const reason = typeof body.reason === 'string' ? body.reason : ''
  return STATUS_OF_REASON[reason] ?? (version === 'v1' ? 400 : status)
}
