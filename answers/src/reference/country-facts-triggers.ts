// Triggers for facts about a country, in seven languages, and the names of the facts in an answer. In the patterns,
// each fact has a group of the same name.
import type { Triggers } from '../lib/read-triggers.ts'
import type { Language } from '../question.ts'

export const FACTS = [
  'capital',
  'population',
  'currency',
  'area',
  'languages',
  'calling_code',
  'domain',
  'continent',
] as const
export type Fact = (typeof FACTS)[number]

/** The words for each fact in a question. */
const WORDS: Readonly<Record<Language, Readonly<Record<Fact, string>>>> = {
  en: {
    capital: 'capital(?: city)?',
    population: 'population',
    currency: 'currency|money',
    area: '(?:surface |land |total )?area|size',
    languages: '(?:official |national )?languages?(?: spoken)?',
    calling_code:
      '(?:international )?(?:calling|dialing|dialling|phone|telephone|country) (?:calling |dialing |phone )?code|(?:phone|dialing) prefix',
    domain: '(?:internet )?(?:tld|top[- ]level domain|country domain)|internet domain',
    continent: 'continent',
  },
  fr: {
    capital: 'capitale',
    population: "population|nombre d'habitants",
    currency: 'monnaie|devise',
    area: 'superficie',
    languages: 'langues?(?: officielles?| parlees?)?',
    calling_code: 'indicatif(?: telephonique| international| pays)?',
    domain: '(?:domaine|extension) internet',
    continent: 'continent',
  },
  de: {
    capital: 'hauptstadt',
    population: 'einwohner|einwohnerzahl|bevolkerung',
    currency: 'wahrung',
    area: 'flache',
    languages: '(?:amts|landes)?sprachen?',
    calling_code: '(?:lander|landes|telefon)?vorwahl',
    domain: 'top-level-domain|tld|landerdomain',
    continent: 'kontinent',
  },
  es: {
    capital: 'capital',
    population: 'poblacion|numero de habitantes',
    currency: 'moneda|divisa',
    area: 'superficie|extension',
    languages: '(?:idiomas?|lenguas?)(?: oficial(?:es)?)?',
    calling_code: '(?:prefijo|codigo)(?: telefonico| internacional| de pais)',
    domain: 'dominio de internet',
    continent: 'continente',
  },
  it: {
    capital: 'capitale',
    population: 'popolazione|numero di abitanti',
    currency: 'moneta|valuta',
    area: 'superficie|estensione',
    languages: 'lingu[ae](?: ufficial[ei]| parlat[ae])?',
    calling_code: 'prefisso(?: telefonico| internazionale)',
    domain: 'dominio internet',
    continent: 'continente',
  },
  pt: {
    capital: 'capital',
    population: 'populacao|numero de habitantes',
    currency: 'moeda',
    area: 'area|superficie',
    languages: '(?:idiomas?|linguas?)(?: oficia(?:l|is))?',
    calling_code: '(?:indicativo|codigo)(?: telefonico| internacional| do pais)',
    domain: 'dominio de internet',
    continent: 'continente',
  },
  nl: {
    capital: 'hoofdstad',
    population: 'inwoners|bevolking|inwonertal|inwoneraantal',
    currency: 'munteenheid|valuta',
    area: 'oppervlakte',
    languages: '(?:officiele )?(?:taal|talen)',
    calling_code: 'landnummer|landcode|landnetnummer',
    domain: 'internetdomein|tld',
    continent: 'continent|werelddeel',
  },
}

const COUNTRY = "(?<country>[a-zß .,'’&()-]{2,40})"

/** Stands directly before a country and rejects prepositions, which are part of a language's own phrases. */
const NO_LINK =
  "(?!(?:d[aeiou]|d[aeo]s|del|dell[aeo]|degli|dei|von|van|vom|in|en|of|em|n[ao]s?|au|aux|fur|voor) |d'|dell')"

const anyFact = (language: Language): string => FACTS.map((fact) => `(?<${fact}>${WORDS[language][fact]})`).join('|')

interface Phrase {
  /** Words before the fact, with their spaces. */
  ask: string
  /** Words between the fact and the country, with their spaces. */
  of: string
}

