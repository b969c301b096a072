// An entry of the invented encyclopedia, and a compact notation for its statements.

export type Claim =
  | { type: 'item'; id: string }
  | { type: 'text'; text: string }
  | { type: 'time'; time: string; precision: number }
  | { type: 'quantity'; amount: string; unit: string; year?: string }

export interface EncyclopediaEntry {
  /** Its Wikidata id. */
  id: string
  /** The article's title by language; English is always present. */
  titles: { en: string } & Record<string, string>
  /** Titles that redirect to it. One with a `#` redirects to a section. */
  redirects: readonly string[]
  extracts: { en: string } & Record<string, string>
  description: string
  /** File name of its picture, or ''. */
  picture: string
  coordinates: readonly [lat: number, lon: number] | undefined
  /** Keyed by property; P31 says what it is. */
  claims: Readonly<Record<string, readonly Claim[]>>
  isDisambiguation: boolean
}

/** `Q90` is an item; `1889-03-31`, `1889-03`, `1889` are times; `330 Q11573`, `7 1 2024` are quantities; else text. */
function claim(text: string): Claim {
  if (/^Q\d+$/.test(text)) return { type: 'item', id: text }
  if (/^-?\d{4}(?:-\d\d){0,2}$/.test(text)) return timeOf(text)
  const [, amount, unit, year] = /^([\d.]+) (1|Q\d+)(?: (\d{4}))?$/.exec(text) ?? []
  if (amount === undefined || unit === undefined) return { type: 'text', text }
  return { type: 'quantity', amount, unit, ...(year !== undefined && { year }) }
}

function timeOf(text: string): Claim {
  const [year = '', month = '00', day = '00'] = text.replace(/^-/, '').split('-')
  const precision = day === '00' ? (month === '00' ? 9 : 10) : 11
  const sign = text.startsWith('-') ? '-' : '+'
  return { type: 'time', time: `${sign}${year}-${month}-${day}T00:00:00Z`, precision }
}

interface WrittenEntry {
  id: string
  titles: EncyclopediaEntry['titles']
  extracts: EncyclopediaEntry['extracts']
  description: string
  redirects?: readonly string[]
  picture?: string
  coordinates?: readonly [number, number]
  /** Values separated by ` | `. */
  claims?: Record<string, string>
  isDisambiguation?: boolean
}

export const entry = (written: WrittenEntry): EncyclopediaEntry => ({
  redirects: [],
  picture: '',
  coordinates: undefined,
  isDisambiguation: false,
  ...written,
  claims: Object.fromEntries(
    Object.entries(written.claims ?? {}).map(([property, values]) => [property, values.split(' | ').map(claim)]),
  ),
})
