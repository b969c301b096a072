// Triggers for the weather, in seven languages. The groups say how certain it is that a place follows:
//   place    after a preposition: any place, even a village
//   known    directly after the word: a well-known town
//   loose    after an ambiguous word (`forecast`, `tiempo`, `temperature`): a large city
//   code     a postal code
//   here     no place: the client's location, if it was shared
// The groups `when` and `later` are the day, before and after the place.
import { readDate, weekdayPattern } from '../lib/dates.ts'
import { POSTAL_CODE } from '../lib/places.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { LANGUAGES, type Language, type Question } from '../question.ts'

const HINT =
  /weather|forecast|temperat|meteo|wetter|vorhersage|tiempo|tempo|clima|pronostico|weer|temps|rain|pleu[tv]|regn|llove|llueve|piov|chov|regen/

/** Words next to the trigger in other searches: sites, things and kinds of weather. */
const NO_PLACE =
  /^(?:channel|radar|app|apps|maps?|station|forecast|reports?|girls?|updates?|alerts?|warnings?|news|widget|balloon|vane|underground|stripping|proof|cold|hot|bad|good|fair|severe|extreme|stormy|winter|summer|spring|warm|wet|dry|rainy|space|the|local|my|online|com|karte|radar app|france|agricole|marine|ciel|tempo|en radar|app .*|online .*|nl)$/

/** Cities whose names are English words: without a preposition they're taken as those words. */
const ENGLISH_WORDS = new Set(
  'nice hail man van reading sale orange bath buy moss cork oral independence mango honda'.split(' '),
)

interface Words {
  /** Before a preposition and any place, or without a place. */
  what: string
  /** Directly before a place, without a preposition. */
  known: string
  loose: string
  /** Asks about rain; `#` marks where the day may appear in the middle. */
  rain: string
  at: string
  /** Today or now, which change nothing. */
  now: string
  when: string
  /** Before a weekday. */
  on: string
  weekend: string
}

const QUESTION_START = "(?:what(?:'s| is) (?:the )?|how(?:'s| is) (?:the )?)?(?:current )?"

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    what: `${QUESTION_START}(?:weather forecast|weather report|weather|temperature)(?: like)?(?: for)?|how (?:cold|warm|hot) is it`,
    known: 'weather forecast|weather report|weather',
    loose: 'forecast|temperature',
    rain: 'will it (?:be )?rain(?:ing)?#|is it (?:going to rain|raining)#',
    at: 'in|for|at',
    now: 'today|now|right now|this week|tonight',
    when: 'tomorrow|day after tomorrow',
    on: 'on|this',
    weekend: 'this weekend|at the weekend|on the weekend|weekend',
  },
  fr: {
    what: '(?:la |quelle )?(?:previsions meteo|meteo|temperature)(?: fait-il)?|quel temps fait[ -]il|quel temps fera-t-il|quel temps',
    known: 'previsions meteo|prevision meteo|meteo',
    loose: 'temperature',
    rain: "va[ -]t[ -]il pleuvoir#|il va pleuvoir#|(?:est-ce qu'il )?pleut[ -]il#|est-ce qu'il pleut#",
    at: 'a|au|aux|en|pour',
    now: "aujourd'hui|maintenant|cette semaine|ce soir",
    when: 'demain|apres-demain',
    on: 'ce',
    weekend: 'ce week-end|ce weekend|week-end|weekend',
  },
  de: {
    what: '(?:wie (?:ist|wird) (?:das )?)?(?:das )?(?:wettervorhersage|wetterbericht|wetter|temperatur)',
    known: 'wettervorhersage|wetterbericht|wetter',
    loose: 'temperatur|vorhersage',
    rain: 'regnet es#|wird es# regnen',
    at: '(?:in|auf|fur)(?: der| den)?',
    now: 'heute|aktuell|jetzt|heute abend',
    when: 'morgen|ubermorgen',
    on: 'am',
    weekend: 'am wochenende|dieses wochenende|wochenende',
  },
  es: {
    what: '(?:el |que )?(?:pronostico del tiempo|tiempo|clima|temperatura)(?: hace| hara)?',
    known: 'pronostico del tiempo|clima',
    loose: 'tiempo|temperatura',
    rain: '(?:va a llover|llovera|llueve)#',
    at: 'en|para',
    now: 'hoy|ahora',
    when: 'manana|pasado manana',
    on: 'el|este',
    weekend: 'este fin de semana|el fin de semana|fin de semana',
  },
  it: {
    what: 'che tempo (?:fa|fara)|previsioni meteo|meteo|previsioni del tempo|temperatura',
    known: 'previsioni meteo|previsioni del tempo|meteo',
    loose: 'temperatura',
    rain: '(?:piove|piovera)#',
    at: 'a|ad|in|per',
    now: 'oggi|adesso',
    when: 'domani|dopodomani',
    on: 'questo|questa',
    weekend: 'questo fine settimana|nel fine settimana|questo weekend|nel weekend|fine settimana|weekend',
  },
  pt: {
    what: 'previsao do tempo|meteorologia|clima|temperatura|(?:como esta o |que )?tempo',
    known: 'previsao do tempo|meteorologia|clima',
    loose: 'tempo|temperatura',
    rain: '(?:vai chover|chove)#',
    at: 'em|no|na|nos|para',
    now: 'hoje|agora',
    when: 'amanha|depois de amanha',
    on: 'no|na',
    weekend: 'este fim de semana|neste fim de semana|no fim de semana|fim de semana',
  },
  nl: {
    what: '(?:wat (?:is|wordt) het |hoe (?:is|wordt) het )?(?:het )?(?:weersverwachting|weerbericht|weer|temperatuur)',
    known: 'weersverwachting|weerbericht|weer',
    loose: 'temperatuur',
    rain: 'regent het#|gaat het# regenen',
    at: 'in|op|voor',
    now: 'vandaag|nu',
    when: 'morgen|overmorgen',
    on: 'op',
    weekend: 'dit weekend|in het weekend|weekend',
  },
}

