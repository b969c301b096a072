// Searching, in English. Failures are clauses that start with the engine's name; the page joins them into a sentence.
import type { UpstreamErrorKind } from '@bowerbird/engines/upstream-error.ts'
import type { SkipReason } from '../../../search/plan.ts'

type Sentence = (engine: string) => string

const failures: Record<UpstreamErrorKind, Sentence> = {
  timeout: (engine) => `${engine} did not answer in time`,
  unreachable: (engine) => `${engine} could not be reached`,
  throttled: (engine) => `${engine} is rate-limiting this site`,
  blocked: (engine) => `${engine} is blocking this site`,
  rejected: (engine) => `${engine} rejected the search`,
  malformed: (engine) => `${engine} sent a response that could not be read`,
  overBudget: (engine) => `${engine} has used up its budget`,
  open: (engine) => `${engine} keeps failing and is being skipped for now`,
  busy: (engine) => `${engine} has too many searches waiting`,
}

const skips: Record<SkipReason, Sentence> = {
  safe: (engine) => `${engine} was skipped because it has no safe search.`,
  date: (engine) => `${engine} was skipped because it cannot filter by time.`,
  lang: (engine) => `${engine} was skipped because it cannot filter by this language.`,
  page: (engine) => `${engine} was skipped because it does not go this many pages deep.`,
  length: (engine) => `${engine} was skipped because it only accepts shorter searches.`,
}

export const searchEn = {
  failures,
  skips,
  filters: {
    label: 'Filters',
    time: 'Time',
    safe: 'Safe search',
    language: 'Result language',
    anyTime: 'Any time',
    ranges: { d: 'Past day', w: 'Past week', m: 'Past month', y: 'Past year' },
    safeOn: 'Safe on',
    safeOff: 'Safe off',
    anyLanguage: 'Any language',
  },
  results: 'Results',
  card: 'Summary',
  didYouMean: 'Did you mean',
  sitelinks: 'More from this site',
  foundBy: (engines: string) => `Found by ${engines}. Why this result?`,
  why: {
    rank: (rank: number) => `rank ${rank}`,
    score: 'Score',
  },
  partial: (failures: string, answered: string) => `${failures}; these results are from ${answered}.`,
  stale: (failures: string) => `${failures}. These are earlier results from the cache.`,
  failed: {
    title: 'No search engine responded',
    help: (seconds: number) => (seconds === 1 ? 'Try again in one second.' : `Try again in ${seconds} seconds.`),
    again: 'Try again',
    status: 'See provider status',
  },
  noProvider: {
    title: 'No search engine is set up for this',
    help: 'The operator has not configured a provider for this type of search, or for the engines you chose.',
    again: 'Search with all engines',
  },
  nothing: {
    title: 'No results',
    asked: (engines: string) => `${engines} found nothing for this search.`,
    unsupported: 'No engine here supports these filters, so nothing was searched.',
    help: 'Try fewer or different words.',
    withoutFilters: 'Search without filters',
    lastPage: 'There are no more results.',
    firstPage: 'Back to the first page',
  },
  early: {
    waitingFor: (engines: string) => `Waiting for ${engines}…`,
    settled: 'All engines have answered.',
    sort: 'Sort again',
    failed: 'The other engines could not be heard. Search again in a moment.',
  },
  bang: { title: (host: string) => `Going to ${host}`, link: 'Continue' },
  ask: {
    title: 'What are you looking for?',
    help: 'Type your search in the field above.',
  },
  tooLong: {
    title: 'This search is too long',
    help: (most: number) => `Shorten it to ${most} characters or fewer.`,
  },
  images: {
    untitled: 'Image',
    back: 'Back to the results',
    openPage: 'Open page',
    similar: 'Similar images',
    noSimilar: 'No similar images found.',
    gone: 'This image is no longer in the results',
    goneHelp: 'Search again to see the current results.',
    notShown: 'This site does not show images from other sites. Open the page to see it.',
  },
  duration: 'Duration',
  describe: (name: string) => `Search with ${name}`,
  suggestions: 'Suggestions',
}

export type SearchWords = typeof searchEn
