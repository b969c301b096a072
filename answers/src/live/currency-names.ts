// Identifies a currency by its ISO code, its sign, or its name in seven languages. Everyday names are in a table; the
// rest come from Intl, and are only looked up when the other side of a conversion is known to be a currency. A sign or
// name that several countries share (`$`, `kr`, `peso`) is resolved by the requested region.

import { cached } from '../lib/cached.ts'
import type { TypedText } from '../lib/conversion-phrase.ts'
import { fold, type Language, type Question, regionOf } from '../question.ts'

const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Codes that are words in lower case: `100 all to top` isn't a conversion. */
const WORDLIKE: ReadonlySet<string> = new Set(
  'ALL AMD ANG BAM BOB COP CUP CUC GEL LAK MAD MOP MUR NAD PAB PEN RON SAR SOS STD TOP TRY WST'.split(' '),
)

const NAMES: Readonly<Record<string, string>> = {
  USD: 'dollar, dollars, us dollar, us dollars, american dollar, american dollars, bucks, dollar americain, dollars americains, us-dollar, amerikanische dollar, amerikanischer dollar, dolar, dolares, dolar americano, dolares americanos, dollaro, dollari, dollaro americano, dollari americani, amerikaanse dollar, amerikaanse dollars, us$, $us',
  EUR: 'euro, euros, euri, €',
  GBP: 'pound, pounds, pound sterling, pounds sterling, british pound, british pounds, sterling, quid, livre, livres, livre sterling, livres sterling, pfund, britische pfund, britisches pfund, pfund sterling, libra, libras, libra esterlina, libras esterlinas, sterlina, sterline, pond, ponden, britse pond, britse ponden, £',
  JPY: 'yen, yens, japanese yen, japanische yen, yen japonais, yen japones, yenes, yen giapponesi, japanse yen, iene, ienes, ¥',
  CNY: 'yuan, yuans, renminbi, rmb, chinese yuan',
  CHF: 'franc, francs, swiss franc, swiss francs, franc suisse, francs suisses, franken, schweizer franken, franco, francos, franco suizo, francos suizos, franchi, franchi svizzeri, franco svizzero, franco suico, francos suicos, zwitserse frank, zwitserse franken, sfr, fr.',
  INR: 'rupee, rupees, indian rupee, indian rupees, rupie, rupien, indische rupien, rupia, rupias, roupie, roupies, roepie, roepies, ₹, rs',
  RUB: 'ruble, rubles, rouble, roubles, rubel, rublo, rublos, rubli, roebel, roebels, ₽',
  KRW: 'won, korean won, south korean won, ₩',
  BRL: 'real, reais, reales, brazilian real, brazilian reais, r$',
  CAD: 'canadian dollar, canadian dollars, dollar canadien, dollars canadiens, kanadische dollar, dolar canadiense, dolares canadienses, dollari canadesi, dolares canadenses, canadese dollar, c$, ca$',
  AUD: 'australian dollar, australian dollars, aussie dollar, dollar australien, dollars australiens, australische dollar, dolares australianos, dollari australiani, a$, au$',
  NZD: 'new zealand dollar, new zealand dollars, kiwi dollar, neuseeland dollar, nz$',
  HKD: 'hong kong dollar, hong kong dollars, hongkong dollar, hk$',
  SGD: 'singapore dollar, singapore dollars, singapur dollar, s$',
  MXN: 'mexican peso, mexican pesos, peso mexicano, pesos mexicanos, mexikanische peso, mexikanische pesos, mx$',
  SEK: 'krona, kronor, swedish krona, swedish kronor, swedish crown, swedish crowns, schwedische krone, schwedische kronen, couronne suedoise, couronnes suedoises, corona sueca, coronas suecas, corona svedese, corone svedesi, coroa sueca, coroas suecas, zweedse kroon, zweedse kronen',
  NOK: 'norwegian krone, norwegian kroner, norwegische krone, norwegische kronen, couronne norvegienne, couronnes norvegiennes, corona noruega, coronas noruegas, corone norvegesi, noorse kroon, noorse kronen',
  DKK: 'danish krone, danish kroner, danische krone, danische kronen, couronne danoise, couronnes danoises, corona danesa, coronas danesas, corone danesi, deense kroon, deense kronen',
  ISK: 'icelandic krona, islandische krone, islandische kronen',
  CZK: 'czech koruna, czech crown, czech crowns, tschechische krone, tschechische kronen, koruna, kc',
  PLN: 'zloty, zlotys, zlotych, polish zloty, zł, zl',
  HUF: 'forint, forints, hungarian forint',
  RON: 'leu, lei, romanian leu, romanian lei',
  TRY: 'lira, liras, turkish lira, turkish liras, turkische lira, livre turque, livres turques, lire turche, turkse lira, tl, ₺',
  ILS: 'shekel, shekels, schekel, new shekel, ₪',
  THB: 'baht, thai baht, bahts, ฿',
  IDR: 'rupiah, rupiahs, indonesian rupiah, rp',
  MYR: 'ringgit, malaysian ringgit, rm',
  PHP: 'philippine peso, philippine pesos, ₱',
  VND: 'dong, vietnamese dong, ₫',
  ZAR: 'rand, south african rand, rands',
  UAH: 'hryvnia, hrywnja, hryvnias, ₴',
  NGN: 'naira, nairas, ₦',
  AED: 'dirham, dirhams, uae dirham',
  SAR: 'riyal, riyals, saudi riyal',
  KES: 'kenyan shilling, kenyan shillings',
  EGP: 'egyptian pound, egyptian pounds',
}

