// Reads a country that is written as a code or by its English name, as some APIs want it: `germany`, `Czech Republic`.
import { regionNamed } from '@bowerbird/engines/parsing/country-names.ts'
import { COUNTRIES, readRegion } from './regions.ts'

let codes: ReadonlyMap<string, string> | undefined

function codesByName(): ReadonlyMap<string, string> {
  if (codes) return codes
  const names = new Intl.DisplayNames('en', { type: 'region' })
  codes = new Map([...COUNTRIES].map((code) => [(names.of(code) ?? code).toLowerCase(), code]))
  return codes
}

/** '' for none; `undefined` if the text is no country. */
export const readCountry = (text: string): string | undefined => {
  const name = text.trim().toLowerCase()
  return readRegion(text) ?? regionNamed(name) ?? codesByName().get(name)
}
