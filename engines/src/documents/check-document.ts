// Checks a document: its format, and what a format cannot say. Promises are not believed but tried: requests are made with
// and without each filter, and an engine that declares to honour one must ask differently for each of its values.
// Every mistake comes with the path of the member that has it.
import type { z } from 'zod'
import type { EngineQuery, Filter, ProviderRequest, Tab } from '../engine.ts'
import { TABS } from '../engine.ts'
import { IMAGE_FILTERS, type ImageFilter } from '../image-filters.ts'
import { UpstreamError } from '../upstream-error.ts'
import { type DocumentTab, documentFormat, type EngineDocument } from './document-format.ts'
import { engineFrom } from './engine-from.ts'

export interface DocumentMistake {
  path: readonly PropertyKey[]
  message: string
}

export type CheckedDocument = { ok: true; document: EngineDocument } | { ok: false; mistakes: DocumentMistake[] }

/** `value` is what JSON.parse gave, with `extends` resolved. */
export function checkDocument(value: unknown): CheckedDocument {
  const parsed = documentFormat().safeParse(value)
  if (!parsed.success) return { ok: false, mistakes: parsed.error.issues.map(mistakeOf) }
  const document = parsed.data
  const mistakes = [...nameMistakes(document), ...privacyMistakes(document)]
  // A request can only be tried once its names are known.
  if (mistakes.length === 0) mistakes.push(...requestMistakes(document))
  return mistakes.length === 0 ? { ok: true, document } : { ok: false, mistakes }
}

type Issue = z.core.$ZodIssue

/** Of the alternatives of a union, the one that went furthest is what was meant. */
function mistakeOf(issue: Issue): DocumentMistake {
  if (issue.code !== 'invalid_union') return { path: issue.path, message: describe(issue) }
  const attempts = issue.errors.flatMap((issues) => {
    const mistakes = issues.map(mistakeOf)
    const isMismatch = issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0)
    return mistakes.length === 0 || isMismatch ? [] : [mistakes]
  })
  const depthOf = ([first]: readonly DocumentMistake[]) => first?.path.length ?? 0
  const [closest] = attempts.sort((a, b) => depthOf(b) - depthOf(a) || a.length - b.length)
  const [first] = closest ?? []
  return first === undefined
    ? { path: issue.path, message: 'is none of the forms that are allowed here' }
    : { path: [...issue.path, ...first.path], message: first.message }
}

function describe(issue: Issue): string {
  if (issue.code === 'unrecognized_keys') return `has members that are not known: ${issue.keys.join(', ')}`
  if (issue.code === 'invalid_format' && 'pattern' in issue) return `does not match ${issue.pattern}`
  if (issue.code === 'invalid_key') return `has a name that is not allowed: ${String(issue.path.at(-1))}`
  return issue.message.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
}

/** Every text of a value, with its path. */
function* textsIn(
  value: unknown,
  path: readonly PropertyKey[] = [],
): Generator<{ path: readonly PropertyKey[]; text: string }> {
  if (typeof value === 'string') yield { path, text: value }
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value))
    yield* textsIn(inner, [...path, Array.isArray(value) ? Number(name) : name])
}

const SETTING = /\$\{setting\.(\w+)\}/g
const LET = /\$\{([a-z]\w*)\}/g

/** Settings and names that are used but not declared. */
function nameMistakes(document: EngineDocument): DocumentMistake[] {
  const { settings = {}, auth, tabs = {}, suggest } = document
  const mistakes: DocumentMistake[] = []
  for (const { path, text } of textsIn({ tabs, suggest })) {
    for (const [, name = ''] of text.matchAll(SETTING)) {
      if (!Object.hasOwn(settings, name))
        mistakes.push({ path, message: `uses the setting ${name}, which is not declared` })
    }
  }
  for (const tab of TABS) {
    const { hit = {}, let: names = {} } = tabs[tab]?.reply ?? {}
    const mustBeKnown = textsIn(hit, ['tabs', tab, 'reply', 'hit'])
    for (const { path, text } of mustBeKnown) {
      for (const [, name = ''] of text.matchAll(LET)) {
        if (name !== 'link' && !Object.hasOwn(names, name))
          mistakes.push({ path, message: `uses ${name}, which is not in let` })
      }
    }
  }
  if (auth && 'basic' in auth && !Object.hasOwn(settings, auth.basic.user)) {
    mistakes.push({
      path: ['auth', 'basic', 'user'],
      message: `names the setting ${auth.basic.user}, which is not declared`,
    })
  }
  if (Object.keys(tabs).length === 0 && !suggest) mistakes.push({ path: [], message: 'needs tabs or suggest' })
  for (const name of [
    'url',
    'baseUrl',
    'linkUrl',
    'rateLimit',
    'pricePerCall',
    'monthlyUsd',
    'monthlyCalls',
    'proxy',
  ]) {
    if (Object.hasOwn(settings, name))
      mistakes.push({ path: ['settings', name], message: 'is a name that every engine has' })
  }
  return mistakes
}

function privacyMistakes({ private: isPrivate, terms }: EngineDocument): DocumentMistake[] {
  return isPrivate && terms.cacheIn === 'shared'
    ? [{ path: ['terms', 'cacheIn'], message: 'must be memory for a private engine' }]
    : []
}

const QUERY: EngineQuery = {
  text: 'canary',
  page: 1,
  safe: true,
  date: undefined,
  lang: '',
  now: Date.UTC(2026, 10, 14),
}

