// The client: a method for each endpoint. It uses nothing but fetch and what else all current JavaScript runtimes have.
import type {
  CardsParams,
  CardsReply,
  CodeParams,
  ImagesParams,
  InstantAnswer,
  InstantParams,
  KeyReply,
  MapsParams,
  MapsReply,
  MineParams,
  NewsParams,
  PlanParams,
  PlanReply,
  ReadParams,
  ReadReply,
  RootReply,
  ScienceParams,
  SimilarImagesParams,
  SimilarImagesReply,
  StatusReply,
  SuggestParams,
  SuggestReply,
  Tab,
  Tabs,
  TranslateLanguagesReply,
  TranslateParams,
  TranslateReply,
  UsageReply,
  VideosParams,
  WebParams,
} from './api-types.ts'
import type { CallOptions } from './call.ts'
import { type Reply, withMeta } from './meta.ts'
import { EVENT_STREAM, type StreamEvent, streamEvents } from './stream.ts'
import { type ApiRequest, type BowerbirdOptions, type Params, readJson, Transport } from './transport.ts'

export type * from './api-types.ts'
export type { CallOptions } from './call.ts'
export {
  AuthenticationError,
  BadRequestError,
  BowerbirdError,
  ConnectionFailedError,
  type FieldErrors,
  PermissionDeniedError,
  RateLimitError,
  TimedOutError,
  UnavailableError,
  UnexpectedReplyError,
  UnreadablePageError,
} from './errors.ts'
export type { EngineStatus, LimitStatus, Meta, Reply, SearchStatus } from './meta.ts'
export type { components, operations, paths } from './schema.ts'
export type { StreamEvent } from './stream.ts'
export type { BowerbirdOptions, Params } from './transport.ts'

/** `'climate'` is short for `{ q: 'climate' }`. */
type Query<Kind extends { q?: string }> = string | Kind

const LAST_PAGE = 50

const paramsOf = (query: string | object): Params => (typeof query === 'string' ? { q: query } : { ...query })

export class Bowerbird {
  readonly #transport: Transport

  constructor(options: BowerbirdOptions) {
    this.#transport = new Transport(options)
  }

  web(query: Query<WebParams>, options?: CallOptions): Promise<Reply<Tabs['web']['body']>> {
    return this.#search('web', query, options)
  }

  images(query: Query<ImagesParams>, options?: CallOptions): Promise<Reply<Tabs['images']['body']>> {
    return this.#search('images', query, options)
  }

  news(query: Query<NewsParams>, options?: CallOptions): Promise<Reply<Tabs['news']['body']>> {
    return this.#search('news', query, options)
  }

  videos(query: Query<VideosParams>, options?: CallOptions): Promise<Reply<Tabs['videos']['body']>> {
    return this.#search('videos', query, options)
  }

  /** Scientific papers. */
  science(query: Query<ScienceParams>, options?: CallOptions): Promise<Reply<Tabs['science']['body']>> {
    return this.#search('science', query, options)
  }

  /** Packages, projects and questions about code. */
  code(query: Query<CodeParams>, options?: CallOptions): Promise<Reply<Tabs['code']['body']>> {
    return this.#search('code', query, options)
  }

  /** Private engines of the instance. The key needs the scope `mine`. */
  mine(query: Query<MineParams>, options?: CallOptions): Promise<Reply<Tabs['mine']['body']>> {
    return this.#search('mine', query, options)
  }

  similarImages(query: Query<SimilarImagesParams>, options?: CallOptions): Promise<Reply<SimilarImagesReply>> {
    return this.get('images/similar/', paramsOf(query), options)
  }

  /** Places by name, or the place at `lat` and `lon`. */
  maps(query: Query<MapsParams>, options?: CallOptions): Promise<Reply<MapsReply>> {
    return this.get('maps/', paramsOf(query), options)
  }

  /** By POST, so that the text is in no URL and no proxy's log. */
  translate(params: TranslateParams, options?: CallOptions): Promise<Reply<TranslateReply>> {
    return this.#request({ path: 'translate/', json: params }, options)
  }

  translateLanguages(options?: CallOptions): Promise<Reply<TranslateLanguagesReply>> {
    return this.get('translate/languages/', {}, options)
  }

