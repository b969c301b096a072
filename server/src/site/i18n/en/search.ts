// Searching: results, instant answers and cards, the Read view, places, translation, in English.
import type { UpstreamErrorKind } from '@bowerbird/engines/upstream-error.ts'
import type { ReadFailure } from '../../../reader/reader.ts'
import type { SkipReason } from '../../../search/plan.ts'

// Searching. Failures are clauses that start with the engine's name; the page joins them into a sentence.
type Sentence = (engine: string) => string

const failures: Record<UpstreamErrorKind, Sentence> = {
  timeout: (engine) => `${engine} did not answer in time`,
  unreachable: (engine) => `${engine} could not be reached`,
  throttled: (engine) => `${engine} is rate-limiting this site`,
  blocked: (engine) => `${engine} is blocking this site`,
  rejected: (engine) => `${engine} is not available right now`,
  malformed: (engine) => `${engine} sent a response that could not be read`,
  overBudget: (engine) => `${engine} has used up its budget`,
  open: (engine) => `${engine} is not available right now`,
  busy: (engine) => `${engine} has too many searches waiting`,
}

const skips: Record<SkipReason, Sentence> = {
  safe: (engine) => `${engine} was skipped because it has no safe search.`,
  date: (engine) => `${engine} was skipped because it cannot filter by time.`,
  lang: (engine) => `${engine} was skipped because it cannot filter by this language.`,
  page: (engine) => `${engine} was skipped because it does not go this many pages deep.`,
  length: (engine) => `${engine} was skipped because it only accepts shorter searches.`,
  loop: (engine) => `${engine} was skipped because another Bowerbird asked.`,
}

const ORDINALS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const ordinal = (rank: number): string => `${rank}${ORDINALS[ordinals.select(rank)] ?? 'th'}`

