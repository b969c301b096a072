// Searching, in English. Failures are ends of sentences that begin with the engine's name.
import type { UpstreamErrorKind } from '../../../errors.ts'
import type { SkipReason } from '../../../search/plan.ts'

type Sentence = (engine: string) => string

const failures: Record<UpstreamErrorKind, Sentence> = {
  timeout: (engine) => `${engine} did not answer in time`,
  unreachable: (engine) => `${engine} could not be reached`,
  throttled: (engine) => `${engine} asks for a pause`,
  blocked: (engine) => `${engine} refuses this site`,
  rejected: (engine) => `${engine} refused the question`,
  malformed: (engine) => `${engine} gave an answer that could not be read`,
  overBudget: (engine) => `${engine} has used up its budget`,
  open: (engine) => `${engine} has failed repeatedly and is left alone for a moment`,
  busy: (engine) => `${engine} has too many searches waiting`,
}

const skips: Record<SkipReason, Sentence> = {
  safe: (engine) => `${engine} was not asked, because it has no safe search.`,
  date: (engine) => `${engine} was not asked, because it cannot filter by time.`,
  lang: (engine) => `${engine} was not asked, because it cannot filter by this language.`,
  page: (engine) => `${engine} was not asked, because it has no page this far.`,
  length: (engine) => `${engine} was not asked, because it takes only shorter searches.`,
}

export const searchEn = {
  failures,
  skips,
  filters: {
    label: 'Filters',
    time: 'Time',
    safe: 'Safe search',
    language: 'Language of results',
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
  foundBy: (engines: string) => `Found by ${engines}. Why is it here?`,
  why: {
    rank: (rank: number) => `place ${rank}`,
    score: 'Score',
  },
  partial: (failures: string, answered: string) => `${failures}; these results are from ${answered}.`,
  stale: (failures: string) => `${failures}. These results were kept from earlier.`,
  failed: {
    title: 'No search engine answered',
    help: (seconds: number) => (seconds === 1 ? 'Try again in one second.' : `Try again in ${seconds} seconds.`),
    again: 'Try again',
    status: 'See the status of every provider',
  },
  noProvider: {
    title: 'No search engine is set up for this',
    help: 'The operator of this site has bound no provider to this kind of search, or none to the engines that you chose.',
    again: 'Search with all engines',
  },
  nothing: {
    title: 'Nothing found',
    asked: (engines: string) => `${engines} answered and had nothing for these words.`,
    unsupported: 'No engine here can honour these filters, so none was asked.',
    help: 'Try fewer words, or other ones.',
    withoutFilters: 'Search without filters',
    lastPage: 'There are no more results.',
    firstPage: 'Back to the first page',
  },
  ask: {
    title: 'What are you looking for?',
    help: 'Type it into the field above.',
  },
  tooLong: {
    title: 'This search is too long',
    help: (most: number) => `Shorten it to at most ${most} characters.`,
  },
  images: {
    untitled: 'Picture',
    back: 'Back to the results',
    openPage: 'Open the page',
    similar: 'Similar images',
    noSimilar: 'Nothing similar was found.',
    gone: 'This picture is no longer among the results',
    goneHelp: 'Search again to see what there is now.',
    notShown: 'This site shows no pictures of others. Open the page to see it.',
  },
  duration: 'Length',
  describe: (name: string) => `Search with ${name}`,
  suggestions: 'Suggestions',
}

export type SearchWords = typeof searchEn