const PHRASES: Readonly<Record<Exclude<Language, 'en'>, Phrase>> = {
  fr: {
    ask: "(?:quel(?:le)? est |quelles sont |c'est quoi )?(?:la |le |les |l')?",
    of: "(?:de la |de l'|du |des |de |d'|en |au |aux )",
  },
  de: {
    ask: '(?:was ist |wie heisst |wie lautet |welche ist |wie hoch ist )?(?:die |der |das )?',
    of: '(?:von der |von den |von |in der |in den |in |der |des |vom |fur )?',
  },
  es: { ask: '(?:cual es |cuales son )?(?:la |el |los |las )?', of: '(?:de la |de los |de las |del |de |en )' },
  it: {
    ask: "(?:qual e |quale e |quali sono )?(?:la |il |l'|le )?",
    of: "(?:della |dello |dell'|degli |delle |dei |del |di |in )",
  },
  pt: { ask: '(?:qual e |quais sao )?(?:a |o |as |os )?', of: '(?:da |do |das |dos |de |em |no |na |nos |nas )' },
  nl: { ask: '(?:wat is |welke is )?(?:de |het )?', of: '(?:van de |van het |van |in de |in |voor )?' },
}

const patternsOf = (language: Exclude<Language, 'en'>): RegExp[] => {
  const { ask, of } = PHRASES[language]
  return [
    new RegExp(`^${ask}(?:${anyFact(language)}) ${of}${COUNTRY}$`),
    // With nothing in between: `population brésil`.
    new RegExp(`^(?:${anyFact(language)}) ${NO_LINK}${COUNTRY}$`),
  ]
}

