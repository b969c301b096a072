// The services of engines that are documents, without a file for each: what a request must be is declared in the
// document, and what a reply looks like is shown by its fixtures. A preset's fixtures are in the service's exact shape.
import { readFileSync } from 'node:fs'
import { DOCUMENTS } from '@bowerbird/engines/documents/all.ts'
import type { DocumentTab, EngineDocument } from '@bowerbird/engines/documents/document-format.ts'
import { TABS, type Tab } from '@bowerbird/engines/engine.ts'
import type { Corpus } from '../corpus/corpus.ts'
import type { CorpusHit, PictureHit, StoryHit, VideoHit } from '../corpus/hits.ts'
import { ALL_PROVIDERS } from './all.ts'
import { completionsWith, feedWith, optionalMembersOf, pageWith, type ShownHit } from './document-reply.ts'
import { type Found, isAt, readRequest } from './document-request.ts'
import { defineProvider, type Provider, type ProviderReply, type ProviderRequest } from './provider.ts'

const FIXTURES = new URL('../../../engines/fixtures/engines/', import.meta.url)

interface Fixture {
  status: number
  headers: Record<string, string>
  body: unknown
}

const fixtures = new Map<string, Fixture>()

/** Read when it's first needed: most tests ask few providers. */
function fixtureOf(slug: string, name: string): Fixture {
  const path = `${slug}/${name}.json`
  const known = fixtures.get(path)
  if (known) return known
  const fixture: Fixture = JSON.parse(readFileSync(new URL(path, FIXTURES), 'utf8'))
  fixtures.set(path, fixture)
  return fixture
}

const replyOf = ({ status, headers, body }: Fixture): ProviderReply => ({
  status,
  ...(typeof body === 'string' ? { text: body, contentType: headers['content-type'] ?? 'text/plain' } : { json: body }),
})

const refuse = (status: number, detail: string, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  json: { detail },
})

const keyOf = ({ slug, auth }: EngineDocument): string => (auth ? `sandbox-${slug}-key` : '')

/** The credentials of a request, in the form that the document declares; '' if there are none. */
function credentialsOf({ auth }: EngineDocument, { headers, query }: ProviderRequest): string {
  if (!auth) return ''
  if ('query' in auth) return query.get(auth.query) ?? ''
  const prefix = 'bearer' in auth ? 'Bearer ' : 'basic' in auth ? 'Basic ' : (auth.prefix ?? '')
  const header = String(headers['header' in auth ? auth.header : 'authorization'] ?? '')
  if (header === '') return ''
  const value = header.startsWith(prefix) ? header.slice(prefix.length) : 'wrong'
  return 'basic' in auth
    ? Buffer.from(value, 'base64')
        .toString()
        .replace(/^[^:]*:/, '')
    : value
}

function isAdmitted(document: EngineDocument, request: ProviderRequest): boolean {
  const credentials = credentialsOf(document, request)
  return credentials === keyOf(document) || (credentials === '' && document.auth?.optional === true)
}

function providerOf(document: EngineDocument): Provider {
  const { slug, auth, tabs = {}, suggest } = document
  return defineProvider({
    slug,
    key: keyOf(document),
    readsHeaders: ['authorization', ...(auth && 'header' in auth ? [auth.header] : []), ...declaredHeaders(document)],
    optionalMembers: optionalMembersOf(document),
    answer(request, corpus) {
      const withoutKey = new URLSearchParams(request.query)
      if (auth && 'query' in auth) withoutKey.delete(auth.query)
      const asked = { ...request, query: withoutKey }
      const candidates = TABS.filter((name) => tabs[name] && isAt(tabs[name].request, asked))
      const isSuggest = suggest !== undefined && isAt(suggest.request, asked)
      if (candidates.length === 0 && !isSuggest) return undefined
      if (!isAdmitted(document, request)) return refuse(401, 'The credentials are wrong.')
      // Two tabs may differ only in a parameter.
      for (const name of candidates) {
        const tab = tabs[name]
        const found = tab && readRequest(tab.request, asked)
        if (tab && found) return search({ document, name, tab, found }, request, corpus)
      }
      const typed = isSuggest ? readRequest(suggest.request, asked) : undefined
      return typed ? complete(document, typed, corpus) : refuse(400, 'The request is not as documented.')
    },
    badKey: () => refuse(401, 'The credentials are wrong.'),
    throttled: (_now, seconds) => refuse(429, 'Too many requests.', { 'retry-after': String(seconds) }),
    failure: (_now, status) => refuse(status, 'The request failed.'),
  })
}

