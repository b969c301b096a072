// The common part of providers that speak JSON: credentials first, then every parameter by its rule, then the answer.
// A parameter without a rule is refused: our own choice, so that an adapter's typo is noticed.
import type { Corpus } from '../corpus/corpus.ts'
import { defineProvider, type Provider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readJsonObject } from './read-json-object.ts'

type Rule = (value: unknown) => boolean
export type Given = Readonly<Record<string, unknown>>

export const text =
  (most = 2_000): Rule =>
  (value) =>
    typeof value === 'string' && value.trim() !== '' && Array.from(value).length <= most
/** As a number, or in a query string. */
export const whole =
  (from: number, to: number): Rule =>
  (value) =>
    /^-?\d{1,10}$/.test(String(value)) && Number(value) >= from && Number(value) <= to
export const oneOf =
  (...values: readonly unknown[]): Rule =>
  (value) =>
    values.includes(value)
export const matching =
  (pattern: RegExp): Rule =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
export const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined || rule(value)
export const listOf =
  (rule: Rule): Rule =>
  (value) =>
    Array.isArray(value) && value.every(rule)

const isDomain = matching(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)
export const domains = optional(listOf(isDomain))

/**
 * The codes that SerpApi, SearchApi and Jina publish for `hl`, without the jokes among them. Anything else is refused.
 * Written down from their lists, apart from the adapters' own.
 */
const GOOGLE_LANGUAGES =
  'af ak sq am ar hy az eu be bem bn bh bs br bg km ca chr ny zh-cn zh-tw co hr cs da nl en eo et ee fo tl fi fr fy gaa gl ka ' +
  'de el gn gu ht ha haw iw hi hu is ig id ia ga it ja jw kn kk rw rn kg ko kri ku ckb ky lo la lv ln lt loz lg ach mk mg ms ' +
  'ml mt mi mr mfe mo mn sr-ME ne pcm nso no nn oc or om ps fa pl pt pt-br pt-pt pa qu ro rm nyn ru gd sr sh st tn crs sn sd ' +
  'si sk sl so es es-419 su sw sv tg ta tt te th ti to lua tum tr tk tw ug uk ur uz vi cy wo xh yi yo zu'
export const googleLanguage = optional(oneOf(...GOOGLE_LANGUAGES.split(' ')))

const LANGUAGE = /^[a-z]{2,3}$/
const COUNTRY = /^[A-Z]{2}$/
export const language = optional(matching(LANGUAGE))
export const country = optional(matching(COUNTRY))

interface Answering {
  now: number
  corpus: Corpus
}

interface Endpoint {
  /** `POST /v2/search` */
  at: string
  rules: Readonly<Record<string, Rule>>
  /** Of these, only one may be given. */
  exclusive?: readonly string[]
  answer: (given: Given, answering: Answering) => ProviderReply
}

interface JsonProvider<Slug extends string> {
  slug: Slug
  /** '' if it needs none. */
  key: string
  readsHeaders?: readonly string[]
  /** Whether the request has valid credentials. */
  admits: (request: ProviderRequest) => boolean
  optionalMembers: string
  /** Of a reply to wrong credentials; left out: 401. */
  wrongKeyStatus?: number
  /** An error in the provider's own shape. */
  refusal: (status: number, message: string) => unknown
  endpoints: readonly Endpoint[]
}

export const ok = (json: unknown): ProviderReply => ({ status: 200, json })

export function defineJsonProvider<const Slug extends string>(parts: JsonProvider<Slug>): Provider<Slug> {
  const { slug, key, readsHeaders = [], admits, optionalMembers, wrongKeyStatus = 401, refusal, endpoints } = parts
  const refuse = (status: number, message: string, headers: Record<string, string> = {}): ProviderReply => ({
    status,
    headers,
    json: refusal(status, message),
  })
  return defineProvider({
    slug,
    key,
    readsHeaders,
    optionalMembers: optionalMembers.split(' '),
    answer(request, corpus) {
      const { method, path, query, body, now } = request
      const endpoint = endpoints.find(({ at }) => at === `${method} ${path}`)
      if (!endpoint) return undefined
      if (!admits(request)) return refuse(wrongKeyStatus, 'Unauthorized.')
      const given = method === 'GET' ? Object.fromEntries(query) : readJsonObject(body)
      if (given === undefined) return refuse(400, 'The body is no JSON object.')
      const wrong = [...Object.keys(endpoint.rules), ...Object.keys(given)].find(
        (name) => endpoint.rules[name]?.(given[name]) !== true,
      )
      const both = endpoint.exclusive?.filter((name) => given[name] !== undefined) ?? []
      if (both.length > 1) return refuse(400, `${both.join(' and ')} exclude each other.`)
      return wrong === undefined ? endpoint.answer(given, { now, corpus }) : refuse(400, `${wrong} is not valid.`)
    },
    badKey: () => refuse(wrongKeyStatus, 'Unauthorized.'),
    throttled: (_now, seconds) => refuse(429, 'Too many requests.', { 'retry-after': String(seconds) }),
    failure: (_now, status) => refuse(status, 'The request failed.'),
  })
}

const MS_A_DAY = 86_400_000

/** The beginning of a time range whose name begins or ends with d, w, m or y: `day`, `qdr:w`, `last_month`, `oneYear`. */
export function rangeStart(name: unknown, now: number): number | undefined {
  const days = { d: 1, w: 7, m: 30, y: 365 }
  const [, unit] = /(?:^|:|_|one)([dwmy])/i.exec(typeof name === 'string' ? name : '') ?? []
  const key = unit?.toLowerCase()
  return key === 'd' || key === 'w' || key === 'm' || key === 'y' ? now - days[key] * MS_A_DAY : undefined
}

/** A parameter of a query string. */
export const wordOf = (value: unknown, otherwise = ''): string => (typeof value === 'string' ? value : otherwise)

export const timeOf = (value: unknown): number | undefined =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? Date.parse(value) : undefined
