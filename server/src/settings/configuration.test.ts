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
      oauthClients: 'any',
    })
  })

  it('are read', () => {
    const env = {
      SITE_SUGGESTIONS: 'all',
      RESULT_ICONS: 'on',
      ALLOWED_HOSTS: 'Search.Example.org, bowerbird',
      URL_KEYS: 'on',
      MCP_OAUTH_CLIENTS: 'known',
      VISITOR_BUDGET_SHARE: '0.25',
    }
    expect(siteOf(env)).toEqual({
      visitorShare: 0.25,
      suggestionsFor: 'all',
      showsIcons: true,
      allowedHosts: ['search.example.org', 'bowerbird'],
      areUrlKeysOn: true,
      oauthClients: 'known',
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

describe('settings from the database', () => {
  const withStored = (env: NodeJS.ProcessEnv, stored: Record<string, string>) => {
    const { verdict } = readConfiguration(env)
    if (!verdict.ok) throw new Error('the environment has mistakes')
    return verdict.value.withStored(stored)
  }
  const originOf = ({ shown }: ReturnType<typeof withStored>, name: string) =>
    shown.find(({ env }) => env === name)?.origin

  it('count where the environment sets nothing, and each tells where it comes from', () => {
    const read = withStored(
      { ENGINE_A: 'mojeek', MOJEEK_API_KEY: 'own', ENGINE_B: ' ' },
      { ENGINE_A: 'brave', ENGINE_B: 'marginalia', MOJEEK_API_KEY: 'stored', OPERATOR_CONTACT: 'ops@example.org' },
    )
    expect(read.verdict).toMatchObject({ ok: true, value: { operatorContact: 'ops@example.org' } })
    expect(read.slots.get('engine_a')?.web).toEqual(['mojeek'])
    expect(read.slots.get('engine_b')?.web).toEqual(['marginalia'])
    expect(read.verdict.ok && read.verdict.value.engines.get('mojeek')?.settings).toMatchObject({ apiKey: 'own' })
    const names = ['ENGINE_A', 'ENGINE_B', 'MOJEEK_API_KEY', 'OPERATOR_CONTACT', 'PORT']
    expect(names.map((name) => originOf(read, name))).toEqual([
      'environment',
      'database',
      'environment',
      'database',
      'default',
    ])
  })

  it('can be shown on a page, but no secret', () => {
    const { verdict } = withStored(
      { METRICS_TOKEN: 'a token of some length', BRAVE_MONTHLY_USD: '20' },
      { BRAVE_API_KEY: 'k', ENGINE_D: 'kagi', INSTANCE_NAME: 'Plumage' },
    )
    if (!verdict.ok) throw new Error('the settings have mistakes')
    const names = ['BRAVE_MONTHLY_USD', 'ENGINE_D', 'INSTANCE_NAME', 'SITE_ACCESS', 'METRICS_TOKEN', 'BRAVE_API_KEY']
    expect(names.map(verdict.value.writtenValue)).toEqual(['20', 'kagi', 'Plumage', undefined, undefined, undefined])
  })

  it('are checked together with the environment, however often', () => {
    const { verdict } = readConfiguration({ ENGINE_A: 'mojeek' })
    if (!verdict.ok) throw new Error('the environment has mistakes')
    for (const _ of [1, 2]) {
      expect(verdict.value.withStored({ ENGINE_B: 'mojeek' }).verdict).toEqual({
        ok: false,
        mistakes: [{ env: 'ENGINE_B', message: 'binds mojeek to web, but ENGINE_A already does.' }],
      })
    }
    expect(verdict.value.withStored({}).verdict.ok).toBe(true)
  })
})