const declaredHeaders = ({ tabs = {}, suggest }: EngineDocument): string[] =>
  [...Object.values(tabs), ...(suggest ? [suggest] : [])].flatMap(({ request }) => Object.keys(request.headers ?? {}))

interface Asked {
  document: EngineDocument
  name: Tab
  tab: DocumentTab
  found: Found
}

const PAGE_SIZE = 10
const DAYS: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30, y: 365 }
/** What a provider without pages sends. */
const ALL = 30

const numberIn = (found: Found, name: string): number | undefined =>
  found.has(name) ? Number(found.get(name)) : undefined

function rangeOf(found: Found): { start: number; count: number } {
  const upTo = numberIn(found, 'upTo')
  if (upTo !== undefined) return { start: 0, count: upTo }
  const page = numberIn(found, 'page') ?? (numberIn(found, 'page0') ?? 0) + 1
  const offset = numberIn(found, 'offset') ?? (numberIn(found, 'offset1') ?? 1) - 1
  return { start: Math.max((page - 1) * PAGE_SIZE, offset), count: PAGE_SIZE }
}

function sinceOf(found: Found, now: number): number | undefined {
  const days = DAYS[found.get('by.date') ?? '']
  if (days !== undefined) return now - days * 86_400_000
  const seconds = numberIn(found, 'since.seconds')
  const written = found.get('since.iso') ?? found.get('since.date')
  return written === undefined ? (numberIn(found, 'since.ms') ?? (seconds && seconds * 1000)) : Date.parse(written)
}

function search({ document, name, tab, found }: Asked, { now }: ProviderRequest, corpus: Corpus): ProviderReply {
  const { slug, tierOf, settings = {} } = document
  const page = fixtureOf(tierOf ?? slug, `${name}-page`)
  const range = tab.paging.by === 'cut' && !found.has('upTo') ? { start: 0, count: ALL } : rangeOf(found)
  const isSafe = tab.byNature?.includes('safe') || found.get('by.safe') === 'on'
  const asked = {
    engine: slug,
    text: found.get('query') ?? '',
    ...range,
    now,
    hidesAdult: isSafe,
    after: sinceOf(found, now),
  }
  const hits = hitsIn(name, asked, corpus).map((hit) => shown(hit, now))
  if (hits.length === 0) return replyOf(fixtureOf(tierOf ?? slug, `${name}-empty`))
  if (tab.reply.as === 'feed') {
    return { status: 200, text: feedWith(hits, tab.knowsDates === true), contentType: 'application/rss+xml' }
  }
  const values = Object.fromEntries(Object.entries(settings).map(([each, { default: value = 'x' }]) => [each, value]))
  return { status: page.status, json: pageWith(page.body, hits, { reply: tab.reply, settings: values }) }
}

type AnyHit = CorpusHit | PictureHit | StoryHit | VideoHit

function hitsIn(name: Tab, asked: Parameters<Corpus['search']>[0], corpus: Corpus): AnyHit[] {
  if (name === 'images' || name === 'news' || name === 'videos') return corpus[name](asked).hits
  return corpus.search(asked).hits
}

/** Some pages have no date; a service that has one for everything is old. */
const shown = (hit: AnyHit, now: number): ShownHit => ({
  url: hit.url,
  title: hit.title,
  description: 'sentences' in hit ? hit.sentences.slice(0, 2).join(' ') : '',
  publisher: 'publisher' in hit ? hit.publisher : 'channel' in hit ? hit.channel : hit.siteName,
  thumbnail: 'thumbnail' in hit ? hit.thumbnail.url : 'thumbnailUrl' in hit ? hit.thumbnailUrl : '',
  favicon: `https://${hit.host}/favicon.ico`,
  publishedAt: hit.publishedAt ?? now - 900 * 86_400_000,
  seconds: 'seconds' in hit ? hit.seconds : 0,
  mark: hit.mark,
})

function complete(document: EngineDocument, found: Found, corpus: Corpus): ProviderReply {
  const { slug, suggest, tierOf } = document
  const texts = corpus.suggest({ engine: slug, text: found.get('query') ?? '', count: PAGE_SIZE })
  if (!suggest || texts.length === 0) return replyOf(fixtureOf(tierOf ?? slug, 'suggest-empty'))
  const { status, body } = fixtureOf(tierOf ?? slug, 'suggest-page')
  return { status, json: completionsWith(body, texts, suggest) }
}

const SIMULATED: ReadonlySet<string> = new Set(ALL_PROVIDERS.map(({ slug }) => slug))

/** Of every document, except those whose provider the demo knows better. */
export const DOCUMENT_PROVIDERS: readonly Provider[] = DOCUMENTS.filter(({ slug }) => !SIMULATED.has(slug)).map(
  providerOf,
)
