// Public holidays of a country or region: `public holidays germany 2026`, `bank holidays scotland`, `next holiday in
// france`, `feiertage bayern 2027`, `jours fériés 2026` (in the country of the language tag). If a country has regional
// rules, all holidays are listed, with their regions; otherwise we only know the nationwide ones, and the text says so.
// Must not answer: `cheap holidays in greece`, `billie holiday`, `bank holiday opening times`, `roman holiday`.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import type { ClientDay } from '../lib/calendar.ts'
import { countryName, findCountry, localLanguage } from '../lib/countries.ts'
import { dateLocale, writeCount, writeDate } from '../lib/dates.ts'
import { languagesOf, readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { colonIn, semicolonIn } from '../lib/write-text.ts'
import { type Language, regionOf } from '../question.ts'
import {
  type HolidayCountry,
  type HolidayRegion,
  holidaysInRegion,
  holidaysOf,
  loadHolidays,
  type PublicHoliday,
  regionKey,
} from './holiday-calendar.ts'

const HINT = /holiday|ferie|feiertag|festiv|feriado|feestdag/
const COUNTRY = "(?<country>[a-zß .,'’&-]{2,40}?)"
const YEAR = '(?<year>20\\d{2})'

/** Without a country, the language tag's country is used, if it has one. */
const patterns = (words: { list: string; within: string; next: string }): RegExp[] => [
  new RegExp(`^(?:${words.list})(?: ${YEAR})?$`),
  new RegExp(`^(?:${words.list}) (?:(?:${words.within}) )?${COUNTRY}(?: ${YEAR})?$`),
  new RegExp(`^(?:${words.list}) ${YEAR} (?:(?:${words.within}) )?${COUNTRY}$`),
  new RegExp(`^(?<next>${words.next})(?: (?:(?:${words.within}) )?${COUNTRY})?$`),
]

const TRIGGERS: Triggers = {
  en: [
    ...patterns({
      list: '(?:list of )?(?:public|bank|national|federal|legal|statutory) holidays',
      within: 'in|for|of|in the',
      next: '(?:when is (?:the )?)?next (?:public |bank |national |federal )?holiday',
    }),
    new RegExp(`^${COUNTRY} (?:public|bank|national|federal) holidays?(?: ${YEAR})?$`),
    new RegExp(`^${YEAR} (?:public|bank|national|federal) holidays (?:in )?${COUNTRY}$`),
    new RegExp(`^holidays in ${COUNTRY} ${YEAR}$`),
    new RegExp(`^(?<next>(?:when is (?:the )?)?next ${COUNTRY} (?:public|bank) holiday)$`),
  ],
  fr: patterns({
    list: '(?:les )?jours feries',
    within: 'en|au|aux|a|de|de la|du',
    next: '(?:quel est le |quand est le )?prochain jour ferie',
  }),
  de: patterns({
    list: '(?:gesetzliche |die )?feiertage',
    within: 'in|in der|in den|fur',
    next: '(?:wann ist (?:der )?|was ist der )?nachste[rn]? feiertag',
  }),
  es: patterns({
    list: '(?:dias )?(?:festivos|feriados)(?: nacionales)?',
    within: 'en|de',
    next: '(?:cuando es el |cual es el )?proximo (?:dia )?(?:festivo|feriado)',
  }),
  it: patterns({
    list: '(?:giorni festivi|festivita|feste nazionali)',
    within: 'in|italiane in|di',
    next: '(?:quando e la |qual e la )?prossim[ao] (?:festivita|giorno festivo|festa nazionale)',
  }),
  pt: patterns({
    list: 'feriados(?: nacionais)?',
    within: 'em|no|na|nos|do|da|de',
    next: '(?:quando e o |qual e o )?proximo feriado',
  }),
  nl: patterns({
    list: '(?:nationale |officiele )?feestdagen',
    within: 'in|van',
    next: '(?:wanneer is de )?(?:volgende|eerstvolgende) feestdag',
  }),
}

interface Labels {
  list: string
  next: string
  nationwide: string
  regional: string
}

const LABELS: Readonly<Record<Language, Labels>> = {
  en: { list: 'Public holidays', next: 'Next public holiday', nationwide: 'nationwide', regional: 'regional' },
  fr: { list: 'Jours fériés', next: 'Prochain jour férié', nationwide: 'nationaux', regional: 'régionaux' },
  de: { list: 'Gesetzliche Feiertage', next: 'Nächster Feiertag', nationwide: 'landesweit', regional: 'regional' },
  es: { list: 'Días festivos', next: 'Próximo día festivo', nationwide: 'nacionales', regional: 'regionales' },
  it: { list: 'Giorni festivi', next: 'Prossimo giorno festivo', nationwide: 'nazionali', regional: 'regionali' },
  pt: { list: 'Feriados', next: 'Próximo feriado', nationwide: 'nacionais', regional: 'regionais' },
  nl: { list: 'Feestdagen', next: 'Volgende feestdag', nationwide: 'landelijk', regional: 'regionaal' },
}

/** With this many regions or more, they are written as codes. */
const MANY_REGIONS = 7

interface HolidayMatch {
  /** A country or region; '' for the country of the language tag. */
  place: string
  year: number | undefined
  isNext: boolean
  language: Language
}

export const publicHolidays = defineAnswer({
  slug: 'public_holidays',
  title: 'Public holidays',
  summary: 'The public holidays of a country or one of its regions in a year, or the next one.',
  examples: [
    { q: 'public holidays germany 2026' },
    { q: 'bank holidays scotland 2027' },
    { q: 'next holiday in france' },
    { q: 'feiertage österreich 2027', lang: 'de' },
    { q: 'prochain jour férié en belgique', lang: 'fr' },
  ],
  reply: z.object({
    country: z.string().describe('ISO 3166-1 alpha-2'),
    region: z.string().describe('Its code, such as BY or SCT; empty for the country'),
    scope: z
      .enum(['region', 'all', 'nationwide'])
      .describe(
        'A region’s; all of a country with its regions’; or only what holds nationwide, where regions may keep more',
      ),
    year: z.number().int(),
    is_next: z.boolean().describe('The next one was asked for, and not a year’s'),
    holidays: z
      .array(
        z.object({
          date: z.string(),
          name: z
            .string()
            .describe('In the language of `text` if it is one of the country’s own, otherwise in English'),
          days: z.number().int().describe('How many days it lasts'),
          is_tentative: z.boolean().describe('Depends on the moon: it may be a day off'),
          regions: z.array(z.string()).describe('Codes of the regions that keep it; empty if all of them do'),
        }),
      )
      .describe('In order of date'),
    regions: z
      .array(z.object({ code: z.string(), name: z.string() }))
      .describe('The regions of the country, if we know their holidays'),
    time_zone: z.string().describe('`tz` if it was sent, otherwise UTC'),
    attribution: z.object({ text: z.string(), url: z.string(), licence: z.string(), licence_url: z.string() }),
  }),
  match(question): HolidayMatch | null {
    if (!HINT.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ country: place = '', year = '', next = '' }) => {
      if (place === '' && regionOf(question.tag) === '') return undefined
      return { place, year: year === '' ? undefined : Number(year), isNext: next !== '' }
    })
  },
  async answer({ place, year, isNext, language: triggerLanguage }, context) {
    const { question } = context
    const chosen = await findHolidays(place, regionOf(question.tag))
    if (!chosen) return null
    const { country, region } = chosen
    const { clientDay } = await import('../lib/calendar.ts')
    const { today, zone, withRemark } = clientDay(context)
    const inYear = year ?? today.year
    const holidays = isNext
      ? nextHolidays([...holidaysIn(chosen, inYear), ...holidaysIn(chosen, inYear + 1)], String(today))
      : holidaysIn(chosen, inYear)
    const [first] = holidays
    if (!first) return null
    const language = await localLanguage(languagesOf(question, TRIGGERS), country.code, triggerLanguage)
    const locale = dateLocale(question, language)
    const usesOwnNames = country.lang === language
    const regions = country.regions.map(({ code, name, ownName }) => ({ code, name: usesOwnNames ? ownName : name }))
    const localized = holidays.map((holiday) => ({ ...holiday, name: usesOwnNames ? holiday.ownName : holiday.name }))
    const scope: Scope = region ? 'region' : regions.length > 0 ? 'all' : 'nationwide'
    const label = placeOf(country.code, regions.find(({ code }) => code === region?.code)?.name, locale)
    const textOptions = { place: label, scope, regions, language, locale }
    return {
      text: isNext
        ? writeNext(localized, String(today), { ...textOptions, withRemark })
        : writeYear(localized, inYear, textOptions),
      country: country.code,
      region: region?.code ?? '',
      scope,
      year: isNext ? Number(first.date.slice(0, 4)) : inYear,
      is_next: isNext,
      holidays: localized.map(({ date, name, days, isTentative, regions: regionCodes }) => ({
        date,
        name,
        days,
        is_tentative: isTentative,
        regions: [...regionCodes],
      })),
      regions,
      time_zone: zone,
      attribution: country.isOurs ? OUR_ATTRIBUTION : DATE_HOLIDAYS_ATTRIBUTION,
    }
  },
})

