// A local HTTP server that simulates every search provider over an invented corpus, with faults that can be switched
// on. Tests, benchmarks and the demo use it through the real adapters over real sockets. The provider is the first part
// of the path, so that an adapter's base URL is `urlOf(slug)`.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Call, CallLog } from './call-log.ts'
import { type Counts, control } from './control.ts'
import { fraction, hash } from './corpus/random.ts'
import type { Fault } from './fault.ts'
import { playHostilePicture } from './hostile-pictures.ts'
import { pictureAt } from './picture.ts'
import { after, playFault, send } from './play-fault.ts'
import { ALL_PROVIDERS } from './providers/all.ts'
import { DOCUMENT_PROVIDERS } from './providers/documents.ts'
import type { Provider } from './providers/provider.ts'
import { sendPage } from './read-page.ts'
import { createRenderer, type RawRequest, type Rendered, toBytes } from './renderer.ts'
import { Traffic } from './traffic.ts'

export type { Call } from './call-log.ts'
export type { Fault } from './fault.ts'

const LONGEST_BODY = 1_000_000
const KEEP_ALIVE_MS = 65_000
/** Tests open thousands of connections concurrently; those beyond the backlog would wait for a retry. */
const BACKLOG = 4_096

type ProviderSlug = (typeof ALL_PROVIDERS)[number]['slug']

/** The credential each provider accepts, '' where it needs none. */
export const SANDBOX_KEYS: Readonly<Record<ProviderSlug, string> & Record<string, string>> = Object.fromEntries(
  [...ALL_PROVIDERS, ...DOCUMENT_PROVIDERS].map(({ slug, key }) => [slug, key]),
  // `fromEntries` loses the names of the members; they come from the list that the type is derived from.
) as Record<ProviderSlug, string>

export interface SandboxOptions {
  /** 0, any free port, by default. */
  port?: number
  /** 127.0.0.1 by default. */
  host?: string
  /** Selects the corpus. */
  seed?: string
  now?: () => number
}

