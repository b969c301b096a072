import { describe, expect, it } from 'vitest'
import { readConfiguration } from './configuration.ts'

const PROVIDER = {
  PUBLIC_URL: 'https://search.example.org',
  OIDC_ISSUER: 'https://auth.example.org',
  OIDC_CLIENT_ID: 'bowerbird',
}
const HEADER = {
  PUBLIC_URL: 'https://search.example.org',
  TRUSTED_HEADER: 'Remote-User',
  TRUSTED_HEADER_FROM: '10.0.0.2',
}

const read = (env: Record<string, string>) => readConfiguration(env).verdict
const mistakesIn = (env: Record<string, string>): string[] => {
  const verdict = read(env)
  return verdict.ok ? [] : verdict.mistakes.map(({ env: name, message }) => `${name} ${message}`)
}
const configurationOf = (env: Record<string, string>) => {
  const verdict = read(env)
  if (!verdict.ok) throw new Error(JSON.stringify(verdict.mistakes))
  return verdict.value
}

describe('identity providers', () => {
  it('there are none by default, and passwords are on', () => {
    const { identityProviders, accounts } = configurationOf({})
    expect(identityProviders).toEqual([])
    expect(accounts.trustedHeader).toBeUndefined()
    expect(accounts.policy.isPasswordSignInOn).toBe(true)
  })

  it('one is read with its defaults', () => {
    expect(configurationOf(PROVIDER).identityProviders).toEqual([
      {
        slug: 'oidc',
        name: 'auth.example.org',
        issuer: 'https://auth.example.org/',
        clientId: 'bowerbird',
        clientSecret: undefined,
        scopes: 'openid profile email',
        proxy: undefined,
        createsUsers: false,
        roleClaim: undefined,
        adminValues: [],
        allowedValues: [],
      },
    ])
  })

  it('several are read in order, each with its own settings', () => {
    const { identityProviders } = configurationOf({
      ...PROVIDER,
      OIDC_PROVIDERS: 'company, Google',
      OIDC_COMPANY_ISSUER: 'https://sso.example.com/realms/main',
      OIDC_COMPANY_CLIENT_ID: 'search',
      OIDC_COMPANY_ROLE_CLAIM: 'realm_access.roles',
      OIDC_COMPANY_ADMIN_VALUES: 'Domain Admins, board',
      OIDC_GOOGLE_ISSUER: 'https://accounts.google.com',
      OIDC_GOOGLE_CLIENT_ID: 'google-client',
    })
    expect(identityProviders.map(({ slug, name }) => [slug, name])).toEqual([
      ['oidc', 'auth.example.org'],
      ['company', 'Company'],
      ['google', 'Google'],
    ])
    expect(identityProviders[1]?.adminValues).toEqual(['Domain Admins', 'board'])
  })

  it('secrets are not shown', () => {
    const { shown } = readConfiguration({
      ...PROVIDER,
      OIDC_CLIENT_SECRET: 'hidden',
      OIDC_PROVIDERS: 'company',
      OIDC_COMPANY_CLIENT_SECRET: 'hidden',
    })
    const secrets = shown.filter(({ env }) => env.endsWith('CLIENT_SECRET'))
    expect(secrets.map(({ env, shown: text }) => [env, text])).toEqual([
      ['OIDC_CLIENT_SECRET', 'set'],
      ['OIDC_COMPANY_CLIENT_SECRET', 'set'],
    ])
  })

  it.each<[string, Record<string, string>, string]>([
    ['over plain http', { OIDC_ISSUER: 'http://auth.example.org' }, 'OIDC_ISSUER must be the issuer'],
    [
      'as the address of its document',
      { OIDC_ISSUER: 'https://auth.example.org/.well-known/openid-configuration' },
      'OIDC_ISSUER must be the issuer',
    ],
    ['with a password', { OIDC_ISSUER: 'https://a:b@auth.example.org' }, 'OIDC_ISSUER must be the issuer'],
    ['without a client', { OIDC_CLIENT_ID: '' }, 'OIDC_CLIENT_ID is missing'],
    ['without an issuer', { OIDC_ISSUER: '' }, 'OIDC_ISSUER is missing'],
    ['without PUBLIC_URL', { PUBLIC_URL: '' }, 'PUBLIC_URL must be set'],
    ['with PUBLIC_URL over plain http', { PUBLIC_URL: 'http://search.example.org' }, 'PUBLIC_URL must be set'],
    ['without the scope openid', { OIDC_SCOPES: 'profile email' }, 'OIDC_SCOPES must be scopes'],
    ['with values and no claim', { OIDC_ADMIN_VALUES: 'admins' }, 'OIDC_ROLE_CLAIM is missing'],
    [
      'that is not named',
      { OIDC_COMPANY_ISSUER: 'https://sso.example.com' },
      'OIDC_COMPANY_ISSUER belongs to no provider',
    ],
    ['that is named and not set', { OIDC_PROVIDERS: 'company' }, 'OIDC_COMPANY_ISSUER is missing'],
    ['twice', { OIDC_PROVIDERS: 'company company' }, 'OIDC_PROVIDERS must be at most'],
    [
      'with the issuer of another',
      {
        OIDC_PROVIDERS: 'company',
        OIDC_COMPANY_ISSUER: 'https://auth.example.org/',
        OIDC_COMPANY_CLIENT_ID: 'other',
      },
      'OIDC_PROVIDERS has two providers with the same issuer',
    ],
    [
      'at which anyone can have an account that would open one here',
      { OIDC_ISSUER: 'https://accounts.google.com', OIDC_CREATE_USERS: 'on' },
      'OIDC_CREATE_USERS would give everyone',
    ],
  ])('one %s prevents the start', (_, change, mistake) => {
    expect(mistakesIn({ ...PROVIDER, ...change })).toEqual([expect.stringContaining(mistake)])
  })
})