function requestMistakes(document: EngineDocument): DocumentMistake[] {
  const engine = engineFrom(document)
  const settings: Record<string, string> = {}
  for (const [name, { fallback, oneOf }] of Object.entries(engine.settings))
    settings[name] = fallback ?? oneOf?.[0] ?? 'x'
  const values = { ...settings, baseUrl: 'https://provider.example' }
  const mistakes = TABS.flatMap((name) => {
    const tab = document.tabs?.[name]
    const made = engine.tabs[name]
    if (!tab || !made) return []
    const found = tabMistakes(tab, (change) => made.request({ ...QUERY, ...change }, values))
    return found.map(({ path, message }) => ({ path: ['tabs', name satisfies Tab, ...path], message }))
  })
  const { suggest } = engine
  if (!suggest) return mistakes
  const found = tried(() => (carriesQuery(suggest.request(QUERY, values)) ? [] : [NO_QUERY]))
  return [...mistakes, ...found.map(({ path, message }) => ({ path: ['suggest', ...path], message }))]
}

const NO_QUERY: DocumentMistake = { path: ['request'], message: 'must use ${query} in its path, query or body' }

const carriesQuery = ({ path, body = '' }: ProviderRequest): boolean =>
  path.includes(QUERY.text) || body.includes(QUERY.text)

/** What a filter can be asked for. */
function changesFor(filter: Filter, languages: readonly string[] | undefined): Partial<EngineQuery>[] {
  if (filter === 'safe') return [{ safe: false }]
  if (filter === 'date') return (['d', 'w', 'm', 'y'] as const).map((date) => ({ date }))
  // Norwegian has three codes, and many a provider only one.
  const others = languages?.includes('no') ? languages.filter((lang) => lang !== 'nb' && lang !== 'nn') : languages
  return (others ?? ['de', 'qaa']).map((lang) => ({ lang }))
}

function tried(find: () => DocumentMistake[]): DocumentMistake[] {
  try {
    return find()
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return [{ path: ['request', 'path'], message: 'uses a variable that may have no value' }]
  }
}

/** For a tab that takes any region, two are as good as all. */
function regionMistakes(
  { regions }: DocumentTab,
  written: (change: Partial<EngineQuery>) => string,
): DocumentMistake[] {
  const tried = regions === undefined || regions === 'any' ? ['DE', 'FR'] : regions
  const asked = new Set([undefined, ...tried].map((region) => written({ region }))).size
  if (regions === undefined)
    return asked === 1 ? [] : [{ path: ['request'], message: 'is different for a region, but regions names none' }]
  return asked === tried.length + 1
    ? []
    : [{ path: ['regions'], message: 'names regions, but the request is not different for each: use ${region}' }]
}

/** What the request says of pictures must be declared; what every picture is need not be asked for. */
function imageMistakes(
  { imageFilters = {} }: DocumentTab,
  written: (change: Partial<EngineQuery>) => string,
): DocumentMistake[] {
  return (Object.keys(IMAGE_FILTERS) as ImageFilter[]).flatMap((name) => {
    const declared: readonly string[] = imageFilters[name] ?? []
    const isUndeclared = IMAGE_FILTERS[name].some(
      (value) => !declared.includes(value) && written({ image: { [name]: value } }) !== written({}),
    )
    return isUndeclared
      ? [{ path: ['imageFilters'], message: `lacks a value of ${name} that the request is different for` }]
      : []
  })
}

const tabMistakes = (tab: DocumentTab, request: (change: Partial<EngineQuery>) => ProviderRequest): DocumentMistake[] =>
  tried(() => {
    const { paging, honours = [], byNature = [], takesDateRange, knowsDates, hasTextInAnyLanguage, languages } = tab
    const mistakes: DocumentMistake[] = []
    const add = (path: readonly PropertyKey[], message: string) => void mistakes.push({ path, message })
    const written = (change: Partial<EngineQuery>) => JSON.stringify(request(change))
    if (!carriesQuery(request({}))) mistakes.push(NO_QUERY)
    if (paging.by === 'none' && paging.lastPage > 1) add(['paging', 'lastPage'], 'must be 1 where there are no pages')
    if (paging.by === 'request' && paging.lastPage > 1 && written({ page: 2 }) === written({})) {
      add(['request'], 'asks for every page alike: use ${page}, ${offset} or another variable for it')
    }
    for (const filter of ['safe', 'date', 'lang'] as const) {
      const changes = changesFor(filter, languages)
      const isAsked = new Set([{}, ...changes].map(written)).size
      const isByNature = byNature.includes(filter)
      if (isByNature && !honours.includes(filter)) add(['byNature'], `names ${filter}, which is not in honours`)
      if (honours.includes(filter) && !isByNature && isAsked !== changes.length + 1) {
        add(['honours'], `names ${filter}, but the request is not different for each value of it`)
      }
      // Where Bowerbird filters by date, the newest may be asked for first.
      if ((!honours.includes(filter) || isByNature) && isAsked > 1 && !(filter === 'date' && knowsDates)) {
        add(['request'], `is different for ${filter}, which the engine does not declare to honour`)
      }
    }
    const isAskedForDays = [{ dateFrom: QUERY.now - 9e9 }, { dateTo: QUERY.now }].every(
      (change) => written(change) !== written({}),
    )
    if (takesDateRange && !isAskedForDays)
      add(['takesDateRange'], 'names a range of dates, but the request is not different for its two ends')
    if (knowsDates && honours.includes('date'))
      add(['knowsDates'], 'leaves the date to Bowerbird, but honours has date')
    if (hasTextInAnyLanguage && honours.includes('lang')) {
      add(['hasTextInAnyLanguage'], 'leaves the language to Bowerbird, but honours has lang')
    }
    return [...mistakes, ...regionMistakes(tab, written), ...imageMistakes(tab, written)]
  })