export const search = {
  failures,
  keyRefused: (engine: string) => `${engine} refused this site’s key`,
  skips,
  filters: {
    label: 'Filters',
    time: 'Time',
    safe: 'Safe search',
    language: 'Result language',
    anyTime: 'Any time',
    ranges: { d: 'Past day', w: 'Past week', m: 'Past month', y: 'Past year' },
    safeOn: 'Safe search: on',
    safeOff: 'Safe search: off',
    anyLanguage: 'Any language',
  },
  results: 'Results',
  card: 'Summary',
  didYouMean: 'Did you mean',
  sitelinks: 'More from this site',
  foundBy: (engines: string) => `Found by ${engines}. Why this result?`,
  why: {
    ranked: (places: string) => `Ranked ${places}.`,
    place: (rank: number, engine: string) => `${ordinal(rank)} by ${engine}`,
    score: 'Score',
  },
  dots: 'Each engine has a dot beside a result, filled if it found it.',
  partial: (failures: string, answered: string) => `${failures}; these results are from ${answered}.`,
  stale: (failures: string) => `${failures}. These are earlier results from the cache.`,
  failed: {
    title: 'No search engine responded',
    help: (seconds: number) => (seconds === 1 ? 'Try again in one second.' : `Try again in ${seconds} seconds.`),
    again: 'Try again',
    status: 'See provider status',
    spentTitle: 'The budget for searching is used up',
    spentHelp: (date: string) => `The operator's engines can be asked again from ${date}.`,
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
    elsewhere: 'The same words in:',
    otherSites: 'On other sites:',
    withoutFilters: 'Search without filters',
    lastPage: 'There are no more results.',
    firstPage: 'Back to the first page',
  },
  mine: {
    yours: (name: string) => `${name} (yours)`,
    tokenRefused: (engine: string) => `${engine} refused your token`,
    all: 'All results',
    later: 'Your own services are still searching.',
    show: 'Show what they find',
    failed: 'Your own services did not answer',
  },
  early: {
    waitingFor: (engines: string) => `Waiting for ${engines}…`,
    settled: 'All engines have answered.',
    better: 'Some results that arrived later rank higher.',
    sort: 'Show them in order',
    failed: 'The other engines did not respond. Search again in a moment.',
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

export type SearchWords = typeof search

// Instant answers and cards. `members` labels the members of an answer; one that is not listed is shown under its own
// name, which is English already.
export const answers = {
  label: 'Instant answer',
  missing: 'This query has an instant answer, but its provider did not respond. Try again in a moment.',
  yes: 'yes',
  no: 'no',
  details: 'Details',
  onWhite: 'Contrast on white',
  onBlack: 'Contrast on black',
  qrCode: (content: string) => `QR code for “${content}”`,
  weather: {
    feelsLike: (degrees: string) => `feels like ${degrees}`,
    humidity: 'humidity',
    wind: 'wind',
    forecast: 'Forecast',
    day: 'Day',
    sky: 'Weather',
    range: 'Low and high',
    rain: 'Chance of rain',
    today: 'Today',
  },
  timer: { start: 'Start', pause: 'Pause', over: 'Time is up', needsScript: 'The timer needs JavaScript.' },
  /** By their English names. English has none: they are in English already. */
  partsOfSpeech: {} as Record<string, string>,
  credits: {} as Record<string, string>,
  cards: {
    more: 'More',
    picture: 'Picture',
    firstPublished: 'First published',
    editions: 'Editions',
    languages: 'Languages',
    acceptedAnswer: 'Accepted answer',
    onMap: (name: string) => `${name} on the map`,
    showMap: 'Show map',
    directions: 'Directions',
  },
  members: {
    area_km2: 'Area (km²)',
    ascii: 'ASCII',
    browser_version: 'Version',
    bytes_hex: 'Bytes (hexadecimal)',
    class: 'Category',
    continents: 'Continent',
    daylight_minutes: 'Daylight (minutes)',
    domain: 'Top-level domain',
    entropy_bits: 'Entropy (bits)',
    extensions: 'File extensions',
    html: 'HTML',
    illumination: 'Illumination',
    input_bytes: 'Bytes',
    ip: 'IP address',
    is_public: 'Public',
    iso: 'ISO 8601',
    population_year: 'Population as of',
    rest_days: 'Remaining days',
    utc_offset: 'UTC offset',
    utf8_hex: 'UTF-8 (hexadecimal)',
  } as Record<string, string>,
}

export type AnswersWords = typeof answers

// The Read view.
const readFailures: Record<ReadFailure, string> = {
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

export const reading = {
  read: 'Read',
  minutes: (minutes: number) => `${minutes} min read`,
  readPage: (title: string) => `Read: ${title}`,
  back: 'Back to the results',
  original: 'Original page',
  again: 'Try again',
  linksLabel: 'Where to go',
  bottomLinksLabel: 'Where to go from here',
  table: 'Table',
  code: 'Code',
  failed: 'This page cannot be shown here',
  failures: readFailures,
  statusFailure: (status: number) => `The page answered with HTTP ${status}.`,
  expired: 'This link has expired',
  expiredHelp: 'Pages can be read for about two hours after a search has found them. Search again to read it.',
  busy: 'Too many pages are being read',
  busyHelp: 'Try again in a few seconds, or open the original page.',
}

export type ReadingWords = typeof reading

// Places. `kinds` names OpenStreetMap's types of places; one that is not listed is shown under its own name.
export const maps = {
  ask: {
    title: 'Which place are you looking for?',
    help: 'Type a place name or an address in the field above.',
  },
  results: 'Places',
  at: (point: string) => `What is at ${point}`,
  nothing: {
    title: 'No places found',
    help: 'Check the spelling, use fewer words, or add the town or country.',
    atPoint: 'No place is known at this point. It may be at sea.',
  },
  badPoint: {
    title: 'These coordinates are not valid',
    help: 'Give both a latitude from -90 to 90 and a longitude from -180 to 180.',
  },
  showMap: 'Show map',
  hideMap: 'Hide map',
  mapOf: (name: string) => `Map of ${name}`,
  directions: 'Directions',
  openStreetMap: 'OpenStreetMap',
  mapApp: 'Open in a map app',
  more: 'More places',
  privacy: 'Nothing is loaded from openstreetmap.org until you show a map.',
  notSetUp: {
    title: 'Maps are not set up on this site',
    help: 'The operator has not configured a maps provider.',
    adminHelp:
      'Set NOMINATIM_URL or PHOTON_URL, or set OPERATOR_CONTACT to use the public OpenStreetMap server, then restart.',
  },
  failed: 'No maps provider responded',
  kinds: {
    aerodrome: 'Airport',
    attraction: 'Sight',
    bank: 'Bank',
    bar: 'Bar',
    beach: 'Beach',
    borough: 'Borough',
    bridge: 'Bridge',
    building: 'Building',
    bus_stop: 'Bus stop',
    cafe: 'Café',
    castle: 'Castle',
    church: 'Church',
    cinema: 'Cinema',
    city: 'City',
    country: 'Country',
    county: 'County',
    district: 'District',
    forest: 'Forest',
    garden: 'Garden',
    hamlet: 'Hamlet',
    hospital: 'Hospital',
    hotel: 'Hotel',
    house: 'House',
    house_number: 'House',
    island: 'Island',
    library: 'Library',
    memorial: 'Memorial',
    monument: 'Monument',
    municipality: 'Municipality',
    museum: 'Museum',
    neighbourhood: 'Neighbourhood',
    ocean: 'Ocean',
    park: 'Park',
    parking: 'Car park',
    peak: 'Mountain',
    pharmacy: 'Pharmacy',
    place_of_worship: 'Place of worship',
    post_office: 'Post office',
    postcode: 'Postcode',
    province: 'Province',
    pub: 'Pub',
    quarter: 'Quarter',
    region: 'Region',
    restaurant: 'Restaurant',
    river: 'River',
    road: 'Street',
    school: 'School',
    sea: 'Sea',
    square: 'Square',
    stadium: 'Stadium',
    state: 'State',
    station: 'Station',
    suburb: 'Suburb',
    supermarket: 'Supermarket',
    theatre: 'Theatre',
    tower: 'Tower',
    town: 'Town',
    townhall: 'Town hall',
    university: 'University',
    viewpoint: 'Viewpoint',
    village: 'Village',
    water: 'Water',
    waterway: 'Waterway',
    wood: 'Forest',
  } as Record<string, string>,
}

export type MapsWords = typeof maps

// Translation.
export const translate = {
  title: 'Translate',
  from: 'From',
  to: 'To',
  detect: 'Detect language',
  swap: 'Swap languages',
  text: 'Text',
  limit: (most: string) => `At most ${most} characters. Nothing you enter here is stored.`,
  translate: 'Translate',
  translation: 'Translation',
  detected: (language: string) => `Detected language: ${language}`,
  noText: 'Enter some text to translate.',
  tooLong: (most: string) => `This text is too long. Shorten it to ${most} characters or fewer.`,
  tooLongThere: 'This text is too long for the translation service. Translate it in parts.',
  unknownSource: 'This language is not available. Choose another one.',
  undetected: 'The language could not be detected. Choose one.',
  wrongTarget: 'Translation between these two languages is not available. Choose another one.',
  notSetUp: {
    title: 'Translation is not set up on this site',
    help: 'The operator has not configured a translation service.',
    adminHelp: 'Set LIBRETRANSLATE_URL or APERTIUM_URL to a service you run, then restart.',
  },
  failed: 'The translation service did not respond',
}

export type TranslateWords = typeof translate
