// Facts about a country: `capital of france`, `einwohner japan`, `monnaie du brésil`, `calling code germany`, `country
// code +49`. Must not answer: `capital one login`, `population genetics`, `language of flowers`, `capital inicial`, nor
// anything about Georgia, which is also a state. Facts missing from the table stay unanswered.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import {
  type Country,
  capitalNames,
  countryName,
  findCountry,
  loadCountries,
  localLanguage,
  POPULATION_YEAR,
} from '../lib/countries.ts'
import { numberLocale } from '../lib/numbers.ts'
import { languagesOf, readTriggers } from '../lib/read-triggers.ts'
import { colonIn, semicolonIn } from '../lib/write-text.ts'
import { fold, type Language, type Question } from '../question.ts'
import { ABOUT_WORDS, COUNTRY_HINT, COUNTRY_TRIGGERS, FACTS, type Fact, titleOf } from './country-facts-triggers.ts'

/** Codes for which Intl has names: the United Nations' and, for Antarctica, ISO 3166's. */
const CONTINENTS: Readonly<Record<string, string>> = {
  AF: '002',
  AN: 'AQ',
  AS: '142',
  EU: '150',
  NA: '003',
  OC: '009',
  SA: '005',
}

/** Names that stand for the whole country in `time in england`, but not here. */
const PARTS_OF_COUNTRIES =
  /^(?:england|scotland|wales|holland|angleterre|hollande|schottland|inglaterra|escocia|holanda|inghilterra|scozia|olanda|engeland)$/
const SQUARE_MILES = 0.386102

const CountryReply = z.object({
  code: z.string().describe('ISO 3166-1 alpha-2'),
  name: z.string().describe('In the language of the text, as are `capital` and `continents`'),
  capital: z.string(),
  currency: z.string().describe('ISO 4217'),
  calling_code: z.string(),
  domain: z.string(),
  languages: z.array(z.string()).describe('ISO 639'),
  continents: z.array(z.string()),
  area_km2: z.number().nullable(),
  population: z.number().int().nullable(),
  population_year: z.number().int(),
})

type CodeFact = 'calling_code' | 'domain' | 'currency'
type CountryMatch = { language: Language } & ({ fact: Fact; country: string } | { fact: CodeFact; code: string })

/** Alone, these are the endings of files: `.py`, `.md`. */
const FILE_ENDINGS = new Set('ai as bz cc cd do in la md mk ml mm mo mp ms ps py rs sc sh so st tf ws'.split(' '))

export const countryFacts = defineAnswer({
  slug: 'country_facts',
  title: 'Country facts',
  summary: 'Capital, population, currency, area, languages, calling code, domain and continent of a country.',
  examples: [
    { q: 'capital of france' },
    { q: 'population of japan' },
    { q: 'currency of brazil' },
    { q: 'country code +49' },
    { q: '.ch' },
    { q: 'currency code chf' },
    { q: 'hauptstadt von kanada', lang: 'de' },
    { q: 'population du brésil', lang: 'fr' },
    { q: 'moneda de japón', lang: 'es' },
    { q: 'capitale dell’australia', lang: 'it' },
    { q: 'capital da austrália', lang: 'pt' },
    { q: 'hoofdstad canada', lang: 'nl' },
  ],
  reply: z.object({ fact: z.enum(FACTS), countries: z.array(CountryReply) }),
  match(question): CountryMatch | null {
    if (!COUNTRY_HINT.test(question.folded)) return null
    return readTriggers(question, COUNTRY_TRIGGERS, ({ country = '', ...parts }) => {
      const code = readCode(parts)
      if (code) return code
      const fact = FACTS.find((name) => parts[name])
      return fact && { fact, country: country.replace(/^the /, '') }
    })
  },
  async answer(match, { question }) {
    const all = await loadCountries()
    if ('code' in match) {
      const { code: wanted } = match
      const codeOfFact = { calling_code: 'callingCode', domain: 'domain', currency: 'currency' } as const
      const matching = [...all.values()].filter((country) => country[codeOfFact[match.fact]] === wanted)
      if (matching.length === 0) return null
      const formatters = await factFormatters(match.language, numberLocale(question, match.language))
      const names = matching.map(({ code }) => countryName(code, formatters.locale))
      const currencyName =
        match.fact === 'currency' ? `${currencyNameOf(wanted, formatters.locale)}${semicolonIn(match.language)}` : ''
      return {
        text: `${wanted}${colonIn(match.language)} ${currencyName}${names.join(', ')}`,
        fact: match.fact,
        countries: matching.map((country) => toReply(country, formatters)),
      }
    }
    const country = all.get((await codeOf(match.country, match.language)) ?? '')
    if (!country || country.code === 'GE' || PARTS_OF_COUNTRIES.test(match.country)) return null
    const language = await languageOf(match, question, country.code)
    const formatters = await factFormatters(language, numberLocale(question, language))
    const value = formatters.texts[match.fact](country)
    if (value === '') return null
    const text = write({ ...match, language, value }, countryName(country.code, formatters.locale))
    return { text, fact: match.fact, countries: [toReply(country, formatters)] }
  },
})

