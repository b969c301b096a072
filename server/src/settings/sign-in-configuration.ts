// How people sign in besides their password here: identity providers, and a header that a proxy sets. OIDC_ISSUER and
// the like are one provider; OIDC_PROVIDERS names more, whose settings have the name in them: OIDC_COMPANY_ISSUER.
//
// What would let strangers in, or lock everyone out, is a mistake that prevents the start.
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import type { Mistake, ReportMistakes, WrittenSettings } from '../config/environment.ts'
import { isSecret, onOff, parsed, type ShownSetting, showSetting } from '../config/setting-types.ts'
import type { IdentityProvider } from '../oidc/identity-provider.ts'
import { proxyOrDirect } from './provider-configuration.ts'

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

const isSafeUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))

const issuer = parsed((text) => {
  const url = URL.parse(text)
  const isIssuer =
    url !== null &&
    isSafeUrl(url) &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === '' &&
    !url.pathname.includes('/.well-known/')
  return isIssuer ? url.href : undefined
}, 'must be the issuer, a URL that starts with https://, without /.well-known/openid-configuration.')

const oneLine = (most: number) =>
  parsed(
    (text) => (text.length <= most && /^\P{Cc}+$/u.test(text) ? text : undefined),
    `must be one line of at most ${most} characters.`,
  )

/** Names of groups may contain spaces. */
const values = z.string().transform((text) => [
  ...new Set(
    text
      .split(',')
      .map((value) => value.trim())
      .filter(Boolean),
  ),
])

const PROVIDER_SHAPE = {
  ISSUER: issuer
    .optional()
    .describe(
      'The issuer of an [identity provider](../set-up/sign-in.md) that people can sign in with, exactly as its discovery document has it. It needs `PUBLIC_URL`.',
    ),
  CLIENT_ID: oneLine(1_000).optional().describe('What the provider calls this instance.'),
  CLIENT_SECRET: oneLine(1_000)
    .optional()
    .describe('The secret that the provider gave you. If not set, the instance is a public client.')
    .meta({ isSecret: true }),
  NAME: oneLine(40).optional().describe("What the button says. If not set: the name, or the issuer's host."),
  SCOPES: parsed(
    (text) =>
      /^[\x21\x23-\x5b\x5d-\x7e ]{1,500}$/.test(text) && text.split(' ').includes('openid') ? text : undefined,
    'must be scopes separated by spaces, openid among them.',
  )
    .prefault('openid profile email')
    .describe('What the instance asks the provider for. Some providers need another scope for groups.'),
  CREATE_USERS: onOff
    .prefault('off')
    .describe(
      '`on`: whoever signs in with the provider and has no account gets one. `off`: accounts are connected first.',
    ),
  ROLE_CLAIM: oneLine(200)
    .optional()
    .describe(
      'The claim with the groups or roles of a person: `groups`, or with a dot into an object: `realm_access.roles`.',
    ),
  ADMIN_VALUES: values
    .prefault('')
    .describe(
      'Values of `OIDC_ROLE_CLAIM` that make someone an administrator, separated by commas. Read at every sign-in: who loses them loses the role that they gave.',
    ),
  ALLOWED_VALUES: values
    .prefault('')
    .describe(
      'Values of `OIDC_ROLE_CLAIM`, separated by commas, of which a person must have one. If not set, nobody is turned away.',
    ),
  PROXY: proxyOrDirect
    .optional()
    .describe(
      'The [outgoing proxy](../set-up/outgoing-proxy.md) for this provider, or `direct` for one in your own network; wins over `OUTGOING_PROXY`.',
    )
    .meta({ isSecret: true }),
} as const

type Suffix = keyof typeof PROVIDER_SHAPE
const SUFFIXES = Object.keys(PROVIDER_SHAPE) as Suffix[]

const PROVIDER_NAME = /^[a-z\d]{1,20}$/
const MAX_PROVIDERS = 10

