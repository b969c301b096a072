// The English names of countries, for providers that take a name instead of a code. None of them publishes which names it
// takes, so only countries that have one plain name are here; a region that isn't is not passed on.

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    AE: 'united arab emirates',
    AR: 'argentina',
    AT: 'austria',
    AU: 'australia',
    BE: 'belgium',
    BG: 'bulgaria',
    BR: 'brazil',
    CA: 'canada',
    CH: 'switzerland',
    CL: 'chile',
    CN: 'china',
    CO: 'colombia',
    CZ: 'czech republic',
    DE: 'germany',
    DK: 'denmark',
    EE: 'estonia',
    EG: 'egypt',
    ES: 'spain',
    FI: 'finland',
    FR: 'france',
    GB: 'united kingdom',
    GR: 'greece',
    HR: 'croatia',
    HU: 'hungary',
    ID: 'indonesia',
    IE: 'ireland',
    IL: 'israel',
    IN: 'india',
    IT: 'italy',
    JP: 'japan',
    KE: 'kenya',
    KR: 'south korea',
    LT: 'lithuania',
    LV: 'latvia',
    MA: 'morocco',
    MX: 'mexico',
    MY: 'malaysia',
    NG: 'nigeria',
    NL: 'netherlands',
    NO: 'norway',
    NZ: 'new zealand',
    PE: 'peru',
    PH: 'philippines',
    PK: 'pakistan',
    PL: 'poland',
    PT: 'portugal',
    RO: 'romania',
    RU: 'russia',
    SA: 'saudi arabia',
    SE: 'sweden',
    SG: 'singapore',
    SI: 'slovenia',
    SK: 'slovakia',
    TH: 'thailand',
    TR: 'turkey',
    TW: 'taiwan',
    UA: 'ukraine',
    US: 'united states',
    VE: 'venezuela',
    VN: 'vietnam',
    ZA: 'south africa',
  }),
)

export const hasCountryName = (region: string): boolean => NAMES.has(region)

/** In lower case. */
export const countryName = (region: string | undefined): string | undefined =>
  region === undefined ? undefined : NAMES.get(region)

/** The region of a name in lower case. */
export const regionNamed = (name: string): string | undefined => [...NAMES].find(([, known]) => known === name)?.[0]