export interface Sandbox {
  url: string
  /** A provider's base URL. */
  urlOf(slug: string): string
  /** An image proxy that has a picture for every address. */
  picturesUrl: string
  /** A proxy for pages that has one for every address. */
  pagesUrl: string
  /** `undefined` clears it. */
  setFault(slug: string, fault: Fault | undefined): void
  /** The last 10,000 requests, oldest first. */
  calls(slug: string): Call[]
  /** All requests since the start or the last reset. */
  callCount(slug: string): number
  /** Calls that exceeded the rate of the fault `banAbove`, since the start or the last reset. */
  rateLimitViolations(slug: string): number
  /** The most calls that waited for a reply concurrently. */
  maxConcurrent(slug: string): number
  /** Clears every fault and every call. */
  reset(): void
  /** Breaks every connection and stops listening. */
  close(): Promise<void>
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', seed = 'bowerbird', now = Date.now } = options
  const stage = new Stage(seed, now)
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    stage.play(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else send(toBytes({ status: 500, text: `sandbox: ${String(error)}`, contentType: 'text/plain' }), response)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: BACKLOG }, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the sandbox has no port')
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`

  return {
    url,
    urlOf: (slug) => `${url}/${stage.part(slug).provider.slug}`,
    picturesUrl: `${url}/pictures`,
    pagesUrl: `${url}/pages`,
    setFault: (slug, fault) => stage.setFault(slug, fault),
    calls: (slug) => stage.part(slug).log.list(),
    callCount: (slug) => stage.counts(slug).calls,
    rateLimitViolations: (slug) => stage.counts(slug).rateLimitViolations,
    maxConcurrent: (slug) => stage.counts(slug).maxConcurrent,
    reset: () => stage.reset(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Part {
  provider: Provider
  log: CallLog
  traffic: Traffic
  fault: Fault | undefined
}

/** The providers with their logs and faults, and the handling of requests. */
class Stage {
  readonly #parts = new Map<string, Part>(
    [...ALL_PROVIDERS, ...DOCUMENT_PROVIDERS].map((provider): [string, Part] => [
      provider.slug,
      { provider, log: new CallLog(), traffic: new Traffic(), fault: undefined },
    ]),
  )
  readonly #renderer
  readonly #now: () => number
  readonly #chance: number
  #waits = 0

  constructor(seed: string, now: () => number) {
    this.#renderer = createRenderer(seed, now)
    this.#now = now
    this.#chance = hash(seed)
  }

  get slugs(): string[] {
    return [...this.#parts.keys()]
  }

  part(slug: string): Part {
    const part = this.#parts.get(slug)
    if (!part) throw new Error(`the sandbox has no provider ${slug}; it has ${this.slugs.join(', ')}`)
    return part
  }

  setFault(slug: string, fault: Fault | undefined): void {
    const part = this.part(slug)
    part.fault = fault
    part.traffic.forgetAdmissions()
  }

  counts(slug: string): Counts {
    const { log, traffic } = this.part(slug)
    return { calls: log.count, rateLimitViolations: traffic.violations, maxConcurrent: traffic.maxConcurrent }
  }

  reset(): void {
    for (const part of this.#parts.values()) {
      part.fault = undefined
      part.log.clear()
      part.traffic.clear()
    }
  }

  async play(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { slug, path, search } = splitAddress(incoming.url ?? '/')
    const method = incoming.method ?? 'GET'
    const body = method === 'GET' ? '' : await readBody(incoming)
    if (slug === 'control') return send(toBytes(control(method, path, { body, controls: this })), response)
    if (slug === 'pictures') return showPicture(path, new URLSearchParams(search), response)
    if (slug === 'pages') return sendPage(new URLSearchParams(search).get('url'), response)
    const part = this.#parts.get(slug)
    if (!part) return send(toBytes({ status: 404, json: { detail: 'no such provider' } }), response)

    this.#answer(part, { method, path, search, headers: incoming.headers, body }, response)
  }

  #answer(part: Part, request: RawRequest, response: ServerResponse): void {
    const { provider, log, traffic, fault } = part
    const now = this.#now()
    log.record(now, request)
    traffic.opened()
    if (!fault) {
      send(this.#renderer.render(provider, request), response)
      traffic.closed()
      return
    }
    response.once('close', () => traffic.closed())
    const isTooFast = fault.kind === 'banAbove' && !traffic.admits(now, fault)
    const act = () => playFault(fault, { provider, request, response, renderer: this.#renderer, now, isTooFast })
    const waitMs = (fault.latencyMs ?? 0) + (fault.jitterMs ?? 0) * fraction(this.#chance, this.#waits++)
    if (waitMs > 0) after(waitMs, response, act)
    else act()
  }
}

/** A picture looks the same in every size. */
const fullAddress = (address: string): string => address.replace('//thumbs.', '//files.').replace(/-\d+\.jpg$/, '.jpg')

/** Serves a picture by name or, as an image proxy, the picture at any address (`?url=`). */
function showPicture(path: string, query: URLSearchParams, response: ServerResponse): void {
  const address = query.get('url')
  if (playHostilePicture(address ?? path, response)) return
  const body = pictureAt(address === null ? path : `/${hash(fullAddress(address)).toString(36)}.png`)
  const reply: Rendered = body
    ? { status: 200, headers: { 'content-type': 'image/png', 'content-length': body.length }, body }
    : toBytes({ status: 404, json: { detail: 'use /pictures/<name>.png or /pictures?url=<address>' } })
  send(reply, response)
}

function splitAddress(url: string): { slug: string; path: string; search: string } {
  const mark = url.indexOf('?')
  const whole = mark < 0 ? url : url.slice(0, mark)
  const slash = whole.indexOf('/', 1)
  return {
    slug: slash < 0 ? whole.slice(1) : whole.slice(1, slash),
    path: slash < 0 ? '/' : whole.slice(slash),
    search: mark < 0 ? '' : url.slice(mark + 1),
  }
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of incoming) {
    // No encoding is set on the stream, so its chunks are buffers.
    const bytes = chunk as Buffer
    length += bytes.length
    if (length > LONGEST_BODY) throw new Error('the request body is too long')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString()
}
