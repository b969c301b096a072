// Turns a paper into a hit. All paper engines use the same URL for the same paper, so the merge can tell that they
// agree: its DOI, or arXiv's page for a DOI that arXiv assigned. The description starts with the authors and the
// journal, followed by the abstract; the free full text is a sitelink.

import type { WebHit } from '../engine.ts'
import { httpAddress } from './http-address.ts'
import { description, title } from './json-reply.ts'
import { sitelinksOf } from './read-hits.ts'

interface PaperFields {
  /** A DOI, bare or in a URL. */
  doi: unknown
  /** For a paper without a DOI. */
  url?: unknown
  title: unknown
  /** Names, in order. */
  authors: readonly unknown[]
  journal: unknown
  /** May contain markup. */
  abstract: unknown
  publishedAt: number | undefined
  /** By title; those that aren't a URL are dropped. */
  links?: Readonly<Record<string, unknown>>
}

const DOI = /\b(10\.\d{4,9}\/[\x21\x23-\x3b\x3d\x3f-\x7e]{1,200})$/
const OF_ARXIV = /^10\.48550\/arxiv\./
const MOST_AUTHORS = 3
const LONGEST_DESCRIPTION = 1000

/** The heading that many abstracts begin with. */
const HEADING = /<(jats:title|h\d)>[^<]{0,40}<\/\1>/gi

/** DOIs are case-insensitive. */
function doiAddress(value: unknown): string {
  const doi = DOI.exec(typeof value === 'string' ? value.trim() : '')?.[1]?.toLowerCase() ?? ''
  if (doi === '') return ''
  if (OF_ARXIV.test(doi)) return `https://arxiv.org/abs/${doi.replace(OF_ARXIV, '')}`
  return httpAddress(`https://doi.org/${doi.replace(/[?#[\]\\^`{|}]/g, encodeURIComponent)}`)
}

function authorsOf(names: readonly unknown[]): string {
  const known = names.map(title).filter(Boolean)
  return known.slice(0, MOST_AUTHORS).join(', ') + (known.length > MOST_AUTHORS ? ' et al.' : '')
}

export function paperHit(fields: PaperFields): WebHit | undefined {
  const url = doiAddress(fields.doi) || httpAddress(fields.url)
  if (url === '') return undefined
  const { abstract } = fields
  const text = description(typeof abstract === 'string' ? abstract.replace(HEADING, ' ') : undefined)
  const parts = [authorsOf(fields.authors), title(fields.journal), text].filter(Boolean)
  return {
    title: title(fields.title),
    url,
    description: parts.join(' · ').slice(0, LONGEST_DESCRIPTION).toWellFormed().trimEnd(),
    faviconUrl: '',
    publishedAt: fields.publishedAt,
    sitelinks: sitelinksOf(fields.links ?? {}),
  }
}
