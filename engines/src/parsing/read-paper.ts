// Builds hits of papers from fields as providers send them, whatever their type.
import type { Paper, WebHit } from '../engine.ts'
import { httpAddress } from './http-address.ts'
import { asDescription, asTitle, type JsonObject } from './json-reply.ts'
import { sitelinksOf } from './read-hits.ts'

interface Facts {
  /** A DOI, bare or in a URL. */
  doi: unknown
  /** Names, in order. */
  authors: readonly unknown[]
  journal: unknown
  /** May contain markup. */
  abstract: unknown
  /** A date that begins with the year, or the year alone; as text or as a number. */
  published?: unknown
  /** A number, or digits. */
  citedBy?: unknown
  isOpenAccess?: boolean
}

interface PaperFields extends Facts {
  /** For a paper without a DOI. */
  url?: unknown
  title: unknown
  publishedAt: number | undefined
  /** By title; those that aren't a URL are dropped. */
  links?: JsonObject
}

const DOI = /\b(10\.\d{4,9}\/[\x21\x23-\x3b\x3d\x3f-\x7e]{1,200})$/
const ARXIV_DOI = /^10\.48550\/arxiv\./
const MAX_DOI_LENGTH = 2048
const MAX_AUTHORS = 3
/** Some papers have thousands of authors. */
const MAX_NAMES = 25
const YEAR = /^([12]\d{3})(?!\d)/
const COUNT = /^(\d{1,7})$/
const MAX_DESCRIPTION_LENGTH = 1000

/** The heading that many abstracts begin with. */
const ABSTRACT_HEADING = /<(jats:title|h\d)>[^<]{0,40}<\/\1>/gi

const doiIn = (value: unknown): string => {
  const text = typeof value === 'string' && value.length <= MAX_DOI_LENGTH ? value.trim() : ''
  return DOI.exec(text)?.[1]?.toLowerCase() ?? ''
}

/** The URL of a DOI, in lower case because DOIs are case-insensitive; arXiv's page for a DOI that arXiv assigned. */
export function doiAddress(value: unknown): string {
  const doi = doiIn(value)
  if (doi === '') return ''
  if (ARXIV_DOI.test(doi)) return `https://arxiv.org/abs/${doi.replace(ARXIV_DOI, '')}`
  return httpAddress(`https://doi.org/${doi.replace(/[?#[\]\\^`{|}]/g, encodeURIComponent)}`)
}

const isWritten = (name: unknown): boolean => typeof name === 'string' && name.trim() !== ''

const abstractIn = (value: unknown): string =>
  asDescription(typeof value === 'string' ? value.replace(ABSTRACT_HEADING, ' ') : undefined)

const numberIn = (value: unknown, pattern: RegExp): number | undefined => {
  const digits = typeof value === 'string' || typeof value === 'number' ? pattern.exec(String(value))?.[1] : undefined
  return digits === undefined ? undefined : Number(digits)
}

/** What is known of a paper; nothing is in it that isn't. */
export function paperOf(facts: Facts): Paper {
  const written = facts.authors.filter(isWritten)
  const names = written.slice(0, MAX_NAMES).map(asTitle).filter(Boolean)
  const unread = Math.max(0, written.length - MAX_NAMES)
  const [venue, doi, abstract] = [asTitle(facts.journal), doiIn(facts.doi), abstractIn(facts.abstract)]
  const [year, citedBy] = [numberIn(facts.published, YEAR), numberIn(facts.citedBy, COUNT)]
  return {
    ...(names.length > 0 && { authors: names, authorCount: names.length + unread }),
    ...(venue !== '' && { venue }),
    ...(year !== undefined && { year }),
    ...(doi !== '' && { doi }),
    ...(abstract !== '' && { abstract }),
    ...(citedBy !== undefined && { citedBy }),
    ...(facts.isOpenAccess && { isOpenAccess: true }),
  }
}

/** Authors, journal and abstract, for those who get nothing but a description. */
export function paperDescription({ authors = [], authorCount = 0, venue = '', abstract = '' }: Paper): string {
  const names = authors.slice(0, MAX_AUTHORS).join(', ') + (authorCount > MAX_AUTHORS ? ' et al.' : '')
  return [names, venue, abstract].filter(Boolean).join(' · ').slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed().trimEnd()
}

/**
 * Turns a paper into a hit. All paper engines use the same URL for the same paper, so the merge can tell that they agree:
 * its DOI, or arXiv's page for a DOI that arXiv assigned. The free full text is a sitelink.
 */
export function paperHit(fields: PaperFields): WebHit | undefined {
  const url = doiAddress(fields.doi) || httpAddress(fields.url)
  if (url === '') return undefined
  const paper = paperOf(fields)
  return {
    kind: 'web',
    title: asTitle(fields.title),
    url,
    description: paperDescription(paper),
    paper,
    faviconUrl: '',
    publishedAt: fields.publishedAt,
    sitelinks: sitelinksOf(fields.links ?? {}),
  }
}
