// Writes a reply in the shape of a document's fixture, with other results: each is a copy of one of the fixture's, in which
// the members that the engine reads are replaced. Where the engine looks something up elsewhere in the reply, it's added there.
import type { DocumentReply, EngineDocument, Value } from '@bowerbird/engines/documents/document-format.ts'
import { meets, type Place, pointAt, readValue } from '@bowerbird/engines/documents/read-value.ts'
import { isRecord } from '../is-record.ts'
import { escapeHtml } from './escape-html.ts'

/** What a result says, whatever its tab. */
export interface ShownHit {
  url: string
  title: string
  description: string
  publisher: string
  thumbnail: string
  favicon: string
  publishedAt: number
  seconds: number
  /** Differs from hit to hit. */
  mark: number
}

const tokensOf = (pointer: string): string[] =>
  pointer
    .replace(/^#/, '')
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))

const membersOf = (value: unknown): Record<string, unknown> | undefined =>
  // A list can be written to by position, just like an object by name.
  isRecord(value) || Array.isArray(value) ? (value as Record<string, unknown>) : undefined

/** Replaces what a pointer leads to, in the form it had. Of the elements of a `*`, only the first is kept. */
function replaceAt(root: unknown, pointer: string, text: string): void {
  const tokens = tokensOf(pointer)
  let holder = membersOf(root)
  for (const [index, token] of tokens.entries()) {
    if (!holder) return
    const [first = ''] = Object.keys(holder)
    if (token === '*') for (const other of Object.keys(holder).slice(1)) delete holder[other]
    if (token === '*' && Array.isArray(holder)) holder.length = Math.min(holder.length, 1)
    const name = token === '*' ? first : token
    if (!Object.hasOwn(holder, name)) return
    if (index === tokens.length - 1) holder[name] = inForm(text, holder[name])
    else holder = membersOf(holder[name])
  }
}

const inForm = (text: string, former: unknown): unknown =>
  Array.isArray(former) ? [text] : typeof former === 'number' ? Number(text) : text

const alternativesIn = (value: Value | undefined): Exclude<Value, Value[]>[] =>
  value === undefined ? [] : Array.isArray(value) ? value.flatMap(alternativesIn) : [value]

/** From what was there before; '' stands for a part of an address that is built. */
type NewText = (former: string) => string

/** Replaces what the engine would read for each of these fields. */
function replaceValues(fields: readonly [Value | undefined, NewText][], place: Place): void {
  // Found before anything is replaced: a look-up by a new identifier leads nowhere until it's added.
  const reads = fields.flatMap(([value, text]) => {
    const read = alternativesIn(value).find((each) => readValue(each, place) !== '')
    if (read === undefined) return []
    const isBuilt = typeof read === 'object' && 'template' in read
    return [{ read, text: text(isBuilt ? '' : readValue(read, place)) }]
  })
  for (const { read, text } of reads) replaceRead(read, text, place)
}

