// Brave's query parameters, with the limits of each vertical. All errors are reported together, as `meta.errors` of a
// 422. Our own choice: a parameter that a vertical does not have is refused, because an adapter that sends it expects
// an effect.
import { readInteger } from './read-integer.ts'

const MS_A_DAY = 86_400_000
const FRESHNESS_DAYS: Readonly<Record<string, number>> = { pd: 1, pw: 7, pm: 31, py: 365 }

const COUNTRIES = new Set(
  (
    'ALL AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE ' +
    'CH TW TR GB US'
  ).split(' '),
)
const SEARCH_LANGUAGES = new Set(
  (
    'ar eu bn bg ca zh-hans zh-hant hr cs da nl en en-gb et fi fr gl de gu he hi hu is it jp kn ko lv lt ms ml mr nb ' +
    'pl pt-br pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi'
  ).split(' '),
)
const BLOCKS = new Set('discussions faq infobox news query videos web locations summarizer rich'.split(' '))

export type BraveVertical = 'web' | 'images' | 'news' | 'videos' | 'suggest'

interface VerticalRules {
  /** Apart from `q`, `country` and `count`. */
  names: readonly string[]
  most: number
  usually: number
  safesearch: string
}

const SEARCH_NAMES = ['search_lang', 'safesearch', 'spellcheck']
const PAGED_NAMES = [...SEARCH_NAMES, 'ui_lang', 'offset', 'freshness', 'operators', 'include_fetch_metadata']
const WEB_NAMES = 'text_decorations result_filter extra_snippets goggles units enable_rich_callback summary'.split(' ')

const RULES: Readonly<Record<BraveVertical, VerticalRules>> = {
  web: { names: [...PAGED_NAMES, ...WEB_NAMES], most: 20, usually: 20, safesearch: 'moderate' },
  images: { names: SEARCH_NAMES, most: 200, usually: 50, safesearch: 'strict' },
  news: { names: [...PAGED_NAMES, 'extra_snippets', 'goggles'], most: 50, usually: 20, safesearch: 'strict' },
  videos: { names: PAGED_NAMES, most: 50, usually: 20, safesearch: 'moderate' },
  suggest: { names: ['lang', 'rich'], most: 20, usually: 5, safesearch: 'strict' },
}

export interface BraveProblem {
  type: string
  loc: string[]
  msg: string
  input: string | null
}

export interface BraveParameters {
  q: string
  count: number
  /** A page index. */
  offset: number
  safesearch: string
  spellcheck: boolean
  highlights: boolean
  showsWeb: boolean
  isRich: boolean
  country: string
  after: number | undefined
  before: number | undefined
}

type Reading = { ok: true; parameters: BraveParameters } | { ok: false; problems: BraveProblem[] }
type Refuse = (name: string, msg: string, type?: string) => void

export function readBraveParameters(vertical: BraveVertical, query: URLSearchParams, now: number): Reading {
  const rules = RULES[vertical]
  const problems: BraveProblem[] = []
  const refuse: Refuse = (name, msg, type = 'value_error') =>
    problems.push({ type, loc: ['query', name], msg, input: query.get(name) })

  const q = readQuery(query.get('q'), refuse)
  const count = readInteger(query, 'count', { from: 1, to: rules.most, fallback: rules.usually })
  if (count === undefined) refuse('count', `Input should be an integer from 1 to ${rules.most}`)
  const offset = readInteger(query, 'offset', { from: 0, to: 9, fallback: 0 })
  if (offset === undefined) refuse('offset', 'Input should be an integer from 0 to 9')
  const span = readFreshness(query.get('freshness'), now)
  if (span === undefined) refuse('freshness', 'Input should be pd, pw, pm, py or a range of dates')
  refuseWrongValues(vertical, query, refuse)
  for (const name of new Set(query.keys())) {
    if (!['q', 'country', 'count', ...rules.names].includes(name)) refuse(name, 'Extra inputs are not permitted')
  }

  if (problems.length > 0 || count === undefined || offset === undefined || span === undefined) {
    return { ok: false, problems }
  }
  const parameters: BraveParameters = {
    q,
    count,
    offset,
    safesearch: query.get('safesearch') ?? rules.safesearch,
    spellcheck: isOn(query.get('spellcheck')),
    highlights: isOn(query.get('text_decorations')),
    showsWeb: query.get('result_filter')?.split(',').includes('web') ?? true,
    isRich: query.get('rich') === 'true' || query.get('rich') === '1',
    country: (query.get('country') ?? 'US').toLowerCase(),
    ...span,
  }
  return { ok: true, parameters }
}

const isOn = (given: string | null): boolean => given !== 'false' && given !== '0'

function readQuery(given: string | null, refuse: Refuse): string {
  const q = given?.trim() ?? ''
  if (q === '') refuse('q', 'Field required', 'missing')
  else if (Array.from(q).length > 400) refuse('q', 'String should have at most 400 characters', 'string_too_long')
  else if (q.split(/\s+/).length > 50) refuse('q', 'Query should have at most 50 words')
  return q
}

function refuseWrongValues(vertical: BraveVertical, query: URLSearchParams, refuse: Refuse): void {
  const check = (name: string, isAllowed: (value: string) => boolean) => {
    const value = query.get(name)
    if (value !== null && !isAllowed(value)) refuse(name, 'Input is not one of the allowed values')
  }
  const isBoolean = (value: string) => /^(true|false|0|1)$/.test(value)
  const safeValues = vertical === 'images' ? ['off', 'strict'] : ['off', 'moderate', 'strict']
  check('country', (value) => COUNTRIES.has(value))
  check('search_lang', (value) => SEARCH_LANGUAGES.has(value))
  check('lang', (value) => SEARCH_LANGUAGES.has(value))
  check('ui_lang', (value) => /^[a-z]{2}-[A-Z]{2}$/.test(value))
  check('safesearch', (value) => safeValues.includes(value))
  check('result_filter', (value) => value.split(',').every((block) => BLOCKS.has(block)))
  for (const name of ['spellcheck', 'text_decorations', 'extra_snippets', 'operators', 'rich']) check(name, isBoolean)
}

interface Span {
  after: number | undefined
  before: number | undefined
}

/** `undefined`: not understood. */
function readFreshness(given: string | null, now: number): Span | undefined {
  if (given === null) return { after: undefined, before: undefined }
  const days = Object.hasOwn(FRESHNESS_DAYS, given) ? FRESHNESS_DAYS[given] : undefined
  if (days !== undefined) return { after: now - days * MS_A_DAY, before: undefined }
  const [, from, to] = /^(\d{4}-\d\d-\d\d)to(\d{4}-\d\d-\d\d)$/.exec(given) ?? []
  const after = Date.parse(`${from}T00:00:00Z`)
  const before = Date.parse(`${to}T00:00:00Z`) + MS_A_DAY
  return Number.isNaN(after) || Number.isNaN(before) ? undefined : { after, before }
}