/** Headers that something else sets, or that anyone may: naming a person in one would let everyone in. */
const OTHER_HEADERS =
  /^(?:host|cookie|authorization|connection|date|via|from|origin|referer|user-agent|te|trailer|transfer-encoding|upgrade|expect|range|pragma|forwarded|x-real-ip|x-request-id|x-forwarded-(?:for|proto|host|port|prefix|server)|(?:accept|content|if|sec|proxy|cache|access-control)(?:-.*)?)$/

const trustedHeader = parsed((text) => {
  const name = text.toLowerCase()
  return /^[a-z][a-z\d-]{2,60}$/.test(name) && !OTHER_HEADERS.test(name) ? name : undefined
}, 'must be the name of a header that your proxy sets and nothing else does, such as Remote-User.')

const MAX_ADDRESSES = 16

/** One machine: a range of two or more may hold one that isn't a proxy. */
const singleAddresses = parsed((text) => {
  const words = text.split(/[\s,]+/).filter(Boolean)
  const addresses = words.map(singleAddress)
  const areSingle = addresses.every((address) => address !== undefined)
  return areSingle && words.length > 0 && words.length <= MAX_ADDRESSES ? addresses : undefined
}, `must be 1 to ${MAX_ADDRESSES} single addresses, such as 10.0.0.2, and no range: every machine in a range could sign in as anyone.`)

function singleAddress(text: string): string | undefined {
  const bare = text.replace(/^([\d.]+)\/32$|^([\da-f:.]+)\/128$/i, '$1$2')
  if (!ipaddr.isValid(bare) || (ipaddr.IPv4.isValid(bare) && !ipaddr.IPv4.isValidFourPartDecimal(bare)))
    return undefined
  const address = ipaddr.process(bare)
  const range = address.range()
  const isMachine = !['unspecified', 'multicast', 'broadcast'].includes(range) && !bare.includes('%')
  return isMachine ? address.toString() : undefined
}

export const SIGN_IN_SETTINGS = z.object({
  PASSWORD_SIGN_IN: onOff
    .prefault('on')
    .describe(
      '`off`: nobody signs in with a password, only with an identity provider, the trusted header or a passkey. The instance [refuses to start](../set-up/sign-in.md#without-passwords) if no administrator could.',
    ),
  OIDC_ISSUER: PROVIDER_SHAPE.ISSUER,
  OIDC_CLIENT_ID: PROVIDER_SHAPE.CLIENT_ID,
  OIDC_CLIENT_SECRET: PROVIDER_SHAPE.CLIENT_SECRET,
  OIDC_NAME: PROVIDER_SHAPE.NAME,
  OIDC_SCOPES: PROVIDER_SHAPE.SCOPES,
  OIDC_CREATE_USERS: PROVIDER_SHAPE.CREATE_USERS,
  OIDC_ROLE_CLAIM: PROVIDER_SHAPE.ROLE_CLAIM,
  OIDC_ADMIN_VALUES: PROVIDER_SHAPE.ADMIN_VALUES,
  OIDC_ALLOWED_VALUES: PROVIDER_SHAPE.ALLOWED_VALUES,
  OIDC_PROXY: PROVIDER_SHAPE.PROXY,
  OIDC_PROVIDERS: parsed((text) => {
    const names = text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean)
    const areNames = names.every((name) => PROVIDER_NAME.test(name) && name !== 'oidc')
    return areNames && new Set(names).size === names.length && names.length <= MAX_PROVIDERS ? names : undefined
  }, `must be at most ${MAX_PROVIDERS} different names of letters and digits, such as company google.`)
    .prefault('')
    .describe(
      'Names of more providers: `company google`. Each has the settings above with its name in them, such as `OIDC_COMPANY_ISSUER` and `OIDC_GOOGLE_ISSUER`.',
    ),
  TRUSTED_HEADER: trustedHeader
    .optional()
    .describe(
      'A header in which [your proxy names the person](../set-up/sign-in.md#a-header-from-your-proxy) who has signed in there: `Remote-User`. It needs `TRUSTED_HEADER_FROM`.',
    ),
  TRUSTED_HEADER_FROM: singleAddresses
    .optional()
    .describe(
      'The single addresses of the proxies that set `TRUSTED_HEADER`, as this machine sees them: `10.0.0.2`. From anyone else the header is ignored. `TRUSTED_PROXIES` has no say in this.',
    ),
  TRUSTED_HEADER_CREATE_USERS: onOff
    .prefault('off')
    .describe('`on`: a person whom the proxy names and who has no account gets one.'),
})

