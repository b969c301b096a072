// GET and POST /api/v1/read/: the main content of a page. This file decides who may read which page, and how much of it
// at a time; `reader/` fetches and extracts it.

import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { ContentFormat } from '@bowerbird/reader/extracted-page.ts'
import { markdownWindowOf, type TextWindow, windowOf } from '@bowerbird/reader/text-window.ts'
import { z } from 'zod'
import { Refusal } from '../../errors.ts'
import { READ_ANY_SCOPE, READ_SCOPE } from '../../keys/scopes.ts'
import type { VerifiedKey } from '../../keys/verify-key.ts'
import type { ReadFailure, ReadOutcome } from '../../reader/reader.ts'
import { defineEndpoint } from '../endpoint.ts'
import { type PageReading, readsLinks } from '../page-reading.ts'
import { numberParam } from './number-param.ts'
import { sectionsWindowOf } from './page-window.ts'

const REQUIRED = 'This parameter is required.'
const MAX_BODY_BYTES = 16_384
export const MAX_PAGE_CHARACTERS = 250_000
export const INVALID_PAGE_URL = 'Send an absolute http or https address.'
const DEFAULT_LENGTH = 20_000
const MAX_LENGTH = 100_000

const ReadParams = z.object({
  url: z
    .string({ error: REQUIRED })
    .trim()
    .min(1, REQUIRED)
    .refine((text) => httpAddress(text) !== '', INVALID_PAGE_URL)
    .meta({
      description: 'The address of the page.',
      example: 'https://open-compendium.example/climate',
      schema: { type: 'string', format: 'uri', maxLength: 2048 },
    }),
  format: z
    .enum(['', 'markdown', 'text', 'sections'], { error: 'Send markdown, text or sections.' })
    .default('markdown')
    .transform((format) => format || 'markdown')
    .meta({
      description: 'How `content` is written. With `sections`, it is empty and `sections` has the text.',
      example: 'markdown',
    }),
  start: numberParam('The first character of `content`, counted from 0.', {
    min: 0,
    max: MAX_PAGE_CHARACTERS,
    defaultValue: 0,
  }),
  length: numberParam('The most characters of `content`.', { min: 1, max: MAX_LENGTH, defaultValue: DEFAULT_LENGTH }),
})

const ReadReply = z
  .object({
    url: z.string(),
    final_url: z.string().describe('Where the page was in the end, after redirects.'),
    type: z.enum(['html', 'pdf', 'json', 'text']),
    title: z.string(),
    byline: z.string().describe('The author, as the page names them, or empty.'),
    site_name: z.string(),
    language: z.string().describe('Language tag, or empty if the page says nothing.'),
    published: z.string().describe('ISO 8601, or empty.'),
    content: z.string(),
    sections: z
      .array(
        z.object({
          heading: z.string().describe('Empty for what stands before the first heading.'),
          level: z.int().describe('1 to 6; 0 without a heading.'),
          text: z.string().describe('Plain text.'),
        }),
      )
      .optional()
      .describe('Only with `format=sections`.'),
    start: z.int(),
    length: z.int().describe('Characters of the page in `content`, or in `sections` with their headings.'),
    total: z.int().describe('Characters of the whole page.'),
    truncated: z.boolean().describe('Whether there is more: send `start` + `length` as `start` to go on.'),
    fetched_at: z.iso.datetime().describe('A page is kept for up to 15 minutes.'),
  })
  .meta({ id: 'ReadReply' })

