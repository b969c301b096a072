// The Read view, in English.
import type { ReadFailure } from '../../../reader/reader.ts'

const failures: Record<ReadFailure, string> = {
  too_large: 'The page is too large to be shown here.',
  too_complex: 'The page is too complex to be shown here.',
  not_text: 'There is no text at this address, or none in a format that can be shown here.',
  no_content: 'No text was found on the page. It may need JavaScript to show any.',
  robots: 'The site does not allow programs to read this page.',
  blocked: 'This address is not public, so it is not fetched.',
  status: 'The page answered with an error.',
  redirects: 'The page redirects too often.',
  timeout: 'The page did not arrive in time.',
  unreachable: 'The page could not be reached.',
}

export const readingEn = {
  read: 'Read',
  readPage: (title: string) => `Read: ${title}`,
  back: 'Back to the results',
  original: 'Original page',
  again: 'Try again',
  ways: 'Where to go',
  waysBelow: 'Where to go from here',
  table: 'Table',
  code: 'Code',
  failed: 'This page cannot be shown here',
  failures,
  statusFailure: (status: number) => `The page answered with HTTP ${status}.`,
  expired: 'This link has expired',
  expiredHelp: 'Pages can be read for about two hours after a search has found them. Search again to read it.',
  busy: 'Too many pages are being read',
  busyHelp: 'Try again in a few seconds, or open the original page.',
}

export type ReadingWords = typeof readingEn