/** The name of the provider in such a setting as OIDC_COMPANY_ISSUER; undefined: it is another setting. */
function providerIn(env: string): string | undefined {
  const [, name, suffix = ''] = /^OIDC_([A-Z\d]{1,20})_([A-Z_]{4,20})$/.exec(env) ?? []
  return suffix in PROVIDER_SHAPE && !(env in SIGN_IN_SETTINGS.shape) ? name?.toLowerCase() : undefined
}

/** Of a provider in OIDC_PROVIDERS. */
export const isNamedProviderSetting = (env: string): boolean => providerIn(env) !== undefined

export interface TrustedHeaderSettings {
  /** In lower case. */
  name: string
  from: readonly string[]
  createsUsers: boolean
}

export function buildTrustedHeader(settings: z.output<typeof SIGN_IN_SETTINGS>): TrustedHeaderSettings | undefined {
  const { TRUSTED_HEADER: name, TRUSTED_HEADER_FROM: from, TRUSTED_HEADER_CREATE_USERS: createsUsers } = settings
  return name === undefined || from === undefined ? undefined : { name, from, createsUsers }
}

interface ReadProviders {
  providers: IdentityProvider[]
  shown: ShownSetting[]
}

export function readIdentityProviders(written: WrittenSettings, report: ReportMistakes): ReadProviders {
  const { values } = written
  const names = SIGN_IN_SETTINGS.shape.OIDC_PROVIDERS.safeParse(values['OIDC_PROVIDERS']).data ?? []
  const named = names.map((name) =>
    readProvider(written, { slug: name, prefix: `OIDC_${name.toUpperCase()}_` }, report),
  )
  const hasFirst = SUFFIXES.some((suffix) => values[`OIDC_${suffix}`] !== undefined)
  const first = hasFirst ? [readProvider(written, { slug: 'oidc', prefix: 'OIDC_' }, report)] : []
  const providers = [...first, ...named].filter((provider) => provider !== undefined)
  report(...strayMistakes(values, names), ...commonMistakes(values, providers))
  const shown = names.flatMap((name) =>
    SUFFIXES.map((suffix) =>
      showSetting(written, {
        env: `OIDC_${name.toUpperCase()}_${suffix}`,
        fallback: undefined,
        hidesValue: isSecret(PROVIDER_SHAPE[suffix]),
      }),
    ),
  )
  return { providers, shown: shown.filter(({ origin }) => origin !== 'default') }
}

interface Place {
  slug: string
  prefix: string
}

