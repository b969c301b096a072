// Public holidays of a country: `public holidays germany 2026`, `next holiday in france`, `jours fériés 2026` (in the
// country of the language tag). National ones only. Must not answer: `cheap holidays in greece`, `billie holiday`, `bank
// holiday opening times`, `roman holiday`. "Today" is UTC's.
import { z } from 'zod'
import { defineAnswer } from './answer.ts'
import { countryName, findCountry, languageThere } from './lib/countries.ts'
import { dateLocale, writeCount, writeDate } from './lib/date-words.ts'
import { homeOf } from './lib/find-place.ts'
import { type HolidayCalendar, holidaysOf, loadHolidays, type PublicHoliday } from './holiday-calendar.ts'
import type { Language } from './question.ts'
import { languagesOf, readTriggers, type Triggers } from './lib/read-triggers.ts'

const HINT = /holiday|ferie|feiertag|festiv|feriado|feestdag/
const COUNTRY = "(?<country>[a-zß .,'’&-]{2,40}?)"
const YEAR = '(?<year>20\\d{2})'

/** Parts of a country that keep other days. */
const PARTS = /^(?:scotland|wales|northern ireland)$/

/** Without a country: that of the language tag, if it has one. */
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

const LABELS: Readonly<Record<Language, { list: string; next: string }>> = {
  en: { list: 'Public holidays', next: 'Next public holiday' },
  fr: { list: 'Jours fériés', next: 'Prochain jour férié' },
  de: { list: 'Gesetzliche Feiertage', next: 'Nächster Feiertag' },
  es: { list: 'Días festivos', next: 'Próximo día festivo' },
  it: { list: 'Giorni festivi', next: 'Prossimo giorno festivo' },
  pt: { list: 'Feriados', next: 'Próximo feriado' },
  nl: { list: 'Feestdagen', next: 'Volgende feestdag' },
}

interface HolidayMatch {
  country: string
  year: number | undefined
  isNext: boolean
  language: Language
}

export const publicHolidays = defineAnswer({
  slug: 'public_holidays',
  title: 'Public holidays',
  summary: 'The national public holidays of a country in a year, or the next one.',
  examples: [
    { q: 'public holidays germany 2026' },
    { q: 'next holiday in france' },
    { q: 'feiertage österreich 2027', lang: 'de' },
    { q: 'prochain jour férié en belgique', lang: 'fr' },
  ],
  reply: z.object({
    country: z.string().describe('ISO 3166-1 alpha-2'),
    year: z.number().int(),
    holidays: z
      .array(
        z.object({
          date: z.string(),
          name: z.string().describe('In the language of the text where that is the country’s own, else English'),
          days: z.number().int().describe('Of how many days it is the first'),
          is_tentative: z.boolean().describe('The moon decides: it may be a day off'),
        }),
      )
      .describe('National ones; what only some regions keep is left out'),
    attribution: z.object({ text: z.string(), url: z.string(), licence: z.string(), licence_url: z.string() }),
  }),
  match(question): HolidayMatch | null {
    if (!HINT.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ country = '', year = '', next = '' }) => {
      if (country === '' && homeOf(question.tag) === '') return undefined
      return { country, year: year === '' ? undefined : Number(year), isNext: next !== '' }
    })
  },
  async answer({ country, year, isNext, language: triggered }, { question, now }) {
    const code = country === '' ? homeOf(question.tag) : await findCountry(country)
    if (code === undefined || PARTS.test(country)) return null
    const language = await languageThere(languagesOf(question, TRIGGERS), code, triggered)
    const calendar = await loadHolidays()
    const today = new Date(now).toISOString().slice(0, 10)
    const asked = year ?? Number(today.slice(0, 4))
    const all = holidaysOf(calendar, code, asked)
    const holidays = isNext ? nextOf([...all, ...holidaysOf(calendar, code, asked + 1)], today) : all
    const [first] = holidays
    if (!first) return null
    const isOwn = calendar.countries[code]?.lang === language
    const named = holidays.map((holiday) => ({ ...holiday, name: isOwn ? holiday.ownName : holiday.name }))
    const locale = dateLocale(question, language)
    const place = countryName(code, locale)
    const text = isNext
      ? writeNext(named, { place, language, locale, today })
      : `${LABELS[language].list}, ${place} ${asked}${colonIn(language)} ${writeList(named, locale)}`
    return {
      text,
      country: code,
      year: isNext ? Number(first.date.slice(0, 4)) : asked,
      holidays: named.map(({ date, name, days, isTentative }) => ({ date, name, days, is_tentative: isTentative })),
      attribution: attributionOf(calendar),
    }
  },
})

const colonIn = (language: Language): string => (language === 'fr' ? ' :' : ':')

const nextOf = (holidays: PublicHoliday[], today: string): PublicHoliday[] => {
  const next = holidays.find(({ date }) => date >= today)
  return next ? [next] : []
}

interface Written {
  place: string
  language: Language
  locale: string
  today: string
}

function writeNext([holiday]: PublicHoliday[], { place, language, locale, today }: Written): string {
  if (!holiday) return ''
  const days = (Date.parse(holiday.date) - Date.parse(today)) / 86_400_000
  const when = `${writeDate(holiday.date, 'full', locale)} (${writeCount(days, 'day', locale)})`
  return `${LABELS[language].next}, ${place}${colonIn(language)} ${holiday.name}, ${when}`
}

const writeList = (holidays: PublicHoliday[], locale: string): string =>
  holidays.map(({ date, name }) => `${writeDate(date, 'short', locale)} ${name}`).join(', ')

const attributionOf = ({ attribution }: HolidayCalendar) => ({
  text: attribution,
  url: 'https://github.com/commenthol/date-holidays',
  licence: 'CC BY-SA 3.0',
  licence_url: 'https://creativecommons.org/licenses/by-sa/3.0/',
})
