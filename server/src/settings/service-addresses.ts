// Where people may have services of their own. A public address is always allowed, on the ports on which anything is
// fetched that anyone may have chosen; the address guard then checks what its name resolves to. Any other has to be one
// that the operator allows: with MINE_HOSTS, or by having an engine of MINE there.
import { isOwnNetwork } from '../upstream/address-guard.ts'
import { PUBLIC_PORTS } from '../upstream/untrusted-fetch.ts'
import type { ConfiguredEngine } from './provider-configuration.ts'

/** `allowed`: by the operator, so it may lead anywhere. */
export type AddressVerdict = 'public' | 'allowed' | 'refused'

/** A host of MINE_HOSTS as it is in a URL, with its port if one is given; undefined: it isn't one. */
export function parseHost(text: string): string | undefined {
  const port = /:\d{1,5}$/.exec(text)?.[0] ?? ''
  const url = URL.parse(`http://${text}`)
  if (!url || url.href !== `http://${url.host}/` || url.hostname.includes('*')) return undefined
  return url.hostname + port
}

/** An address without a username or a query; undefined: it isn't one. */
export function parseAddress(text: string): URL | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return undefined
  return url.href === url.origin + url.pathname ? url : undefined
}

interface Allowing {
  mineHosts: readonly string[]
  mine: readonly string[]
  engines: ReadonlyMap<string, ConfiguredEngine>
}

export const allowedHosts = ({ mineHosts, mine, engines }: Allowing): string[] => [
  ...mineHosts,
  ...mine.flatMap((slug) => {
    const url = URL.parse(engines.get(slug)?.settings.baseUrl ?? '')
    return url ? [hostAndPort(url)] : []
  }),
]

export function judgeAddress(url: URL, allowed: readonly string[]): AddressVerdict {
  if (allowed.includes(url.hostname) || allowed.includes(hostAndPort(url))) return 'allowed'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return isOwnNetwork(host) || !PUBLIC_PORTS.has(url.port) ? 'refused' : 'public'
}

const hostAndPort = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
