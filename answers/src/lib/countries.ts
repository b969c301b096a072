// The countries of the world: their facts (`data/countries.txt`) and their names in seven languages. Names come from
// Intl and are indexed on first use, along with the short and former names that people type.
import { fold, LANGUAGES, type Language } from '../question.ts'
import { readTable } from './read-table.ts'

export interface Country {
  /** ISO 3166-1 alpha-2. */
  code: string
  /** '' if unknown or if there is none; may end with a remark in brackets. */
  capital: string
  /** ISO 4217, or ''. */
  currency: string
  callingCode: string
  domain: string
  /** ISO 639, the most used first. */
  languages: readonly string[]
  /** AF AN AS EU NA OC SA */
  continents: readonly string[]
  /** km²; NaN: unknown. */
  area: number
  /** An estimate for POPULATION_YEAR; NaN: unknown. */
  population: number
}

export const POPULATION_YEAR = 2024

const ALIASES =
  'us:usa,u.s.,u.s.a.,united states of america,america,etats unis d’amerique,eeuu,ee uu,ee. uu.,eua,vs,vereinigte staaten von amerika ' +
  'gb:uk,u.k.,great britain,britain,england,grande-bretagne,angleterre,grossbritannien,großbritannien,gran bretana,inglaterra,gran bretagna,inghilterra,gra-bretanha,groot-brittannie,engeland,scotland,wales ' +
  'nl:holland,the netherlands,hollande,olanda,holanda ' +
  'kr:south korea,korea,coree,corea,coreia,zuid-korea,sudkorea kp:north korea,nordkorea,noord-korea ' +
  'cz:czech republic,republique tcheque,tschechische republik,republica checa,repubblica ceca,tsjechische republiek ' +
  'tr:turkey ci:ivory coast mm:burma,birmania,birmanie cd:dr congo,drc,rdc,democratic republic of the congo cg:republic of the congo ' +
  'ae:uae,emirates,vae,eau mk:macedonia,macedoine,mazedonien va:vatican,vatikan,vaticano,vaticaan ps:palestine,palastina,palestina ' +
  'hk:hong kong,hongkong mo:macau,macao sz:swaziland cv:cape verde,cap-vert,kap verde tl:east timor,timor oriental,osttimor ' +
  'ru:russian federation by:belarus,bielorussie,weissrussland,weißrussland,bielorrusia,wit-rusland md:moldova sy:syrian arab republic ' +
  'cn:prc,people’s republic of china bo:bolivia ve:venezuela tz:tanzania la:laos vn:viet nam bn:brunei ir:persia sr:surinam fm:micronesia ' +
  'st:sao tome,sao tome and principe tt:trinidad,trinidad and tobago ag:antigua,antigua and barbuda kn:st kitts and nevis,saint kitts and nevis ' +
  'lc:saint lucia vc:saint vincent ba:bosnia,bosnia and herzegovina,bosnie,bosnien'

const ARTICLE =
  /^(?:the|la|le|les|el|los|las|il|lo|gli|i|o|a|os|as|die|der|den|dem|das|de|het|del|della|dello|degli|delle|dei|des|du|do|da|dos|das|nos|nas|no|na) |^(?:l'|dell'|d')/

let facts: Promise<ReadonlyMap<string, Country>> | undefined
let names: Promise<ReadonlyMap<string, string>> | undefined

/** By code. */
export function loadCountries(): Promise<ReadonlyMap<string, Country>> {
  facts ??= readFacts()
  return facts
}

async function readFacts(): Promise<ReadonlyMap<string, Country>> {
  const rows = await readTable('countries.txt')
  return new Map(rows.map((row) => [row.slice(0, 2), parseCountry(row)]))
}

function parseCountry(row: string): Country {
  const [code = '', capital = '', currency = '', callingCode = '', domain = '', languages, continents, area, people] =
    row.split('|')
  return {
    code,
    capital,
    currency,
    callingCode,
    domain,
    languages: splitList(languages),
    continents: splitList(continents),
    area: area ? Number(area) : Number.NaN,
    population: people ? Number(people) : Number.NaN,
  }
}

const splitList = (text = ''): string[] => text.split(',').filter((part) => part !== '')

/** Finds a country's code by any name, with or without its article; `undefined`: no country. `name` is folded. */
export async function findCountry(name: string): Promise<string | undefined> {
  names ??= indexNames()
  const known = await names
  const plain = nameKey(name)
  return known.get(plain) ?? known.get(nameKey(name.replace(ARTICLE, '')))
}

async function indexNames(): Promise<ReadonlyMap<string, string>> {
  const index = new Map<string, string>()
  const codes = [...(await loadCountries()).keys()]
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames(language, { type: 'region' })
    for (const code of codes) for (const name of variantsOf(display.of(code) ?? '')) index.set(name, code)
  }
  for (const group of ALIASES.split(/ (?=[a-z]{2}:)/)) {
    const code = group.slice(0, 2).toUpperCase()
    for (const alias of group.slice(3).split(',')) index.set(nameKey(fold(alias)), code)
  }
  return index
}

/** `Myanmar (Burma)` matches either name. */
function variantsOf(name: string): string[] {
  const folded = fold(name)
  const [, before, within] = /^(.*?) ?\((.*)\)$/.exec(folded) ?? []
  return [folded, before, within].flatMap((variant) => (variant ? [nameKey(variant)] : []))
}

const nameKey = (name: string): string => name.replaceAll('&', 'and').replaceAll('-', ' ').replace(/[’.]/g, '').trim()

/** The columns of `data/capital-names.txt`, after the code. */
const CAPITAL_LANGUAGES: readonly Language[] = ['fr', 'de', 'es', 'it', 'pt', 'nl']

let capitals: Promise<ReadonlyMap<string, readonly string[]>> | undefined

async function readCapitals(): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await readTable('capital-names.txt')
  return new Map(rows.map((row) => [row.slice(0, 2), row.slice(3).split('|')]))
}

/** Returns a function that names a country's capital in the language. */
export async function capitalNames(language: Language): Promise<(country: Country) => string> {
  capitals ??= readCapitals()
  const known = await capitals
  const column = CAPITAL_LANGUAGES.indexOf(language)
  return ({ code, capital }) => known.get(code)?.[column] || capital
}

export const countryName = (code: string, locale: string): string =>
  new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' }).of(code) ?? ''

/** Picks the country's main language if the query may be in it, and `fallback` otherwise. */
export async function localLanguage(languages: Language[], country: string, fallback: Language): Promise<Language> {
  const spoken = (await loadCountries()).get(country)?.languages[0]
  return languages.find((language) => language === spoken) ?? fallback
}