function readProvider(
  written: WrittenSettings,
  { slug, prefix }: Place,
  report: ReportMistakes,
): IdentityProvider | undefined {
  const read = <Name extends Suffix>(suffix: Name): z.output<(typeof PROVIDER_SHAPE)[Name]> | undefined => {
    const env = `${prefix}${suffix}`
    const { success, data, error } = PROVIDER_SHAPE[suffix].safeParse(written.values[env])
    // Those of the first provider are part of the schema of all settings, which reports them.
    if (!success && slug !== 'oidc') report(...error.issues.map(({ message }) => ({ env, message })))
    // The schema of a suffix gives the type of that suffix.
    return data as z.output<(typeof PROVIDER_SHAPE)[Name]> | undefined
  }
  const [at, clientId, roleClaim] = [read('ISSUER'), read('CLIENT_ID'), read('ROLE_CLAIM')]
  const [adminValues = [], allowedValues = []] = [read('ADMIN_VALUES'), read('ALLOWED_VALUES')]
  const createsUsers = read('CREATE_USERS') ?? false
  const complain = (suffix: Suffix, message: string) => report({ env: `${prefix}${suffix}`, message })
  if (written.values[`${prefix}ISSUER`] === undefined)
    complain('ISSUER', 'is missing: set it to the issuer of the identity provider.')
  else if (written.values[`${prefix}CLIENT_ID`] === undefined)
    complain('CLIENT_ID', 'is missing: set it to what the identity provider calls this instance.')
  if (roleClaim === undefined && adminValues.length + allowedValues.length > 0)
    complain('ROLE_CLAIM', 'is missing: set it to the claim that has these values, such as groups.')
  if (createsUsers && allowedValues.length === 0 && at !== undefined && PUBLIC_ISSUERS.has(new URL(at).host))
    complain(
      'CREATE_USERS',
      `would give everyone on the internet an account, since anyone can have one there. Set ${prefix}ALLOWED_VALUES too.`,
    )
  if (at === undefined || clientId === undefined) return undefined
  return {
    slug,
    name: read('NAME') ?? (slug === 'oidc' ? new URL(at).host : slug.charAt(0).toUpperCase() + slug.slice(1)),
    issuer: at,
    clientId,
    clientSecret: read('CLIENT_SECRET'),
    scopes: read('SCOPES') ?? 'openid',
    proxy: read('PROXY'),
    createsUsers,
    roleClaim,
    adminValues,
    allowedValues,
  }
}

/** Where anyone can get an account. */
const PUBLIC_ISSUERS: ReadonlySet<string> = new Set([
  'accounts.google.com',
  'appleid.apple.com',
  'gitlab.com',
  'id.twitch.tv',
  'www.facebook.com',
])

/** Settings of providers that OIDC_PROVIDERS doesn't name, most likely misspelt. */
const strayMistakes = (values: Written, names: readonly string[]): Mistake[] =>
  Object.keys(values)
    .filter((env) => isNamedProviderSetting(env) && !names.includes(providerIn(env) ?? ''))
    .map((env) => ({ env, message: 'belongs to no provider. Add its name to OIDC_PROVIDERS.' }))

type Written = Readonly<Record<string, string>>

function commonMistakes(values: Written, providers: readonly IdentityProvider[]): Mistake[] {
  const mistakes: Mistake[] = []
  const url = URL.parse(values['PUBLIC_URL'] ?? '')
  if (providers.length > 0 && !(url && isSafeUrl(url)))
    mistakes.push({
      env: 'PUBLIC_URL',
      message: 'must be set, and start with https://: identity providers send people back to it.',
    })
  const issuers = providers.map((provider) => provider.issuer)
  if (new Set(issuers).size < issuers.length)
    mistakes.push({ env: 'OIDC_PROVIDERS', message: 'has two providers with the same issuer. Keep one of them.' })
  const isSet = (env: string): boolean => values[env] !== undefined
  if (isSet('TRUSTED_HEADER') !== isSet('TRUSTED_HEADER_FROM'))
    mistakes.push(
      isSet('TRUSTED_HEADER')
        ? { env: 'TRUSTED_HEADER_FROM', message: 'is missing: name the single addresses that may set TRUSTED_HEADER.' }
        : {
            env: 'TRUSTED_HEADER',
            message: 'is missing: name the header that the addresses in TRUSTED_HEADER_FROM set.',
          },
    )
  if (isSet('TRUSTED_HEADER') && !url)
    mistakes.push({ env: 'PUBLIC_URL', message: 'must be set, so that people only come through the proxy.' })
  if (values['PASSWORD_SIGN_IN'] === 'off' && providers.length === 0 && !isSet('TRUSTED_HEADER'))
    mistakes.push({
      env: 'PASSWORD_SIGN_IN',
      message: 'can only be off with an identity provider (OIDC_ISSUER) or TRUSTED_HEADER: nobody could sign in.',
    })
  return mistakes
}