function readCode(parts: Readonly<Record<string, string>>): { fact: CodeFact; code: string } | undefined {
  const { code = '', tld = '', bareTld = '', money = '' } = parts
  if (code !== '') return { fact: 'calling_code', code: `+${code}` }
  if (money !== '') return { fact: 'currency', code: money.toUpperCase() }
  const domain = tld || (FILE_ENDINGS.has(bareTld) ? '' : bareTld)
  return domain === '' ? undefined : { fact: 'domain', code: `.${domain}` }
}

const currencyNameOf = (code: string, locale: string): string =>
  new Intl.DisplayNames(locale, { type: 'currency' }).of(code) ?? code

/** `hauptstadt kanadas`: in German the name may have a genitive ending. */
async function codeOf(name: string, language: Language): Promise<string | undefined> {
  const code = await findCountry(name)
  return code !== undefined || language !== 'de' || !name.endsWith('s') ? code : findCountry(name.slice(0, -1))
}

/** Prefers, of the possible languages, one that uses this name for the country: `continente del brasile` is Italian. */
async function languageOf(
  { country, language }: { country: string; language: Language },
  question: Question,
  code: string,
): Promise<Language> {
  const possible = languagesOf(question, COUNTRY_TRIGGERS)
  const withThisName = possible.filter((one) => fold(countryName(code, one)) === country)
  return localLanguage(withThisName.length > 0 ? withThisName : possible, code, withThisName[0] ?? language)
}

const NEEDS_ARTICLE =
  /^(?:United |Netherlands|Philippines|Bahamas|Gambia|Maldives|Czech Republic|Central African|Dominican Rep|Comoros|Seychelles)|Islands$/

/** Other languages would need each country's article and case, so they put the name first. */
function write({ fact, language, value }: { fact: Fact; language: Language; value: string }, name: string): string {
  const title = titleOf(fact, language)
  if (language !== 'en') return `${name}, ${title}${colonIn(language)} ${value}`
  return `${title} of ${NEEDS_ARTICLE.test(name) ? `the ${name}` : name}: ${value}`
}

interface FactFormatters {
  locale: string
  capital: (country: Country) => string
  continents: (country: Country) => string[]
  /** The text of each fact for a country, or ''. */
  texts: Readonly<Record<Fact, (country: Country) => string>>
}

async function factFormatters(language: Language, locale: string): Promise<FactFormatters> {
  const number = new Intl.NumberFormat(locale)
  const about = ABOUT_WORDS[language]
  const capitals = await capitalNames(language)
  const nameOf = (type: Intl.DisplayNamesType, code: string) => new Intl.DisplayNames(locale, { type }).of(code) ?? code
  const continents = (country: Country) => country.continents.map((code) => nameOf('region', CONTINENTS[code] ?? code))
  const miles = (area: number) => (language === 'en' ? ` (${number.format(rounded(area * SQUARE_MILES))} sq mi)` : '')
  return {
    locale,
    capital: capitals,
    continents,
    texts: {
      capital: capitals,
      population: ({ population }) =>
        Number.isNaN(population) ? '' : `${about} ${number.format(population)} (${POPULATION_YEAR})`,
      currency: ({ currency }) => currency && `${nameOf('currency', currency)} (${currency})`,
      area: ({ area }) => (Number.isNaN(area) ? '' : `${about} ${number.format(area)} km²${miles(area)}`),
      languages: ({ languages }) => languages.map((code) => nameOf('language', code)).join(', '),
      calling_code: ({ callingCode }) => callingCode,
      domain: ({ domain }) => domain,
      continent: (country) => continents(country).join(', '),
    },
  }
}

/** Rounds to as many digits as the areas have. */
const rounded = (value: number): number => Number(value.toPrecision(4))

const toReply = (country: Country, { locale, capital, continents }: FactFormatters): z.output<typeof CountryReply> => ({
  code: country.code,
  name: countryName(country.code, locale),
  capital: capital(country),
  currency: country.currency,
  calling_code: country.callingCode,
  domain: country.domain,
  languages: [...country.languages],
  continents: continents(country),
  area_km2: Number.isNaN(country.area) ? null : country.area,
  population: Number.isNaN(country.population) ? null : country.population,
  population_year: POPULATION_YEAR,
})