interface HolidayPlace {
  country: HolidayCountry
  region: HolidayRegion | undefined
}

async function findHolidays(place: string, home: string): Promise<HolidayPlace | undefined> {
  const calendar = await loadHolidays()
  const regional = calendar.regions.get(regionKey(place))
  if (regional) return regional
  const country = calendar.countries.get(place === '' ? home : ((await findCountry(place)) ?? ''))
  return country && { country, region: undefined }
}

/** Within a region, the list of regions is dropped. */
const holidaysIn = ({ country, region }: HolidayPlace, year: number): PublicHoliday[] =>
  region
    ? holidaysInRegion(holidaysOf(country, year), region.code).map((holiday) => ({ ...holiday, regions: [] }))
    : holidaysOf(country, year)

/** The next nationwide holiday, and any regional ones before it. */
function nextHolidays(holidays: PublicHoliday[], today: string): PublicHoliday[] {
  const coming = holidays.filter(({ date }) => date >= today)
  const next = coming.findIndex(({ regions }) => regions.length === 0)
  return coming.slice(0, next + 1)
}

const placeOf = (country: string, region: string | undefined, locale: string): string => {
  const name = countryName(country, locale)
  return region === undefined ? name : `${region} (${name})`
}

type Scope = 'region' | 'all' | 'nationwide'

