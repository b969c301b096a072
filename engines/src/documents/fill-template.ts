// Fills the templates of a document's request. A template without a value for one of its variables is left out as a whole:
// a parameter, a member, an element. A body is filled in leaf by leaf and written as JSON only then, so nothing that a
// caller types can become part of its structure.
import type { EngineQuery, EngineRequest } from '../engine.ts'
import { PAGE_SIZE } from '../engine.ts'
import { wantedFrom } from '../parsing/dates.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { queryRefused } from '../parsing/status-error.ts'
import { UpstreamError } from '../upstream-error.ts'
import type { Choice, DocumentRequest, EngineDocument, Json } from './document-format.ts'

/** What is asked: a search, or a completion, which has neither pages nor filters. */
export type Asked = Pick<EngineQuery, 'text' | 'lang'> & Partial<EngineQuery>
export type Values = Readonly<Record<string, string>>

type Variable = string | number | boolean | readonly string[]
type Variables = (name: string) => Variable | undefined

const VARIABLE = /\$\$\{|\$\{([^{}]*)\}/g
const WHOLE_VARIABLE = /^\$\{([^{}]*)\}$/

/** The text with its variables replaced, each through `encode`; `undefined` if one has no value. */
export function fillText(
  template: string,
  variables: Variables,
  encode: (text: string) => string = (value) => value,
): string | undefined {
  let isComplete = true
  const filled = template.replace(VARIABLE, (found, name?: string) => {
    if (name === undefined) return found.slice(1)
    const value = variables(name)
    if (value === undefined || value === '') isComplete = false
    return encode(String(value).toWellFormed())
  })
  return isComplete ? filled : undefined
}

/** A moment in each of the forms that a document may choose from. */
const formsOf = (name: 'since' | 'until', moment: Date | undefined): Record<string, string | number | undefined> => ({
  [`${name}.iso`]: moment?.toISOString(),
  [`${name}.date`]: moment?.toISOString().slice(0, 10),
  [`${name}.seconds`]: moment && Math.floor(moment.getTime() / 1000),
  [`${name}.ms`]: moment?.getTime(),
})

const listOf = (names: readonly string[] | undefined): readonly string[] | undefined =>
  names?.length === 0 ? undefined : names

function variablesOf(asked: Asked, settings: Values): Variables {
  const { text, lang, region, page, date, dateFrom, dateTo, includeDomains, excludeDomains, now = 0 } = asked
  const before = page === undefined ? undefined : (page - 1) * PAGE_SIZE
  const tag = languageTag(lang)
  const known: Readonly<Record<string, Variable | undefined>> = {
    query: text,
    page,
    page0: page === undefined ? undefined : page - 1,
    offset: before,
    offset1: before === undefined ? undefined : before + 1,
    count: PAGE_SIZE,
    upTo: before === undefined ? undefined : before + PAGE_SIZE,
    // Only what has the shape of a tag: the rest of what a caller writes here goes nowhere.
    lang: tag.base && [tag.base, tag.script, tag.region].filter(Boolean).join('-'),
    'lang.base': tag.base,
    'lang.region': tag.region,
    region,
    'region.lower': region?.toLowerCase(),
    ...formsOf('since', wantedFrom({ date, dateFrom, now })),
    ...formsOf('until', dateTo === undefined ? undefined : new Date(dateTo)),
    domains: listOf(includeDomains),
    'domains.only': includeDomains?.length === 1 ? includeDomains[0] : undefined,
    notDomains: listOf(excludeDomains),
  }
  return (name) => (name.startsWith('setting.') ? settings[name.slice('setting.'.length)] : known[name])
}

/** The names under which a choice may have what was asked for, the most exact first; '' if nothing was. */
function casesOf($by: Choice['$by'], { safe, date, lang, image }: Asked): string[] {
  if ($by === 'safe') return [safe ? 'on' : 'off', '*']
  if ($by === 'date') return date === undefined ? [''] : [date, '*']
  if ($by !== 'lang') return image?.[$by] === undefined ? [''] : [image[$by], '*']
  if (lang === '') return ['']
  const { base, region } = languageTag(lang)
  return [lang, `${base}-${region}`, base, '*']
}

function caseOf(choice: Choice, asked: Asked): Json | undefined {
  const name = casesOf(choice.$by, asked).find((each) => each !== '$by' && Object.hasOwn(choice, each))
  return name === undefined ? undefined : choice[name]
}

const isChoice = (value: object): value is Choice => Object.hasOwn(value, '$by')

/** The JSON that a template stands for; `undefined`: left out. */
function fillJson(template: Json, asked: Asked, variables: Variables): unknown {
  if (typeof template === 'string') {
    const [, name] = WHOLE_VARIABLE.exec(template) ?? []
    if (name === undefined) return fillText(template, variables)
    const value = variables(name)
    return value === '' ? undefined : value
  }
  if (typeof template !== 'object' || template === null) return template
  const isLeftIn = (value: unknown) => value !== undefined
  if (Array.isArray(template)) return template.map((element) => fillJson(element, asked, variables)).filter(isLeftIn)
  if (isChoice(template)) {
    const chosen = caseOf(template, asked)
    return chosen === undefined ? undefined : fillJson(chosen, asked, variables)
  }
  const members = Object.entries(template).map(([name, value]) => [name, fillJson(value, asked, variables)] as const)
  return Object.fromEntries(members.filter(([, value]) => isLeftIn(value)))
}

const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i

function fillPath(template: string, variables: Variables): string {
  const path = fillText(template, variables, encodeURIComponent)
  if (path === undefined) throw new UpstreamError('rejected', 'A setting that is part of the path is empty.')
  // An encoded segment stays one, unless it consists of dots.
  if (DOT_SEGMENT.test(path) || path.includes('//')) throw queryRefused()
  return path
}

const toBase64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

interface Credentials {
  headers: Record<string, string>
  parameters: [string, string][]
}

function credentialsOf(auth: EngineDocument['auth'], settings: Values): Credentials {
  const headers: Credentials['headers'] = {}
  const parameters: Credentials['parameters'] = []
  const settingOf = (name: string) => settings[name] ?? ''
  if (auth === undefined) return { headers, parameters }
  if ('bearer' in auth) {
    const key = settingOf(auth.bearer)
    if (key !== '') headers['authorization'] = `Bearer ${key}`
  } else if ('basic' in auth) {
    const password = settingOf(auth.basic.password)
    if (password !== '') headers['authorization'] = `Basic ${toBase64(`${settingOf(auth.basic.user)}:${password}`)}`
  } else {
    const key = settingOf(auth.secret)
    if (key !== '' && 'header' in auth) headers[auth.header] = `${auth.prefix ?? ''}${key}`
    if (key !== '' && 'query' in auth) parameters.push([auth.query, key])
  }
  return { headers, parameters }
}

const HEADER_VALUE = /^[\x20-\x7e]*$/

function checkedHeaders(headers: Record<string, string>): Record<string, string> {
  for (const value of Object.values(headers)) {
    if (!HEADER_VALUE.test(value)) throw new UpstreamError('rejected', 'A setting cannot be part of a header.')
  }
  return headers
}

const JSON_TYPE = 'application/json'

interface Filling {
  auth: EngineDocument['auth']
  settings: Values
  accept: string
  isBowerbird: EngineDocument['isBowerbird']
}

/** By which another instance recognises a call that it must not pass on to a third. */
const RELAYED = { via: '1.1 bowerbird' }

export function fillRequest(
  request: DocumentRequest,
  asked: Asked,
  { auth, settings, accept, isBowerbird }: Filling,
): EngineRequest {
  const variables = variablesOf(asked, settings)
  const credentials = credentialsOf(auth, settings)
  const parameters = Object.entries(request.query ?? {}).map(
    ([name, template]) => [name, fillJson(template, asked, variables)] as const,
  )
  const pairs = [...parameters, ...credentials.parameters]
    .filter(([, value]) => value !== undefined && (typeof value !== 'object' || Array.isArray(value)))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value).toWellFormed())}`)
  const path = fillPath(request.path, variables) + (pairs.length === 0 ? '' : `?${pairs.join('&')}`)
  const written = Object.entries(request.headers ?? {}).flatMap(([name, template]) => {
    const value = fillText(template, variables)
    return value === undefined ? [] : [[name, value] as const]
  })
  const headers = checkedHeaders({
    accept,
    ...Object.fromEntries(written),
    ...(isBowerbird && RELAYED),
    ...credentials.headers,
  })
  if (request.body === undefined) return { path, headers }
  return {
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': JSON_TYPE },
    // A lone surrogate is valid in JSON and nowhere else.
    body: JSON.stringify(fillJson(request.body, asked, variables) ?? null, (_name, value: unknown) =>
      typeof value === 'string' ? value.toWellFormed() : value,
    ),
  }
}
