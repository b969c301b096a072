// `action=query` of the simulated Wikipedia: articles by `titles`, or by `generator=search`, with the requested
// properties. Pages come in the order of their ids, so that only `index` gives the rank of a search. Our own choice:
// all editions are at one address, and `uselang` selects one; only `formatversion=2` is simulated; a picture in a width
// that Wikimedia does not serve is refused here, and not when it is fetched.

import { type Corpus, EMPTY_CORPUS } from '../corpus/corpus.ts'
import { findTitle, searchEntries } from '../corpus/encyclopedia.ts'
import type { EncyclopediaEntry } from '../corpus/encyclopedia-entry.ts'
import { capitalised } from '../corpus/phrasing.ts'
import { hash } from '../corpus/random.ts'
import { mediaWikiError } from './mediawiki.ts'
import type { ProviderReply, ProviderRequest } from './provider.ts'
import { readInteger } from './read-integer.ts'

const WIDTHS = new Set('20 40 60 120 250 330 500 960 1280 1920 3840'.split(' '))
const PROPS = new Set(['extracts', 'pageimages', 'pageprops', 'info', 'description', 'coordinates'])
const INVALID = /[<>[\]{}|]/
const MOST_TITLES = 50

interface Wanted {
  props: ReadonlySet<string>
  width: number
  sentences: number
  lang: string
}

export function queryArticles({ query }: ProviderRequest, corpus: Corpus): ProviderReply {
  const wanted = readWanted(query)
  if ('status' in wanted) return wanted
  if (corpus === EMPTY_CORPUS) return { status: 200, json: { batchcomplete: true } }
  const titles = query.get('titles')
  if (titles !== null) return byTitle(titles.split('|'), query.get('redirects') === '1', wanted)
  if (query.get('generator') === 'search') return bySearch(query, wanted)
  return { status: 200, json: { batchcomplete: true } }
}

function readWanted(query: URLSearchParams): Wanted | ProviderReply {
  if (query.get('format') !== 'json' || query.get('formatversion') !== '2') {
    return mediaWikiError('badvalue', 'Unrecognized value for parameter "formatversion".')
  }
  const props = new Set((query.get('prop') ?? '').split('|').filter(Boolean))
  for (const prop of props) {
    if (!PROPS.has(prop)) return mediaWikiError('badvalue', `Unrecognized value for parameter "prop": ${prop}.`)
  }
  const width = query.get('pithumbsize') ?? '60'
  if (!WIDTHS.has(width)) return mediaWikiError('badvalue', 'Use thumbnail sizes listed on w.wiki/GHai.')
  const sentences = readInteger(query, 'exsentences', { from: 1, to: 10, fallback: 10 })
  if (sentences === undefined) return mediaWikiError('badinteger', 'The "exsentences" parameter is out of range.')
  return { props, width: Number(width), sentences, lang: query.get('uselang') ?? 'en' }
}

interface Renaming {
  from: string
  to: string
  tofragment?: string
}

function byTitle(titles: readonly string[], follows: boolean, wanted: Wanted): ProviderReply {
  if (titles.length > MOST_TITLES) return mediaWikiError('toomanyvalues', 'Too many values supplied for "titles".')
  const normalized: Renaming[] = []
  const redirects: Renaming[] = []
  const interwiki: unknown[] = []
  const pages = new Map<string, { title: string; pageid?: number }>()
  for (const written of titles) {
    const asked = capitalised(written.trim().replaceAll('_', ' '))
    const [, language] = /^([a-z]{2}):/i.exec(asked) ?? []
    if (language !== undefined) {
      interwiki.push({ title: written, iw: language.toLowerCase() })
      continue
    }
    if (asked !== written) normalized.push({ from: written, to: asked })
    const found = INVALID.test(asked) ? undefined : findTitle(asked, wanted.lang)
    if (!found) pages.set(asked, absentPage(asked))
    else if (found.title !== asked && follows) {
      redirects.push({ from: asked, to: found.title, ...(found.section !== '' && { tofragment: found.section }) })
    }
    if (found) pages.set(found.title, presentArticle(found.entry, found.title, wanted))
  }
  const lists = { normalized, redirects, interwiki }
  const told = Object.entries(lists).filter(([, renamings]) => renamings.length > 0)
  const byId = [...pages.values()].sort((one, other) => (one.pageid ?? 0) - (other.pageid ?? 0))
  return {
    status: 200,
    json: { batchcomplete: true, query: { ...Object.fromEntries(told), ...(byId.length > 0 && { pages: byId }) } },
  }
}

function absentPage(title: string) {
  if (INVALID.test(title)) {
    return { title, invalidreason: 'The requested page title contains invalid characters.', invalid: true }
  }
  return /^(?:special|file|talk|category):/i.test(title)
    ? { ns: -1, title, special: true }
    : { ns: 0, title, missing: true }
}

function bySearch(query: URLSearchParams, wanted: Wanted): ProviderReply {
  const text = query.get('gsrsearch')?.trim() ?? ''
  if (text === '') return mediaWikiError('missingparam', 'The "gsrsearch" parameter must be set.')
  const count = readInteger(query, 'gsrlimit', { from: 1, to: 500, fallback: 10 })
  if (count === undefined) return mediaWikiError('badinteger', 'Invalid value for integer parameter "gsrlimit".')
  const found = query.get('gsrnamespace') === '0' ? searchEntries(text, wanted.lang).slice(0, count) : []
  if (found.length === 0) return { status: 200, json: { batchcomplete: true } }
  const pages = found
    .map(({ entry, title }, at) => ({ ...presentArticle(entry, title, wanted), index: at + 1 }))
    .sort((one, other) => one.pageid - other.pageid)
  return { status: 200, json: { batchcomplete: true, query: { pages } } }
}

function presentArticle(entry: EncyclopediaEntry, title: string, wanted: Wanted) {
  const { props, lang, sentences } = wanted
  const address = `https://${lang}.wikipedia.example/wiki/${encodeURIComponent(title.replaceAll(' ', '_'))}`
  return {
    pageid: 1_000 + (hash(entry.id) % 70_000_000),
    ns: 0,
    title,
    ...(props.has('extracts') && { extract: firstSentences(entry.extracts[lang] ?? entry.extracts.en, sentences) }),
    ...(props.has('pageimages') && entry.picture !== '' && pictureOf(entry.picture, wanted)),
    ...(props.has('pageprops') && {
      pageprops: { wikibase_item: entry.id, ...(entry.isDisambiguation && { disambiguation: '' }) },
    }),
    ...(props.has('description') && { description: entry.description, descriptionsource: 'local' }),
    ...(props.has('coordinates') && entry.coordinates && { coordinates: [primary(entry.coordinates)] }),
    ...(props.has('info') && {
      contentmodel: 'wikitext',
      pagelanguage: lang,
      touched: '2026-11-10T00:00:00Z',
      fullurl: address,
      canonicalurl: address,
    }),
  }
}

const primary = ([lat, lon]: readonly [number, number]) => ({ lat, lon, primary: true, globe: 'earth' })

const firstSentences = (text: string, count: number): string =>
  text
    .split(/(?<=\.) (?=\p{Lu})/u)
    .slice(0, count)
    .join(' ')

/** Portrait or landscape, by its name. */
function pictureOf(name: string, { width }: Wanted) {
  const file = name.replaceAll(' ', '_')
  const height = Math.round(width * (hash(name) % 2 === 0 ? 1.5 : 0.67))
  const source = `https://imgs.example/wikipedia/${width}px-${encodeURIComponent(file)}`
  return { thumbnail: { source, width, height }, pageimage: file }
}
