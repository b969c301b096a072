import { describe, expect, it } from 'vitest'
import { fold, LANGUAGES } from '../question.ts'
import { countryName, findCountry, loadCountries, localLanguage } from './countries.ts'

describe('the table of countries', () => {
  it('has all 249 countries of ISO 3166-1, with codes that Intl knows', async () => {
    const countries = [...(await loadCountries()).values()]
    expect(countries).toHaveLength(249)
    const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
    const currencies = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' })
    for (const country of countries) {
      expect(countryName(country.code, 'en')).not.toBe('')
      if (country.currency !== '') expect([country.code, currencies.of(country.currency)]).not.toContain(undefined)
      for (const code of country.languages) expect([country.code, languages.of(code)]).not.toContain(undefined)
      expect(country.callingCode).toMatch(/^(?:\+\d{1,3}(?: \d{2,4})?)?$/)
      expect(country.domain).toMatch(/^(?:\.[a-z]{2})?$/)
      for (const continent of country.continents) expect(continent).toMatch(/^(?:AF|AN|AS|EU|NA|OC|SA)$/)
      if (!Number.isNaN(country.area)) expect(country.area).toBeGreaterThan(0)
      if (!Number.isNaN(country.population)) expect(country.population).toBeGreaterThan(1000)
    }
  })

  it('adds up to the population of the world', async () => {
    const people = [...(await loadCountries()).values()].map(({ population }) => population || 0)
    const all = people.reduce((sum, count) => sum + count, 0)
    expect(all).toBeGreaterThan(8.1e9)
    expect(all).toBeLessThan(8.22e9)
  })

  it('finds a country by its name in every language', async () => {
    for (const code of ['FR', 'US', 'GB', 'NL', 'CH', 'CI', 'KR', 'TR', 'MM', 'BA', 'VA']) {
      for (const language of LANGUAGES) {
        expect([code, language, await findCountry(fold(countryName(code, language)))]).toEqual([code, language, code])
      }
    }
  })

  it.each([
    ['usa', 'US'],
    ['the uk', 'GB'],
    ['holland', 'NL'],
    ["l'allemagne", 'DE'],
    ['les etats-unis', 'US'],
    ['turkey', 'TR'],
    ['burma', 'MM'],
    ['south korea', 'KR'],
    ['atlantis', undefined],
    ['', undefined],
  ])('%j is %s', async (name, code) => {
    expect(await findCountry(name)).toBe(code)
  })

  it('picks the language that is spoken in the country', async () => {
    expect(await localLanguage(['fr', 'it'], 'IT', 'fr')).toBe('it')
    expect(await localLanguage(['fr', 'it'], 'JP', 'fr')).toBe('fr')
  })
})
