// Requests, and when to repeat one. A request is repeated only where that can neither cost twice nor do any harm:
//
// - 429 and 503 with `Retry-After`: nothing was done and nothing counted. Also for POST. The wait is what the server
//   says, doubled each further time, because others may use the same key.
// - No reply, 502 and 504: only for GET, after a short and random wait.
//
// Nothing else is repeated: not a 503 without `Retry-After`, which says that something isn't configured. If the wait
// would outlast the call's time, the error is thrown immediately.
import { Call, type CallOptions } from './call.ts'
import { BowerbirdError, ConnectionFailedError, errorOf, notJson, UnexpectedReplyError } from './errors.ts'

export interface BowerbirdOptions {
  /** Where the instance is, such as `https://search.example`. Undefined, as from the environment, is refused. */
  url: string | undefined
  key: string | undefined
  /** Milliseconds for a whole call, retries and waits included; 30,000 by default. */
  timeoutMs?: number
  /** 2 by default. */
  maxRetries?: number
  /** Sends the key over plain HTTP to public hosts too, where anyone on the way can read it. */
  allowInsecure?: boolean
  /** Instead of the global one. */
  fetch?: typeof globalThis.fetch
}

export type Params = Record<string, string | number | boolean | readonly string[] | null | undefined>

/** As the API reads it. */
const paramValue = (value: Params[string]): string | number | null | undefined => {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'object' && value !== null ? value.join(',') : value
}

export interface ApiRequest {
  /** Under `/api/v1/`. */
  path: string
  params?: Params
  /** Makes it a POST. */
  json?: unknown
  accept?: string
}

const TIMEOUT_MS = 30_000
const RETRIES = 2
const BACKOFF_MS = 250

export class Transport {
  readonly #base: string
  readonly #key: string
  readonly #fetch: typeof globalThis.fetch
  readonly #timeoutMs: number
  readonly #maxRetries: number

  constructor(options: BowerbirdOptions) {
    const { url, key, timeoutMs = TIMEOUT_MS, maxRetries = RETRIES, fetch = globalThis.fetch } = options
    this.#base = baseOf(url, options.allowInsecure === true)
    // fetch would complain about it with the key in its message.
    if (!/^[\x21-\x7e]+$/.test(key ?? ''))
      throw new TypeError('key is not an API key: it is empty or has odd characters.')
    this.#key = key ?? ''
    // A browser's fetch must not be called as a method of something else.
    this.#fetch = (...args) => fetch(...args)
    this.#timeoutMs = timeoutMs
    this.#maxRetries = maxRetries
  }

  call(options: CallOptions): Call {
    return new Call({
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? this.#timeoutMs,
      maxRetries: options.maxRetries ?? this.#maxRetries,
    })
  }

  /** A successful reply, its body not yet read. */
  async send(request: ApiRequest, call: Call): Promise<Response> {
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#attempt(request, call)
      if (!(outcome instanceof BowerbirdError)) return outcome
      const wait = attempt < call.maxRetries ? waitBefore(outcome, request, attempt) : undefined
      if (wait === undefined || !call.hasTimeFor(wait)) throw outcome
      await call.sleep(wait)
    }
  }

  async #attempt(request: ApiRequest, call: Call): Promise<Response | BowerbirdError> {
    try {
      const response = await this.#fetch(this.#address(request), this.#init(request, call))
      if (response.ok) return response
      if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
        return redirected(response, this.#base)
      return errorOf(response.status, response.headers, parseJson(await response.text()))
    } catch (cause) {
      const error = call.explain(cause)
      if (error instanceof ConnectionFailedError) return error
      throw error
    }
  }

  #address({ path, params = {} }: ApiRequest): string {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(params)) {
      if (value === undefined || value === null) continue
      query.set(name, String(paramValue(value)))
    }
    const search = query.toString()
    return `${this.#base}/api/v1/${path}${search === '' ? '' : `?${search}`}`
  }

  #init({ json, accept = 'application/json' }: ApiRequest, { signal }: Call): RequestInit {
    const headers: Record<string, string> = { accept, authorization: `Api-Key ${this.#key}` }
    // The API never redirects, so a server that does isn't the API, and doesn't get the key.
    const init: RequestInit = { headers, signal, redirect: 'manual' }
    if (json === undefined) return init
    return {
      ...init,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    }
  }
}

/** The whole body as JSON. */
export async function readJson(response: Response, call: Call): Promise<unknown> {
  let text: string
  try {
    text = await response.text()
  } catch (cause) {
    throw call.explain(cause)
  }
  const value = parseJson(text)
  if (value !== undefined) return value
  throw notJson(response.status, response.headers)
}

function waitBefore(error: BowerbirdError, { json }: ApiRequest, attempt: number): number | undefined {
  const { status, retryAfter } = error
  if ((status === 429 || status === 503) && retryAfter !== undefined) return retryAfter * 1000 * 2 ** attempt
  const isLost = error instanceof ConnectionFailedError || status === 502 || status === 504
  return isLost && json === undefined ? BACKOFF_MS * 2 ** attempt * (0.5 + Math.random() / 2) : undefined
}

/** Without its query, which may hold the one that was searched for. A browser tells neither status nor location. */
function redirected({ status, headers }: Response, base: string): UnexpectedReplyError {
  const location = headers.get('location') ?? ''
  const { origin, pathname } = new URL(URL.canParse(location, base) ? location : base, base)
  const where = location === '' ? 'elsewhere' : `to ${origin}${pathname}`
  return new UnexpectedReplyError(`The URL redirects ${where}, where the key is not sent. Use the final URL.`, {
    ...(status !== 0 && { status }),
    headers,
  })
}

/** `undefined` if it isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** This machine, private addresses, and names that mean something only in a private network. */
const PRIVATE_HOST =
  /^(?:[a-z][^.]*|.+\.(?:localhost|local|internal|lan|home\.arpa)|(?:127|10)(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[(?:::1|f[cd][\da-f]{2}:.*|fe80:.*)\])$/

const EXAMPLE = 'Pass the address of the instance, such as https://search.example.'

function baseOf(url: string | undefined, allowInsecure: boolean): string {
  if (!url) throw new TypeError(`url is missing. ${EXAMPLE}`)
  if (!URL.canParse(url)) throw new TypeError(`url is not a URL. ${EXAMPLE}`)
  const { protocol, origin, hostname, pathname, username, password } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('url must start with https:// or http://.')
  if (username !== '' || password !== '') throw new TypeError('url must not hold a user name or password.')
  if (protocol === 'http:' && !allowInsecure && !PRIVATE_HOST.test(hostname))
    throw new TypeError(
      'url must start with https://: the key could be read on the way. allowInsecure sends it anyway.',
    )
  // The address of the API is as good as that of its instance.
  return `${origin}${pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}`
}
