// The facts to show for each kind of thing. The kind is what the thing is an instance of (P31). Wikidata has a great
// many very narrow kinds (a French commune is a city), so a thing of an unlisted kind is recognised by a property that
// only such things have. A wrong id in these tables shows nothing rather than nonsense.
import type { WikidataItem } from '@bowerbird/engines/sources/wikidata.ts'

interface KindOfThing {
  /** Items that such a thing is an instance of. */
  kinds: readonly string[]
  /** Properties that only such a thing has. */
  signs: readonly string[]
  /** In display order. */
  properties: readonly string[]
}

const kind = (kinds: string, signs: string, properties: string): KindOfThing => ({
  kinds: kinds.split(' '),
  signs: signs.split(' ').filter(Boolean),
  properties: properties.split(' '),
})

/** The first match wins. */
const KINDS_OF_THINGS: readonly KindOfThing[] = [
  // A person: birth, death, birthplace, citizenship, occupation, position, spouse, children, education, awards, works.
  kind('Q5', 'P569', 'P569 P570 P19 P27 P106 P39 P26 P40 P69 P166 P800 P856'),
  // A country: capital, population, area, languages, currency, heads of state and government, GDP, calling code, TLD.
  kind('Q6256 Q3624078 Q7275', 'P474', 'P36 P1082 P2046 P37 P38 P35 P6 P2131 P474 P78'),
  // A city or town: country, region, population, area, elevation, mayor, time zone, postcode, founding date.
  kind(
    'Q515 Q486972 Q3957 Q532 Q1549591 Q5119 Q1637706 Q200250 Q484170 Q1093829 Q15284 Q747074 Q42744322',
    'P281',
    'P17 P131 P1082 P2046 P2044 P6 P421 P281 P571',
  ),
  // A film: director, cast, release, duration, genre, country, IMDb.
  kind('Q11424 Q24869 Q202866 Q29168811 Q506240', 'P57', 'P57 P161 P577 P2047 P136 P495 P345'),
  // A television series: start, end, seasons, episodes, network, cast, genre.
  kind('Q5398426 Q1259759 Q581714', 'P2437 P449', 'P580 P582 P2437 P1113 P449 P161 P136'),
  // A book: author, publication, publisher, language, genre.
  kind('Q7725634 Q571 Q8261 Q47461344 Q277759', 'P50', 'P50 P577 P123 P407 P136'),
  // A musical work or group: performer, publication, formation, label, genre, country.
  kind('Q215380 Q482994 Q134556 Q7366 Q105543609 Q2088357', 'P175 P264', 'P175 P577 P571 P264 P136 P495'),
  // Software: developer, version, language, licence, source, site, operating system.
  kind('Q7397 Q9143 Q166142 Q9135 Q7889 Q341 Q1639024', 'P178', 'P178 P571 P577 P348 P277 P275 P306 P1324 P856'),
  // An animal or plant: taxon name, rank, parent taxon, conservation status.
  kind('Q16521 Q310890 Q713623', 'P225', 'P225 P105 P171 P141'),
  // A chemical element: symbol, number, mass.
  kind('Q11344', 'P1086', 'P246 P1086 P2067'),
  // A company or other organisation: inception, founder, CEO, headquarters, employees, revenue, industry, exchange,
  // site.
  kind(
    'Q43229 Q4830453 Q783794 Q6881511 Q891723 Q163740 Q3918 Q7278',
    'P452 P1128 P169',
    'P571 P112 P169 P159 P1128 P2139 P452 P414 P856',
  ),
  // A mountain, river, lake or island: elevation, length, area, country.
  kind('Q8502 Q4022 Q23397 Q23442 Q46831 Q54050', 'P2043 P2660', 'P2044 P2043 P2046 P17 P131'),
  // A building or structure: architect, inception, opening, height, place, country, site.
  kind(
    'Q41176 Q12518 Q570116 Q4989906 Q16970 Q33506 Q12280 Q23413 Q11303 Q2319498 Q811979 Q1440476 Q1440300',
    'P84 P1619',
    'P84 P571 P1619 P2048 P131 P17 P856',
  ),
]

const DEFAULT_PROPERTIES = 'P17 P131 P571 P577 P856'.split(' ')

/**
 * Kinds and occupations that mark adult content: pornographic film, pornographic actor, and one id whose meaning is
 * unverified.
 */
const ADULT = new Set(['Q185529', 'Q488111', 'Q1364326'])
const OCCUPATION = 'P106'

export const FACT_PROPERTIES: readonly string[] = [
  ...new Set([...KINDS_OF_THINGS.flatMap(({ properties, signs }) => [...properties, ...signs]), ...DEFAULT_PROPERTIES]),
].sort()

export function propertiesFor({ kinds, statements }: WikidataItem): readonly string[] {
  const known = KINDS_OF_THINGS.find((one) => one.kinds.some((id) => kinds.includes(id)))
  const guessed = known ?? KINDS_OF_THINGS.find(({ signs }) => signs.some((property) => property in statements))
  return guessed?.properties ?? DEFAULT_PROPERTIES
}

/** Wikidata's own classification is the only evidence. */
export const isAdult = ({ kinds, statements }: WikidataItem): boolean => {
  const occupations = (statements[OCCUPATION] ?? []).map(({ value }) => (value.type === 'item' ? value.id : ''))
  return [...kinds, ...occupations].some((id) => ADULT.has(id))
}
