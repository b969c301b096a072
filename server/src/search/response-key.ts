// The cache key of an engine's response: a hash of the normalised query and everything else that changes the answer. It is
// hashed because anyone with access to Redis can read the keys, and queries are private.
//
// Queries that every engine treats alike share a key: case and white space are ignored. Case is kept if the query
// contains an operator in capitals, because `cats OR dogs` and `cats or dogs` are different queries.
import { hash } from 'node:crypto'
import type { EngineQuery, EngineResponse, ResultBounds, Tab } from '@bowerbird/engines/engine.ts'
import type { ImageFilters } from '@bowerbird/engines/image-filters.ts'
import type { ResponseKey } from '../cache/response-cache.ts'

/** Everything that an adapter receives, except the time; derived, so that the key can't miss a field by mistake. */
type SearchParts = { tab: Tab } & Omit<EngineQuery, 'now'>
/** A completion has neither pages nor filters. */
type CompletionParts = { tab: 'suggest'; region?: never } & Pick<EngineQuery, 'text' | 'lang'> & {
    [Name in keyof ResultBounds]?: never
  }

const OPERATOR = /(?:^|[\s(])(?:OR|AND|NOT|NEAR)(?=[\s)]|$)/
const NO_FILTERS = { page: 0, safe: false, date: undefined }
/** 132 bits: enough to make a collision infeasible. */
const KEY_LENGTH = 22

export function responseKey(parts: SearchParts): ResponseKey<EngineResponse>
export function responseKey(parts: CompletionParts): ResponseKey<string[]>
export function responseKey(parts: SearchParts | CompletionParts): string {
  const { tab, text, lang, region } = parts
  const { page, safe, date = '' } = tab === 'suggest' ? NO_FILTERS : parts
  // A normalised query has no line breaks, so different parts never make the same lines.
  const place = region === undefined ? lang.toLowerCase() : `${lang.toLowerCase()}\n@${region}`
  const lines = `${tab}\n${page}\n${safe}\n${date}\n${normalised(text)}\n${place}${boundsLine(parts)}`
  return hash('sha256', lines, 'base64url').slice(0, KEY_LENGTH)
}

/** '' without bounds, which most searches don't have. */
function boundsLine(parts: ResultBounds): string {
  const { includeDomains = [], excludeDomains = [], dateFrom, dateTo, fileTypes, titleWords, phrases, image } = parts
  const bounds = [...includeDomains, ...excludeDomains.map((name) => `-${name}`), dateFrom ?? '', dateTo ?? '']
  const operators = fileTypes || titleWords || phrases ? `\n${JSON.stringify([fileTypes, titleWords, phrases])}` : ''
  const pictures = image ? `\n${imageLine(image)}` : ''
  return `${bounds.join('') === '' ? '' : `\n${bounds.join(' ')}`}${operators}${pictures}`
}

const imageLine = ({ size, shape, licence, color, kind }: ImageFilters): string =>
  JSON.stringify({ size, shape, licence, color, kind })

function normalised(text: string): string {
  const plain = text.normalize('NFC').trim().replace(/\s+/g, ' ')
  const lower = plain.toLowerCase()
  if (lower === plain || OPERATOR.test(plain)) return plain
  return lower.normalize('NFC')
}
