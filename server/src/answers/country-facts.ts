// Facts about a country: `capital of france`, `population of japan`, `currency in brazil`, `calling code germany`, `country
// code +49`. In English. Must not answer: `capital one login`, `population genetics`, `language of flowers`, and nothing
// about Georgia, which is a state as well. What the table leaves open stays unanswered.
import { z } from 'zod'
import { defineAnswer } from './answer.ts'
import { type Country, countryName, findCountry, loadCountries, POPULATION_YEAR } from './lib/countries.ts'
import { readTriggers, type Triggers } from './lib/read-triggers.ts'

const HINT = /capital|population|people|currenc|area|size|language|code|prefix|tld|domain|continent|speak|spoken/

const FACTS = ['capital', 'population', 'currency', 'area', 'languages', 'calling_code', 'domain', 'continent'] as const
type Fact = (typeof FACTS)[number]

/** What each fact is called in a question. */
const WORDS: Readonly<Record<Fact, string>> = {
  capital: 'capital(?: city)?',
  population: 'population',
  currency: 'currency|money',
  area: '(?:surface |land |total )?area|size',
  languages: '(?:official |national )?languages?(?: spoken)?',
  calling_code:
    '(?:international )?(?:calling|dialing|dialling|phone|telephone|country) (?:calling )?code|(?:phone|dialing) prefix',
  domain: '(?:internet )?(?:tld|top[- ]level domain|country domain)',
  continent: 'continent',
}

const ANY = FACTS.map((fact) => `(?<${fact}>${WORDS[fact]})`).join('|')

const TRIGGERS: Triggers = {
  en: [
    new RegExp(`^(?:what(?:'s| is| are) )?(?:the )?(?:${ANY}) (?:of|in|for) (?<country>[a-z .,'’&()-]{2,40})$`),
    new RegExp(`^(?<country>[a-z .'’&-]{2,40}) (?:${ANY})$`),
    /^(?<calling_code>(?:calling|dialing|dialling|phone|country) code) (?<country>[a-z .'’&-]{2,40})$/,
    /^(?:how many people (?<population>live) in) (?<country>[a-z .'’&-]{2,40})$/,
    /^(?:what|which) (?<languages>languages?) (?:is spoken|are spoken|do they speak|is used) in (?<country>[a-z .'’&-]{2,40})$/,
    /^(?:what|which) (?<currency>currency) (?:do they use|is used|does) (?:in )?(?<country>[a-z .'’&-]{2,40}?)(?: use)?$/,
    /^(?:what|which) (?<continent>continent) is (?<country>[a-z .'’&-]{2,40}?) (?:in|on|part of)$/,
    /^(?:which country (?:has|is) )?(?:country|calling|dialing|dialling|phone) code \+?(?<code>\d{1,3}(?: \d{2,4})?)(?: which country)?$/,
    /^\+(?<code>\d{1,3}(?: \d{2,4})?) (?:country|calling|dialing|phone) code$/,
  ],
}

const CONTINENTS: Readonly<Record<string, string>> = {
  AF: 'Africa',
  AN: 'Antarctica',
  AS: 'Asia',
  EU: 'Europe',
  NA: 'North America',
  OC: 'Oceania',
  SA: 'South America',
}

const TITLES: Readonly<Record<Fact, string>> = {
  capital: 'Capital',
  population: 'Population',
  currency: 'Currency',
  area: 'Area',
  languages: 'Languages',
  calling_code: 'Calling code',
  domain: 'Top-level domain',
  continent: 'Continent',
}

/** Names that stand for the whole in `time in england`, but not here. */
const PARTS = /^(?:england|scotland|wales|holland)$/
const SQUARE_MILES = 0.386102

const FactsOf = z.object({
  code: z.string().describe('ISO 3166-1 alpha-2'),
  name: z.string(),
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

type CountryMatch = { fact: Fact; country: string } | { fact: 'calling_code'; code: string }

export const countryFacts = defineAnswer({
  slug: 'country_facts',
  title: 'Country facts',
  summary: 'Capital, population, currency, area, languages, calling code, domain and continent of a country.',
  examples: [
    { q: 'capital of france' },
    { q: 'population of japan' },
    { q: 'currency of brazil' },
    { q: 'country code +49' },
  ],
  reply: z.object({ fact: z.enum(FACTS), countries: z.array(FactsOf) }),
  match(question): CountryMatch | null {
    if (!HINT.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ country = '', code = '', ...parts }): CountryMatch | undefined => {
      if (code !== '') return { fact: 'calling_code', code }
      const fact = FACTS.find((name) => parts[name])
      return fact && { fact, country: country.replace(/^the /, '') }
    })
  },
  async answer(match) {
    const all = await loadCountries()
    if ('code' in match) {
      const having = [...all.values()].filter(({ callingCode }) => callingCode === `+${match.code}`)
      const names = having.map(({ code }) => countryName(code, 'en'))
      if (having.length === 0) return null
      return { text: `+${match.code}: ${names.join(', ')}`, fact: match.fact, countries: having.map(present) }
    }
    const country = all.get((await findCountry(match.country)) ?? '')
    if (!country || country.code === 'GE' || PARTS.test(match.country)) return null
    const value = WRITE[match.fact](country)
    if (value === '') return null
    const text = `${TITLES[match.fact]} of ${withArticle(countryName(country.code, 'en'))}: ${value}`
    return { text, fact: match.fact, countries: [present(country)] }
  },
})

const ARTICLE =
  /^(?:United |Netherlands|Philippines|Bahamas|Gambia|Maldives|Czech Republic|Central African|Dominican Rep|Comoros|Seychelles)|Islands$/

const withArticle = (name: string): string => (ARTICLE.test(name) ? `the ${name}` : name)

const number = new Intl.NumberFormat('en')

/** What each fact says of a country, or ''. */
const WRITE: Readonly<Record<Fact, (country: Country) => string>> = {
  capital: ({ capital }) => capital,
  population: ({ population }) =>
    Number.isNaN(population) ? '' : `about ${number.format(population)} (${POPULATION_YEAR})`,
  currency: ({ currency }) =>
    currency && `${new Intl.DisplayNames('en', { type: 'currency' }).of(currency)} (${currency})`,
  area: ({ area }) =>
    Number.isNaN(area) ? '' : `about ${number.format(area)} km² (${number.format(rounded(area * SQUARE_MILES))} sq mi)`,
  languages: ({ languages }) =>
    languages.map((code) => new Intl.DisplayNames('en', { type: 'language' }).of(code)).join(', '),
  calling_code: ({ callingCode }) => callingCode,
  domain: ({ domain }) => domain,
  continent: ({ continents }) => continents.map((code) => CONTINENTS[code]).join(', '),
}

/** To as many digits as the areas have. */
const rounded = (value: number): number => Number(value.toPrecision(4))

const present = (country: Country): z.output<typeof FactsOf> => ({
  code: country.code,
  name: countryName(country.code, 'en'),
  capital: country.capital,
  currency: country.currency,
  calling_code: country.callingCode,
  domain: country.domain,
  languages: [...country.languages],
  continents: country.continents.map((code) => CONTINENTS[code] ?? code),
  area_km2: Number.isNaN(country.area) ? null : country.area,
  population: Number.isNaN(country.population) ? null : country.population,
  population_year: POPULATION_YEAR,
})