  /** `null` if the query isn't one that has an instant answer. */
  instant(query: Query<InstantParams>, options?: CallOptions): Promise<Reply<InstantAnswer> | null> {
    return this.get('instant/', paramsOf(query), options)
  }

  cards(query: Query<CardsParams>, options?: CallOptions): Promise<Reply<CardsReply>> {
    return this.get('cards/', paramsOf(query), options)
  }

  suggest(query: Query<SuggestParams>, options?: CallOptions): Promise<Reply<SuggestReply>> {
    return this.get('suggest/', paramsOf(query), options)
  }

  /** The text of a page; needs a key with the scope `read`. By POST, so that the address is in no proxy's log. */
  read(page: string | ReadParams, options?: CallOptions): Promise<Reply<ReadReply>> {
    return this.#request({ path: 'read/', json: typeof page === 'string' ? { url: page } : page }, options)
  }

  /** What a search would do and cost: asks nobody, and isn't counted. */
  plan(query: Query<PlanParams>, options?: CallOptions): Promise<Reply<PlanReply>> {
    return this.get('plan/', paramsOf(query), options)
  }

  /** Which providers are up. */
  status(options?: CallOptions): Promise<Reply<StatusReply>> {
    return this.get('status/', {}, options)
  }

  key(options?: CallOptions): Promise<Reply<KeyReply>> {
    return this.get('key/', {}, options)
  }

  usage(options?: CallOptions): Promise<Reply<UsageReply>> {
    return this.get('usage/', {}, options)
  }

  /** The names of all endpoints and their URLs. */
  endpoints(options?: CallOptions): Promise<Reply<RootReply>> {
    return this.get('', {}, options)
  }

  /** The OpenAPI document. */
  openapi(options?: CallOptions): Promise<Reply<Record<string, unknown>>> {
    return this.get('openapi.json', {}, options)
  }

  /** Page after page, until one is empty. The first is always there; each is a search of its own. */
  async *pages<Name extends Tab>(
    tab: Name,
    query: Query<Tabs[Name]['params']>,
    { maxPages = LAST_PAGE, ...options }: CallOptions & { maxPages?: number } = {},
  ): AsyncGenerator<Reply<Tabs[Name]['body']>, void, undefined> {
    const params = paramsOf(query)
    const first = Number(params['page'] ?? 1)
    for (let page = first; page < first + maxPages && page <= LAST_PAGE; page += 1) {
      const reply = await this.get<Tabs[Name]['body']>(`${tab}/`, { ...params, page }, options)
      const isEmpty = reply.results.length === 0
      if (page === first || !isEmpty) yield reply
      if (isEmpty) return
    }
  }

  /** Results as engines answer. Leaving the loop early ends the search. */
  async *stream<Name extends Tab>(
    tab: Name,
    query: Query<Tabs[Name]['params']>,
    options: CallOptions = {},
  ): AsyncGenerator<StreamEvent<Tabs[Name]['body']>, void, undefined> {
    const call = this.#transport.call(options)
    try {
      const request = { path: `${tab}/`, params: paramsOf(query), accept: EVENT_STREAM }
      yield* streamEvents<Tabs[Name]['body']>(await this.#transport.send(request, call), call)
    } finally {
      call.end()
    }
  }

  /** Any endpoint, also one that this version has no method for: `get('new/', { q })`. */
  get<Body = unknown>(path: string, params: Params = {}, options?: CallOptions): Promise<Reply<Body>> {
    return this.#request({ path, params }, options)
  }

  #search<Name extends Tab>(tab: Name, query: string | object, options: CallOptions | undefined) {
    return this.get<Tabs[Name]['body']>(`${tab}/`, paramsOf(query), options)
  }

  async #request<Body>(request: ApiRequest, options: CallOptions = {}): Promise<Reply<Body>> {
    const call = this.#transport.call(options)
    try {
      const response = await this.#transport.send(request, call)
      // The types are those of the OpenAPI document that the instance serves.
      return withMeta((await readJson(response, call)) as Body, response.headers)
    } finally {
      call.end()
    }
  }
}