function replaceRead(read: Exclude<Value, Value[]>, text: string, place: Place): void {
  const rootOf = (pointer: string) => (pointer.startsWith('#') ? place.reply : place.result)
  if (typeof read === 'string') replaceAt(rootOf(read), read, text)
  else if ('from' in read) {
    if (read.map === undefined && read.after === undefined) replaceAt(rootOf(read.from), read.from, text)
  } else if ('template' in read) {
    for (const [, pointer = ''] of read.template.matchAll(/\$\{(#?\/[^}:]*)(?::\w+)?\}/g)) {
      replaceAt(rootOf(pointer), pointer, text)
    }
  } else addLookUp(read, text, place)
}

function addLookUp(value: Extract<Value, { in: string }>, text: string, place: Place): void {
  const [table] = pointAt(value.in, place)
  const members = membersOf(table)
  const sample = members === undefined ? undefined : structuredClone(Object.values(members)[0])
  if (!members || sample === undefined) return
  replaceAt(sample, value.take, text)
  if ('key' in value) members[readValue(value.key, place)] = sample
  else if ('index' in value) members[String(place.index)] = sample
  else {
    replaceAt(sample, value.where, readValue(value.is, place))
    if (Array.isArray(table)) table.push(sample)
  }
}

const SECONDS = { s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9, ticks: 1e-7, min: 60 }

const unitOf = (value: Value | undefined): number => {
  const [unit = 's'] = alternativesIn(value).flatMap((each) =>
    typeof each === 'object' && 'from' in each ? (each.unit ?? []) : [],
  )
  return SECONDS[unit]
}

/** A time in the form of another one. */
function timeAs(former: string, ms: number, unit: number): string {
  if (/^[\d.e+]+$/.test(former)) return String(Math.round(ms / 1000 / unit))
  const iso = new Date(ms).toISOString()
  if (/^\d{4}-\d\d-\d\d$/.test(former)) return iso.slice(0, 10)
  return /^\d{4}-/.test(former) ? iso.replace('T', former.charAt(10)) : new Date(ms).toUTCString()
}

interface Shape {
  reply: DocumentReply
  settings: Readonly<Record<string, string>>
}

/** Whether an address is made of the title, which is then an identifier: titles aren't unique. */
const isInAddress = (title: Value, url: Value): boolean =>
  alternativesIn(url).some(
    (each) =>
      typeof title === 'string' &&
      typeof each === 'object' &&
      'template' in each &&
      new RegExp(`\\{${title}(?::\\w+)?\\}`).test(each.template),
  )

function replaceHit(hit: ShownHit, { reply }: Shape, place: Place): void {
  const { title, url, description, publisher, thumbnail, favicon, publishedAt, durationSeconds, sitelinks } = reply.hit
  replaceValues(
    [
      // An address that is built needs another identifier; any other is replaced whole.
      [url, (former) => (former === '' ? String(hit.mark) : hit.url)],
      [title, () => (isInAddress(title, url) ? `${hit.title} ${hit.mark}` : hit.title)],
      [description, () => hit.description],
      [publisher, () => hit.publisher],
      [thumbnail, () => hit.thumbnail],
      [favicon, () => hit.favicon],
      [publishedAt, (former) => timeAs(former, hit.publishedAt, unitOf(publishedAt))],
      [durationSeconds, () => String(Math.round(hit.seconds / unitOf(durationSeconds)))],
      ...Object.values(sitelinks ?? {}).map((link): [Value, NewText] => [link, () => hit.url]),
    ],
    place,
  )
}

/** The page of the fixture with these results in the place of its own. */
export function pageWith(page: unknown, hits: readonly ShownHit[], shape: Shape): unknown {
  const body = structuredClone(page)
  const { results = '', let: names = {} } = shape.reply
  const [pointer = '', ...others] = [results].flat()
  for (const other of others) emptyList(pointAt(other, { reply: body, result: body })[0])
  const isEachElement = pointer.endsWith('/*')
  const [list] = pointAt(isEachElement ? pointer.slice(0, -2) : pointer, { reply: body, result: body })
  const members = membersOf(list)
  const samples = structuredClone(Object.values(members ?? {}))
  if (!members || samples.length === 0) return body
  emptyList(list)
  const place = { reply: body, link: 'https://service.example', language: '', settings: shape.settings, let: names }
  const { hit: read, keep = [] } = shape.reply
  const kept = samples.filter(
    (result) =>
      readValue(read.url, { ...place, result, index: 0 }) !== '' &&
      keep.every((condition) => meets(condition, { reply: body, result })),
  )
  for (const [index, hit] of hits.entries()) {
    const result = structuredClone(kept[index % kept.length])
    replaceHit(hit, shape, { ...place, result, index })
    members[String(index)] = result
  }
  return body
}

function emptyList(list: unknown): void {
  if (Array.isArray(list)) list.length = 0
  else for (const name of Object.keys(membersOf(list) ?? {})) delete membersOf(list)?.[name]
}

/** RSS. A date is there only where the engine relies on it: many feeds have none. */
export function feedWith(hits: readonly ShownHit[], isDated: boolean): string {
  const items = hits.map(
    ({ title, url, description, publishedAt }) =>
      `<item><title>${escapeHtml(title)}</title><link>${escapeHtml(url)}</link><description>${escapeHtml(description)}</description>` +
      `${isDated ? `<pubDate>${new Date(publishedAt).toUTCString()}</pubDate>` : ''}</item>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel><title>Results</title>${items.join('')}</channel></rss>`
}

/** The completions of the fixture with these texts in the place of its own. */
export function completionsWith(
  page: unknown,
  texts: readonly string[],
  suggest: NonNullable<EngineDocument['suggest']>,
): unknown {
  const body = structuredClone(page)
  const [list] = pointAt(suggest.list, { reply: body, result: body })
  if (!Array.isArray(list)) return body
  const samples = structuredClone(list)
  list.length = 0
  for (const [index, text] of texts.entries()) {
    const result = structuredClone(samples[index % samples.length])
    if (typeof result !== 'string') {
      const place = { reply: body, result, index, link: '', language: '', settings: {}, let: {} }
      replaceValues([[suggest.text, () => text]], place)
    }
    list.push(typeof result === 'string' ? text : result)
  }
  return body
}

const FIELDS_THAT_MAY_LACK = ['description', 'publisher', 'favicon', 'durationSeconds'] as const

/** The names of the members that a service may leave out: those which only such fields are read from. */
export function optionalMembersOf({ tabs = {} }: EngineDocument): string[] {
  const optional = new Set<string>()
  const required = new Set<string>()
  for (const [name, tab] of Object.entries(tabs)) {
    const { hit, results = [], keep = [], errors = [], mayLack, let: names = {} } = tab.reply
    for (const field of FIELDS_THAT_MAY_LACK) addNames(hit[field], optional)
    for (const link of Object.values(hit.sitelinks ?? {})) addNames(link, optional)
    addNames(tab.knowsDates ? undefined : hit.publishedAt, optional)
    addNames(name === 'images' ? undefined : hit.thumbnail, optional)
    const conditions = [...keep, ...errors.flatMap(({ when }) => when ?? []), ...(mayLack ? [mayLack] : [])]
    const needed = [hit.title, hit.url, ...Object.values(names), ...conditions.map(({ at }) => at), ...[results].flat()]
    if (tab.knowsDates && hit.publishedAt !== undefined) needed.push(hit.publishedAt)
    for (const value of needed) addNames(value, required)
  }
  return [...optional].filter((name) => !required.has(name))
}

function addNames(value: Value | undefined, names: Set<string>): void {
  for (const each of alternativesIn(value)) {
    const pointers =
      typeof each === 'string'
        ? [each]
        : 'from' in each
          ? [each.from]
          : 'template' in each
            ? [...each.template.matchAll(/\$\{(#?\/[^}:]*)(?::\w+)?\}/g)].map(([, pointer = '']) => pointer)
            : [each.take]
    for (const pointer of pointers) {
      const name = tokensOf(pointer).findLast((token) => token !== '*' && !/^\d+$/.test(token))
      if (name !== undefined) names.add(name)
    }
  }
}