export const COUNTRY_TRIGGERS: Triggers = {
  en: [
    new RegExp(`^(?:what(?:'s| is| are) )?(?:the )?(?:${anyFact('en')}) (?:of|in|for) ${COUNTRY}$`),
    new RegExp(`^(?<country>[a-z .'’&-]{2,40}) (?:${anyFact('en')})$`),
    new RegExp(`^(?<population>population) ${NO_LINK}${COUNTRY}$`),
    /^(?<calling_code>(?:calling|dial|dialing|dialling|phone|country)(?: calling)? code) (?<country>[a-z .'’&-]{2,40})$/,
    /^(?:how many people (?<population>live) in) (?<country>[a-z .'’&-]{2,40})$/,
    /^(?:what|which) (?<languages>languages?) (?:is spoken|are spoken|do they speak|is used) in (?<country>[a-z .'’&-]{2,40})$/,
    /^(?:what|which) (?<currency>currency) (?:do they use|is used|does) (?:in )?(?<country>[a-z .'’&-]{2,40}?)(?: use)?$/,
    /^(?:what|which) (?<continent>continent) is (?<country>[a-z .'’&-]{2,40}?) (?:in|on|part of)$/,
    /^(?:which country (?:has|is) (?:the )?(?:calling |dialing |dialling |phone )?|(?:country|calling|dialing|dialling|phone) )code \+?(?<code>\d{1,3}(?: \d{2,4})?)(?: which country)?$/,
    /^\+(?<code>\d{1,3}(?: \d{2,4})?) (?:country|calling|dialing|phone) code$/,
    /^\+(?<code>\d{1,3})$/,
    /^(?:tld|top[- ]level domain|domain|country code) \.(?<tld>[a-z]{2})$/,
    /^\.(?<tld>[a-z]{2}) (?:tld|domain|country|country code|top[- ]level domain)$/,
    /^\.(?<bareTld>[a-z]{2})$/,
    /^(?:what currency is|currency code) (?<money>[a-z]{3})$/,
    /^(?<money>[a-z]{3}) (?:currency code|currency)$/,
    /^how (?<area>big|large) is (?<country>[a-z .'’&-]{2,40})$/,
  ],
  fr: [
    ...patternsOf('fr'),
    new RegExp(`^combien d'(?<population>habitants) (?:y a-t-il )?(?:en |au |aux |a |compte )${COUNTRY}$`),
    new RegExp(`^quelles? (?<languages>langues?) (?:parle-t-on|est parlee|sont parlees) (?:en |au |aux )${COUNTRY}$`),
  ],
  de: [
    ...patternsOf('de'),
    new RegExp(`^wie ?viele? (?<population>einwohner|menschen) (?:hat|leben in) (?:der |den |die )?${COUNTRY}$`),
    new RegExp(
      `^welche (?<languages>sprachen?) (?:spricht man|wird gesprochen|werden gesprochen) in (?:der |den )?${COUNTRY}$`,
    ),
    new RegExp(`^(?:auf|in) welchem (?<continent>kontinent) liegt ${COUNTRY}$`),
  ],
  es: [
    ...patternsOf('es'),
    new RegExp(`^cuantos (?<population>habitantes) (?:tiene|hay en) (?:el |la )?${COUNTRY}$`),
    new RegExp(`^que (?<languages>idiomas?) se hablan? en ${COUNTRY}$`),
    new RegExp(`^en que (?<continent>continente) esta ${COUNTRY}$`),
  ],
  it: [
    ...patternsOf('it'),
    new RegExp(`^quanti (?<population>abitanti) (?:ha|ci sono in) (?:il |la |l')?${COUNTRY}$`),
    new RegExp(`^(?:che|quale) (?<languages>lingua) si parla (?:in |nel |negli )${COUNTRY}$`),
    new RegExp(`^in (?:che|quale) (?<continent>continente) si trova (?:il |la |l')?${COUNTRY}$`),
  ],
  pt: [
    ...patternsOf('pt'),
    new RegExp(`^quantos (?<population>habitantes) (?:tem|ha em) (?:o |a )?${COUNTRY}$`),
    new RegExp(`^que (?<languages>lingua|idioma) se fala (?:em |no |na |nos )${COUNTRY}$`),
    new RegExp(`^em que (?<continent>continente) fica (?:o |a )?${COUNTRY}$`),
  ],
  nl: [
    ...patternsOf('nl'),
    new RegExp(`^hoeveel (?<population>inwoners|mensen) (?:heeft|wonen er in) (?:de )?${COUNTRY}$`),
    new RegExp(`^welke (?<languages>taal|talen) (?:spreken ze|spreekt men|wordt gesproken) in ${COUNTRY}$`),
    new RegExp(`^in welk (?<continent>continent|werelddeel) ligt ${COUNTRY}$`),
  ],
}

/** Queries without one of these are skipped. */
export const COUNTRY_HINT =
  /^\+\d|^\.[a-z]{2}$|^how (?:big|large)|capital|population|people|currenc|area|size|language|code|prefi|tld|domai|contin|speak|spoken|money|habitant|monnaie|devise|superf|langue|indicatif|extension|hauptstadt|einwohn|bevolk|wahrung|flache|sprache|vorwahl|kontinent|menschen|poblacion|moneda|divisa|idioma|lengua|dominio|popolaz|abitant|moneta|valuta|estensione|lingua|populacao|moeda|indicativo|hoofdstad|inwon|munteen|oppervl|taal|talen|landn|landc|wereldd/

/** In the order of FACTS. Written after the country's name and a comma; English has a different sentence. */
const TITLES: Readonly<Record<Language, string>> = {
  en: 'Capital, Population, Currency, Area, Languages, Calling code, Top-level domain, Continent',
  fr: 'capitale, population, monnaie, superficie, langues, indicatif, domaine internet, continent',
  de: 'Hauptstadt, Einwohner, Währung, Fläche, Sprachen, Vorwahl, Top-Level-Domain, Kontinent',
  es: 'capital, población, moneda, superficie, idiomas, prefijo telefónico, dominio de internet, continente',
  it: 'capitale, popolazione, valuta, superficie, lingue, prefisso telefonico, dominio internet, continente',
  pt: 'capital, população, moeda, área, línguas, indicativo telefónico, domínio de internet, continente',
  nl: 'hoofdstad, inwoners, munteenheid, oppervlakte, talen, landnummer, internetdomein, werelddeel',
}

export const titleOf = (fact: Fact, language: Language): string =>
  TITLES[language].split(', ')[FACTS.indexOf(fact)] ?? ''

/** Before an estimate. */
export const ABOUT_WORDS: Readonly<Record<Language, string>> = {
  en: 'about',
  fr: 'environ',
  de: 'etwa',
  es: 'unos',
  it: 'circa',
  pt: 'cerca de',
  nl: 'ongeveer',
}