interface TextOptions {
  place: string
  scope: Scope
  regions: readonly { code: string; name: string }[]
  language: Language
  locale: string
}

interface NextTextOptions extends TextOptions {
  /** Adds a remark if "today" is the day in UTC. */
  withRemark: ClientDay['withRemark']
}

function writeNext(holidays: PublicHoliday[], today: string, textOptions: NextTextOptions): string {
  const { place, language, locale, withRemark } = textOptions
  const next = holidays.at(-1)
  if (!next) return ''
  const days = (Date.parse(next.date) - Date.parse(today)) / 86_400_000
  const when = `${writeDate(next.date, 'full', locale)} (${writeCount(days, 'day', locale)})`
  const head = `${LABELS[language].next}, ${place}${colonIn(language)} ${next.name}, ${when}`
  return withRemark(head) + regionalOf(holidays.slice(0, -1), textOptions)
}

function writeYear(holidays: PublicHoliday[], year: number, textOptions: TextOptions): string {
  const { place, scope, language, locale } = textOptions
  const remark = scope === 'nationwide' ? ` (${LABELS[language].nationwide})` : ''
  const nationwide = holidays.filter(({ regions }) => regions.length === 0)
  const regional = holidays.filter(({ regions }) => regions.length > 0)
  const list = nationwide.map(({ date, name }) => `${writeDate(date, 'short', locale)} ${name}`).join(', ')
  const head = `${LABELS[language].list}, ${place} ${year}${remark}${colonIn(language)}`
  return `${head} ${list}${regionalOf(regional, textOptions)}`
}

/** `; regional: 6 Jan Epiphany (BW, BY, ST)`, or ''. */
function regionalOf(holidays: PublicHoliday[], { regions, language, locale }: TextOptions): string {
  if (holidays.length === 0) return ''
  const nameOf = (code: string) =>
    regions.length < MANY_REGIONS ? (regions.find((region) => region.code === code)?.name ?? code) : code
  const list = holidays.map(
    ({ date, name, regions: regionCodes }) =>
      `${writeDate(date, 'short', locale)} ${name} (${regionCodes.map(nameOf).join(', ')})`,
  )
  return `${semicolonIn(language)}${LABELS[language].regional}${colonIn(language)} ${list.join(', ')}`
}

const DATE_HOLIDAYS_ATTRIBUTION = {
  text: 'From date-holidays, data from Wikipedia, CC BY-SA 3.0',
  url: 'https://github.com/commenthol/date-holidays',
  licence: 'CC BY-SA 3.0',
  licence_url: 'https://creativecommons.org/licenses/by-sa/3.0/',
}

const OUR_ATTRIBUTION = {
  text: 'From rules written for this project',
  url: '',
  licence: 'Apache-2.0',
  licence_url: 'https://www.apache.org/licenses/LICENSE-2.0',
}