export const readEndpoint = (reader: PageReading) =>
  defineEndpoint({
    name: 'read',
    method: 'GET',
    path: '/api/v1/read/',
    summary: 'Read a page',
    description:
      'The main content of a page as Markdown, plain text or sections, without menus, scripts and pictures. HTML, PDF, ' +
      'plain text and JSON. A key with the scope `read` can read what its own searches and cards have returned in the ' +
      'last two hours, sitelinks included; with `read_links`, also what such a page links to once it was read; with ' +
      '`read_any`, any public page. robots.txt is honoured. Each page read counts as one request.',
    params: ReadParams,
    reply: ReadReply,
    counts: true,
    scope: READ_SCOPE,
    errors: [422],
    post: { maxBodyBytes: MAX_BODY_BYTES },
    async handle({ params: { url, format, start, length }, key }) {
      const { page, address, fetchedAt } = await readOrRefuse(await requireReadablePage(reader, key, url), format)
      const shown = page.sections
        ? { content: '', ...sectionsWindowOf(page.sections, start, length) }
        : { ...textWindowOf(page.content, { format, start, length }), total: page.content.length }
      // An empty window would look like an empty page.
      if (start > 0 && start >= shown.total)
        throw new Refusal('parameter_invalid', {
          start: [`The page has ${shown.total} characters. Send a lower number.`],
        })
      return {
        url,
        final_url: address,
        type: page.type,
        title: page.title,
        byline: page.byline,
        site_name: page.siteName,
        language: page.language,
        published: page.published,
        ...shown,
        start,
        truncated: start + shown.length < shown.total,
        fetched_at: new Date(fetchedAt).toISOString(),
      }
    },
  })

interface WantedWindow {
  format: ContentFormat
  start: number
  length: number
}

function textWindowOf(text: string, { format, start, length }: WantedWindow): TextWindow {
  if (format === 'markdown') return markdownWindowOf(text, start, length)
  const content = windowOf(text, start, length)
  return { content, length: content.length }
}

const ONLY_FOUND_PAGES =
  'This API key can read only pages that its own searches and cards have returned in the last two hours. Search for it first.'
const ONLY_LINKED_PAGES =
  'This API key can read only pages that its own searches and cards have returned in the last two hours, and pages that those link to. Search for it, or read the page that links to it, first.'

/** A page that the caller may read. */
interface ReadablePage {
  reader: PageReading
  key: VerifiedKey
  address: string
  isLinked?: boolean
}

/** Throws the 403 for a page that the key's searches have not found, unless the key may read any page. */
export async function requireReadablePage(
  reader: PageReading,
  key: VerifiedKey,
  address: string,
): Promise<ReadablePage> {
  if (key.scopes.has(READ_ANY_SCOPE)) return { reader, key, address }
  const found = await reader.found.find(key.keyId, address)
  if (found !== undefined) return { reader, key, address: found }
  if (!readsLinks(key)) throw new Refusal('page_not_in_results', ONLY_FOUND_PAGES)
  const linked = await reader.linked.find(key.keyId, address)
  if (linked === undefined) throw new Refusal('page_not_in_results', ONLY_LINKED_PAGES)
  return { reader, key, address: linked, isLinked: true }
}

const FAILURE_MESSAGES: Record<ReadFailure, string> = {
  too_large: 'The page is too large to be read.',
  too_complex: 'The page is too complex to be read.',
  not_text: 'There is no text at this address, or none in a format that can be read.',
  no_content: 'No content was found on the page. It may need JavaScript to show any.',
  robots: "The site's robots.txt does not allow this page to be read.",
  blocked: 'This address cannot be read: it is not public, has an unusual port, or is this instance.',
  status: 'The page answered with an error.',
  redirects: 'The page redirects too often.',
  timeout: 'The page did not arrive in time.',
  unreachable: 'The page could not be reached.',
}

/** The error message for a page that could not be read. */
const failureMessage = ({ reason, status }: Extract<ReadOutcome, { ok: false }>): string =>
  status === undefined ? FAILURE_MESSAGES[reason] : `The page answered with HTTP ${status}.`

const RETRY_AFTER_SECONDS = 5

/** Throws the 422, or the 503 if too many pages are being read. */
export async function readOrRefuse({ reader, key, address, isLinked = false }: ReadablePage, format: ContentFormat) {
  let outcome: ReadOutcome
  try {
    outcome = await reader.read(address, { format, ...(isLinked && { isLinked }) }, key)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    throw new Refusal('reader_busy', 'Too many pages are being read. Try again shortly.', {
      'Retry-After': String(RETRY_AFTER_SECONDS),
    })
  }
  if (outcome.ok) return outcome
  const { reason, status } = outcome
  throw new Refusal('page_unreadable', {
    detail: failureMessage(outcome),
    reason,
    ...(status !== undefined && { status }),
  })
}