/** Those that people name every day. Which of them have a rate is up to the sources. */
export const EVERYDAY_CURRENCIES: readonly string[] = Object.keys(NAMES)

/** A code of ISO 4217 that Intl knows. */
export const isCurrency = (code: string): boolean => CODES.has(code)

/** Shared names by region, with the default under ''. */
const SHARED: Readonly<Record<string, Readonly<Record<string, string>> & { '': string }>> = {
  $: { CA: 'CAD', AU: 'AUD', NZ: 'NZD', SG: 'SGD', HK: 'HKD', MX: 'MXN', '': 'USD' },
  kr: { NO: 'NOK', DK: 'DKK', IS: 'ISK', '': 'SEK' },
  peso: { AR: 'ARS', CL: 'CLP', CO: 'COP', PH: 'PHP', UY: 'UYU', DO: 'DOP', CU: 'CUP', '': 'MXN' },
}
const SHARED_WORDS: Readonly<Record<string, string>> = { kr: 'kr', 'kr.': 'kr', peso: 'peso', pesos: 'peso', $: '$' }

const byName = new Map(
  Object.entries(NAMES).flatMap(([code, names]) => names.split(', ').map((name) => [name, code] as const)),
)

export interface KnownCurrency {
  code: string
  /** A lower-case word that is also a code. */
  isDoubtful: boolean
}

/** Looks up a code, sign or everyday name; fast enough for every query. */
export function findCurrency({ text, folded }: TypedText, { tag }: Pick<Question, 'tag'>): KnownCurrency | undefined {
  const code = folded.length === 3 ? folded.toUpperCase() : ''
  if (CODES.has(code)) return { code, isDoubtful: WORDLIKE.has(code) && text !== code }
  const shared = SHARED[SHARED_WORDS[folded] ?? '']
  const known = shared ? (shared[regionOf(tag)] ?? shared['']) : byName.get(folded)
  return known === undefined ? undefined : { code: known, isDoubtful: false }
}

const intlNames = new Map<string, ReadonlyMap<string, string>>()

/** Looks up Intl's name for a currency, with or without a plural ending. Slower. */
export function findIntlCurrency(folded: string, lang: Language | ''): string | undefined {
  const forms = [
    folded,
    folded.replace(/e?s$/, ''),
    folded.replace(/s(?= )/, '').replace(/s$/, ''),
    folded.replace(/e?n$/, ''),
  ]
  for (const language of new Set([lang || 'en', 'en'] as const)) {
    const names = namesIn(language)
    for (const form of forms) {
      const code = names.get(form)
      if (code !== undefined) return code
    }
  }
  return undefined
}

const namesIn = (language: Language): ReadonlyMap<string, string> =>
  cached(intlNames, language, () => {
    const display = new Intl.DisplayNames([language], { type: 'currency' })
    return new Map(Array.from(CODES, (code) => [fold(display.of(code) ?? ''), code]))
  })

/** The currency's number of decimals: two for most, none for the yen, three for dinars. */
export const minorUnits = (code: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits ?? 2