describe('the trusted header', () => {
  it('is read with single addresses, however they are written', () => {
    const { trustedHeader } = configurationOf({
      ...HEADER,
      TRUSTED_HEADER_FROM: '10.0.0.2/32, 2001:DB8::1 ::ffff:10.0.0.3',
    }).accounts
    expect(trustedHeader).toEqual({
      name: 'remote-user',
      from: ['10.0.0.2', '2001:db8::1', '10.0.0.3'],
      createsUsers: false,
    })
  })

  it.each<[string, Record<string, string>]>([
    ['without an address', { TRUSTED_HEADER_FROM: '' }],
    ['without a name', { TRUSTED_HEADER: '' }],
    ['without PUBLIC_URL', { PUBLIC_URL: '' }],
    ['from everyone', { TRUSTED_HEADER_FROM: '0.0.0.0/0' }],
    ['from every IPv6 address', { TRUSTED_HEADER_FROM: '::/0' }],
    ['from a network', { TRUSTED_HEADER_FROM: '172.16.0.0/12' }],
    ['from two addresses as a network', { TRUSTED_HEADER_FROM: '10.0.0.2/31' }],
    ['from an IPv6 network', { TRUSTED_HEADER_FROM: '2001:db8::/64' }],
    ['from the unspecified address', { TRUSTED_HEADER_FROM: '0.0.0.0' }],
    ['from the unspecified IPv6 address', { TRUSTED_HEADER_FROM: '::' }],
    ['from a group', { TRUSTED_HEADER_FROM: '224.0.0.1' }],
    ['from a name', { TRUSTED_HEADER_FROM: 'proxy.example.org' }],
    ['from an address in another notation', { TRUSTED_HEADER_FROM: '0x0a000002' }],
    ['from one single address and a network', { TRUSTED_HEADER_FROM: '10.0.0.2 10.0.0.0/8' }],
    ['that browsers set', { TRUSTED_HEADER: 'User-Agent' }],
    ['that every proxy sets', { TRUSTED_HEADER: 'X-Forwarded-For' }],
    ['that names the host', { TRUSTED_HEADER: 'Host' }],
    ['that carries keys', { TRUSTED_HEADER: 'Authorization' }],
    ['that carries cookies', { TRUSTED_HEADER: 'cookie' }],
    ['that is no name of a header', { TRUSTED_HEADER: 'Remote User' }],
  ])('%s prevents the start', (_, change) => {
    expect(mistakesIn({ ...HEADER, ...change })).toHaveLength(1)
  })
})

describe('PASSWORD_SIGN_IN=off', () => {
  it('prevents the start if there is no other way to sign in', () => {
    expect(mistakesIn({ PASSWORD_SIGN_IN: 'off' })).toEqual([expect.stringContaining('nobody could sign in')])
  })

  it.each([PROVIDER, HEADER])('is possible with another', (settings) => {
    expect(configurationOf({ ...settings, PASSWORD_SIGN_IN: 'off' }).accounts.policy.isPasswordSignInOn).toBe(false)
  })
})
