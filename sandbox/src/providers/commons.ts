// Wikimedia Commons: `GET /w/api.php?action=query&generator=search&gsrnamespace=6`, keyless. Pages come in the order of
// their ids, so that only `index` gives the rank; without `formatversion=2` they are an object keyed by id. `query` is
// absent when nothing matches. It has no filters, and an invalid parameter is an HTTP 200 with an error.
import type { Corpus } from '../corpus/corpus.ts'
import type { PictureHit, VideoHit } from '../corpus/hits.ts'
import { escapeHtml } from './escape-html.ts'
import { mediaWikiError, mediaWikiFailures, mediaWikiGate } from './mediawiki.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readInteger } from './read-integer.ts'
import { isoSeconds } from './wire-time.ts'

const PICTURE_TYPES = new Set(['bitmap', 'drawing', 'image'])

export const commons = defineProvider({
  slug: 'commons',
  key: '',
  readsHeaders: ['user-agent'],
  optionalMembers: (
    'batchcomplete continue snippet imagerepository size width height thumburl thumbwidth thumbheight mime timestamp ' +
    'extmetadata descriptionshorturl duration user'
  ).split(' '),
  answer(request, corpus) {
    if (request.method !== 'GET' || request.path !== '/w/api.php') return undefined
    return mediaWikiGate(request) ?? search(request, corpus)
  },
  ...mediaWikiFailures,
})

function search(request: ProviderRequest, corpus: Corpus): ProviderReply {
  const { query, now } = request
  if (query.get('format') !== 'json') return HTML_REPLY
  const action = query.get('action') ?? ''
  if (action !== 'query') return mediaWikiError('badvalue', `Unrecognized value for parameter "action": ${action}.`)
  if (query.get('generator') !== 'search') return { status: 200, json: { batchcomplete: true } }
  const asked = query.get('gsrsearch')?.trim() ?? ''
  if (asked === '') return mediaWikiError('missingparam', 'The "gsrsearch" parameter must be set.')
  const count = readInteger(query, 'gsrlimit', { from: 1, to: 500, fallback: 10 })
  if (count === undefined) return mediaWikiError('badinteger', 'Invalid value for integer parameter "gsrlimit".')
  const start = readInteger(query, 'gsroffset', { from: 0, to: 9_999, fallback: 0 })
  if (start === undefined) return mediaWikiError('badinteger', 'Invalid value for integer parameter "gsroffset".')

  const text = asked.replace(/\bfiletype:\S+/g, '').trim()
  const isAsked = query.get('gsrnamespace') === '6' && text !== ''
  const search = { engine: 'commons', text, start, count, now, hidesAdult: false }
  if (isAsked && asked.includes('filetype:video')) return films(corpus.videos(search), start, query)
  const found = isAsked && wantsPictures(asked) ? corpus.images(search) : { total: 0, hits: [] }
  const next = start + found.hits.length
  const isModern = query.get('formatversion') === '2'
  return {
    status: 200,
    json: {
      ...(next >= found.total
        ? { batchcomplete: isModern ? true : '' }
        : { continue: { gsroffset: next, continue: 'gsroffset||' } }),
      ...(found.hits.length > 0 && { query: { pages: presentPages(found.hits, start, query) } }),
    },
  }
}

/** Our own choice: `formatversion=2` alone. */
function films({ hits }: { hits: readonly VideoHit[] }, start: number, query: URLSearchParams): ProviderReply {
  const wants = (part: string) => (query.get('iiprop') ?? '').split('|').includes(part)
  const pages = hits.map((hit, position) => ({
    pageid: 1_000 + (hit.mark % 100_000_000),
    ns: 6,
    title: `File:${hit.title.replace(/[[\]{}|#<>/:]/g, ' ')}.webm`,
    index: start + position + 1,
    imageinfo: [
      {
        ...(wants('size') && { size: hit.seconds * 1_000, duration: hit.seconds + 0.4 }),
        ...(wants('timestamp') && { timestamp: isoSeconds(hit.publishedAt) }),
        ...(wants('user') && { user: hit.channel }),
        thumburl: hit.thumbnailUrl,
        url: `https://files.${hit.host}/${hit.mark}.webm`,
        descriptionurl: hit.url,
      },
    ],
  }))
  const sorted = pages.sort((left, right) => left.pageid - right.pageid)
  return { status: 200, json: { batchcomplete: true, ...(sorted.length > 0 && { query: { pages: sorted } }) } }
}

const HTML_REPLY: ProviderReply = {
  status: 200,
  text: '<!doctype html><html lang="en"><title>MediaWiki API result</title><pre>{}</pre></html>',
  contentType: 'text/html; charset=utf-8',
}

function wantsPictures(asked: string): boolean {
  const [, types] = /\bfiletype:(\S+)/.exec(asked) ?? []
  return types === undefined || types.split('|').some((type) => PICTURE_TYPES.has(type))
}

function presentPages(hits: readonly PictureHit[], start: number, query: URLSearchParams): unknown {
  const pages = hits
    .map((hit, position) => presentPage(hit, start + position + 1, query))
    .sort((left, right) => left.pageid - right.pageid)
  if (query.get('formatversion') === '2') return pages
  return Object.fromEntries(pages.map((page) => [page.pageid, page]))
}

function presentPage(hit: PictureHit, index: number, query: URLSearchParams) {
  const wants = (parameter: string, part: string) => (query.get(parameter) ?? '').split('|').includes(part)
  return {
    pageid: 1_000 + (hit.mark % 100_000_000),
    ns: 6,
    title: `File:${hit.title.replace(/[[\]{}|#<>/:]/g, ' ')}.jpg`,
    index,
    ...(wants('gsrprop', 'snippet') && { snippet: `${escapeHtml(hit.tags.join(', '))} by ${escapeHtml(hit.creator)}` }),
    imagerepository: 'local',
    ...(wants('prop', 'imageinfo') && {
      imageinfo: [
        {
          ...(wants('iiprop', 'size') && { size: hit.bytes, width: hit.width, height: hit.height }),
          ...(wants('iiprop', 'timestamp') && { timestamp: isoSeconds(hit.publishedAt) }),
          ...(wants('iiprop', 'url') && addresses(hit, query)),
          ...(wants('iiprop', 'mime') && { mime: 'image/jpeg' }),
          ...(wants('iiprop', 'extmetadata') && { extmetadata: extendedMetadata(hit) }),
        },
      ],
    }),
  }
}

function addresses(hit: PictureHit, query: URLSearchParams) {
  const hasThumbnail = query.has('iiurlheight') || query.has('iiurlwidth')
  return {
    ...(hasThumbnail && {
      thumburl: hit.thumbnail.url,
      thumbwidth: hit.thumbnail.width,
      thumbheight: hit.thumbnail.height,
    }),
    url: hit.imageUrl,
    descriptionurl: hit.url,
    descriptionshorturl: `https://commons.example/w/index.php?curid=${hit.mark}`,
  }
}

const extendedMetadata = (hit: PictureHit) => ({
  Artist: { value: `<a href="https://${hit.host}/">${escapeHtml(hit.creator)}</a>`, source: 'commons-desc-page' },
  LicenseShortName: {
    value: `CC ${hit.licence.code.toUpperCase()} ${hit.licence.version}`,
    source: 'commons-desc-page',
    hidden: '',
  },
  LicenseUrl: {
    value: `https://licences.example/${hit.licence.code}/${hit.licence.version}/`,
    source: 'commons-desc-page',
    hidden: '',
  },
})
