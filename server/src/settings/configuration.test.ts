import { describe, expect, it } from 'vitest'
import { readConfiguration } from './configuration.ts'

const mistakesOf = (DATABASE_URL: string) => {
  const { verdict } = readConfiguration({ DATABASE_URL })
  return verdict.ok ? [] : verdict.mistakes.map(({ env, message }) => `${env} ${message}`)
}

it.each([
  'postgres://one/bower',
  'postgresql://ada:p,w@one:5432/bower?sslmode=require',
  'postgres://[::1]:5433/bower/',
])('%s is an address of PostgreSQL', (url) => expect(mistakesOf(url)).toEqual([]))

it.each(['mysql://one/bower', 'postgres://', 'one', 'postgres://one,two/bower', 'postgres://one:5432,two:5433/bower'])(
  '%s is a mistake, and the message says what to do with several hosts',
  (url) =>
    expect(mistakesOf(url)).toEqual([expect.stringMatching(/^DATABASE_URL must be a URL of one host.*PgBouncer/)]),
)

const verdictOf = (env: NodeJS.ProcessEnv) => readConfiguration(env).verdict
const siteOf = (env: NodeJS.ProcessEnv) => {
  const verdict = verdictOf(env)
  return verdict.ok ? verdict.value.site : verdict.mistakes
}

describe('the settings of the website', () => {
  it('are private by default', () => {
    expect(siteOf({})).toEqual({
      visitorShare: 0.1,
      suggestionsFor: 'users',
      showsIcons: false,
      allowedHosts: undefined,
      areUrlKeysOn: false,
    })
  })

  it('are read', () => {
    const env = {
      SITE_SUGGESTIONS: 'all',
      RESULT_ICONS: 'on',
      ALLOWED_HOSTS: 'Search.Example.org, bowerbird',
      URL_KEYS: 'on',
      VISITOR_BUDGET_SHARE: '0.25',
    }
    expect(siteOf(env)).toEqual({
      visitorShare: 0.25,
      suggestionsFor: 'all',
      showsIcons: true,
      allowedHosts: ['search.example.org', 'bowerbird'],
      areUrlKeysOn: true,
    })
  })

  it.each([
    [{ SITE_SUGGESTIONS: 'yes' }, 'SITE_SUGGESTIONS'],
    [{ VISITOR_BUDGET_SHARE: '10%' }, 'VISITOR_BUDGET_SHARE'],
    [{ RESULT_ICONS: 'proxy' }, 'RESULT_ICONS'],
    [{ URL_KEYS: 'yes' }, 'URL_KEYS'],
    [{ ALLOWED_HOSTS: 'https://search.example.org' }, 'ALLOWED_HOSTS'],
    [{ ALLOWED_HOSTS: 'search.example.org:8080' }, 'ALLOWED_HOSTS'],
  ])('%j is a mistake', (env, name) => {
    const verdict = verdictOf(env)
    expect(verdict.ok ? [] : verdict.mistakes.map((mistake) => mistake.env)).toEqual([name])
  })
})