const PLACE = '(?<place>.{2,50}?)'
const NAME = "[a-zß ,.'-]{2,40}?"

const dayPattern = (language: Language): string => `${WORDS[language].weekend}|${singleDayPattern(language)}`

const singleDayPattern = (language: Language): string => {
  const { now, when, on } = WORDS[language]
  return `${now}|${when}|(?:(?:${on}) )?(?:${weekdayPattern(language)})`
}

function patternsOf(language: Language): RegExp[] {
  const { what, known, loose, rain, at } = WORDS[language]
  const day = dayPattern(language)
  const [before, after] = [`(?: (?<when>${day}))?`, `(?: (?<later>${day}))?`]
  const rainDay = singleDayPattern(language)
  const asked = rain.replaceAll('#', `(?: (?:${rainDay}))?`)
  // In a question about rain the day is in the middle, where it can't have its own group.
  const inRain = `(?=(?:.*? (?<when>${rainDay})(?= |$))?)`
  return [
    new RegExp(`^(?:${what})${before} (?:${at}) ${PLACE}${after}$`),
    new RegExp(`^${inRain}(?:${asked}) (?:${at}) ${PLACE}${after}$`),
    new RegExp(`^(?:${what})${before}(?<here>)$`),
    new RegExp(`^${inRain}(?:${asked})(?<here>)$`),
    new RegExp(`^(?:${known})${before} (?<known>${NAME})${after}$`),
    new RegExp(`^(?:${loose})${before} (?<loose>${NAME})${after}$`),
    new RegExp(`^(?:${known})${before} (?<code>\\d{4,6}(?:,? [a-z .'-]{2,40}?)?)${after}$`),
  ]
}

const ENGLISH_DAY = `(?: (?<later>${dayPattern('en')}))?`

export const WEATHER_TRIGGERS: Triggers = {
  en: [
    ...patternsOf('en'),
    new RegExp(`^(?<known>${NAME}) (?:weather forecast|weather)${ENGLISH_DAY}$`),
    new RegExp(`^(?<loose>${NAME}) forecast${ENGLISH_DAY}$`),
  ],
  fr: patternsOf('fr'),
  de: patternsOf('de'),
  es: patternsOf('es'),
  it: patternsOf('it'),
  pt: patternsOf('pt'),
  nl: patternsOf('nl'),
}

/** Places don't begin or end with these: `meteo roma sabato` is Italian, not French about a place Roma Sabato. */
const DAY_WORDS: ReadonlySet<string> = new Set(
  LANGUAGES.flatMap((language) => {
    const { now, when, weekend } = WORDS[language]
    // Of several words, a place may end with the last.
    const lastWords = weekend.split('|').map((words) => words.split(' ').at(-1) ?? '')
    return [...`${now}|${when}|${weekdayPattern(language)}`.split('|'), ...lastWords]
  }),
)

const hasDay = (name: string): boolean => {
  const words = name.split(' ')
  return DAY_WORDS.has(words[0] ?? '') || DAY_WORDS.has(words.at(-1) ?? '')
}

/** Minimum population of the place after the word. */
const MIN_POPULATION = { known: 15_000, loose: 100_000 }

export interface WeatherMatch {
  /** '' for the client's location. */
  name: string
  /** Follows a preposition, so it may be a village. */
  isExplicit: boolean
  minPopulation: number
  /** Days from today, a weekday (1 is Monday), or the weekend. */
  day: { fromToday: number } | { weekday: number } | 'weekend'
  language: Language
}

export function readWeather(question: Question): WeatherMatch | null {
  if (!HINT.test(question.folded)) return null
  return readTriggers(
    question,
    WEATHER_TRIGGERS,
    ({ place = '', known = '', loose = '', code = '', when = '', later = '' }, spoken) => {
      const name = place || known || loose || code
      if (hasDay(name)) return undefined
      if (code !== '' && !POSTAL_CODE.test(code)) return undefined
      if (place === '' && (NO_PLACE.test(name) || (spoken === 'en' && ENGLISH_WORDS.has(name)))) return undefined
      const day = dayOf(when || later, question, spoken)
      const minPopulation = known !== '' ? MIN_POPULATION.known : loose !== '' ? MIN_POPULATION.loose : 0
      return day && { name, isExplicit: place !== '', minPopulation, day }
    },
  )
}

function dayOf(text: string, question: Question, spoken: Language): WeatherMatch['day'] | undefined {
  const { now, on, weekend } = WORDS[spoken]
  if (weekend.split('|').includes(text)) return 'weekend'
  if (text === '' || now.split('|').includes(text)) return { fromToday: 0 }
  const [first = '', ...rest] = text.split(' ')
  const plain = on.split('|').includes(first) ? rest.join(' ') : text
  const words = readDate(plain, spoken, question)
  if (words?.kind === 'days') return { fromToday: words.fromToday }
  return words?.kind === 'weekday' ? { weekday: words.weekday } : undefined
}
