// Runs every check of `bowerbird doctor` and lists the findings, most important first. The checks of settings are here:
// an instance would start with any of these, but some are unwise.
import ipaddr from 'ipaddr.js'
import type { Finding } from '../../cli/cli-host.ts'
import type { Configuration, ConfigurationResult } from '../../settings/configuration.ts'
import { checkDatabase } from './check-database.ts'
import { checkProviders } from './check-providers.ts'
import { checkRedis } from './check-redis.ts'
import { checkSignIn } from './check-sign-in.ts'
import { broken, fine, warning } from './finding.ts'

export async function diagnose({ verdict }: Pick<ConfigurationResult, 'verdict'>): Promise<Finding[]> {
  if (!verdict.ok)
    return verdict.mistakes.map(({ env, message }) => broken(env, `It ${message}`, 'See docs/reference/settings.md.'))
  const configuration = verdict.value
  const [database, redis, signIn, providers] = await Promise.all([
    checkDatabase(configuration),
    checkRedis(configuration),
    checkSignIn(configuration),
    checkProviders(configuration),
  ])
  const settings = [fine('Settings', 'No mistakes.'), ...checkSettings(configuration)]
  return [...settings, ...database, ...redis, ...signIn, ...providers]
}

/** Shorter prefixes cover more addresses than any private network has. */
const WIDE_BITS = { ipv4: 8, ipv6: 16 }

function checkSettings(configuration: Configuration): Finding[] {
  return [
    checkProxies(configuration),
    checkPublicUrl(configuration),
    checkSecret(configuration),
    ...checkContact(configuration),
  ]
}

function checkProxies({ trustedProxies, publicUrl, host }: Configuration): Finding {
  const about = 'TRUSTED_PROXIES'
  const bitsOf = (range: string) => (range.includes('/') ? ipaddr.parseCIDR(range)[1] : undefined)
  if (trustedProxies.some((range) => bitsOf(range) === 0)) {
    const advice = 'Set it to the addresses of your proxies.'
    return broken(about, 'It trusts every address, so anyone can claim to be anyone and escape rate limits.', advice)
  }
  const isWide = (range: string) =>
    (bitsOf(range) ?? Number.POSITIVE_INFINITY) < (range.includes(':') ? WIDE_BITS.ipv6 : WIDE_BITS.ipv4)
  if (trustedProxies.some(isWide))
    return warning(about, 'It trusts a very wide range.', 'Set it to the addresses of your proxies.')
  if (trustedProxies.length === 0 && publicUrl.startsWith('https://')) {
    const detail =
      'PUBLIC_URL is https, so there is a proxy, but none is trusted: all clients seem to have its address.'
    return warning(about, detail, 'Set it to the address of the proxy.')
  }
  return fine(about, trustedProxies.length === 0 ? `No proxy is trusted; it listens on ${host}.` : 'Narrow enough.')
}

function checkPublicUrl({ publicUrl, host }: Configuration): Finding {
  const isLocal = host === 'localhost' || (ipaddr.isValid(host) && ipaddr.parse(host).range() === 'loopback')
  if (!isLocal && !publicUrl.startsWith('https://')) {
    const detail = 'Passwords and keys cross the network unencrypted.'
    const advice = 'Put a reverse proxy with TLS in front, and set PUBLIC_URL to its https address.'
    return warning('PUBLIC_URL', detail, advice)
  }
  return fine('PUBLIC_URL', publicUrl === '' ? 'Only this machine reaches the instance.' : 'Set.')
}

const checkSecret = ({ instanceSecret, databaseUrl }: Configuration): Finding =>
  instanceSecret === undefined && databaseUrl !== undefined
    ? warning(
        'INSTANCE_SECRET',
        'It is kept in the database, so a stolen backup exposes second factors.',
        'Set it before users have second factors; docs/operate/upgrade-and-backup.md says how to change it later.',
      )
    : fine('INSTANCE_SECRET', instanceSecret === undefined ? 'Kept in the database.' : 'Set.')

const checkContact = ({ operatorContact }: Configuration): Finding[] =>
  operatorContact === ''
    ? [
        warning(
          'OPERATOR_CONTACT',
          'Some providers refuse clients that name no contact.',
          'Set it to an email address or a web page.',
        ),
      ]
    : []
