// Keeps outgoing connections out of our own network. A provider's default address must lead to a public unicast
// address, whatever its name resolves to today; only an address that the operator configured may lead anywhere.
//
// There is no gap between check and use: Node connects to exactly the addresses that the look-up here returns and never
// resolves again, so DNS rebinding gains nothing. A literal IP address is never looked up, so it is checked separately,
// in every notation that the system would accept (`0x7f.1`, `2130706433`).
//
// With an outgoing proxy, names are the proxy's to resolve and to judge; only literal addresses, `localhost` and names
// that mean something only in a private network are checked here.
import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'
import { type OutgoingProxy, tunnelConnector } from './outgoing-proxy.ts'

interface GuardOptions {
  /** True if the operator configured this address, e.g. a SearXNG on localhost. Any address is then allowed. */
  isTrustedAddress: boolean
  /** The limit for connecting, including TLS. undici's coarse timer adds up to half a second. */
  timeoutMs: number
  /** The proxy that every connection goes through; undefined: none. */
  proxy: OutgoingProxy | undefined
  /** Resolves names; the system's resolver by default. */
  lookup?: LookupFunction
}

/** NAT64, through which an IPv6-only host reaches all of IPv4. Checked by the embedded IPv4 address. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * All IPv6 space that is allocated as public. Outside it are IPv4-mapped, IPv4-compatible, local and unassigned
 * addresses.
 */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Azure's host service: a public address that leads to the machine's own secrets. */
const HOST_SERVICES = new Set(['168.63.129.16'])

const isPublicIpv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === 'unicast' && !HOST_SERVICES.has(address.toString())

// 6to4 and Teredo are refused entirely: both embed IPv4 addresses, and neither is in use any more.
const isPublicIpv6 = (address: ipaddr.IPv6): boolean => {
  if (address.zoneId !== undefined) return false
  if (address.match(NAT64)) return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)))
  return address.match(GLOBAL_IPV6) && address.range() === 'unicast'
}

/** False for anything but a public unicast address in its usual notation. */
export const isPublicAddress = (ip: string): boolean => {
  if (isIP(ip) === 0) return false
  const address = ipaddr.parse(ip)
  return address.kind() === 'ipv4' ? isPublicIpv4(ipaddr.IPv4.parse(ip)) : isPublicIpv6(ipaddr.IPv6.parse(ip))
}

/** This machine's own addresses, which may be public. Local services may trust connections from them. */
const listOwnAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? [])

/** Normalizes an address, including an IPv4 address that is reached through NAT64. */
function normalized(ip: string): string {
  const address = ipaddr.process(ip)
  return address instanceof ipaddr.IPv6 && address.match(NAT64)
    ? new ipaddr.IPv4(address.toByteArray().slice(12)).toString()
    : address.toNormalizedString()
}

/** True for a public address that isn't this machine's. */
export const isForeignAddress = (ip: string, listOwn = listOwnAddresses): boolean =>
  isPublicAddress(ip) && !listOwn().some((address) => normalized(address) === normalized(ip))

const notPublic = () => new UpstreamError('guarded', 'the address of the provider is not public')

/** A look-up that returns only public addresses of other machines, and fails if there are none. */
export const publicOnly =
  (lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, answer) => {
      if (error) return callback(error, [])
      const addresses = typeof answer === 'string' ? [{ address: answer, family: isIP(answer) }] : answer
      const allowed = addresses.filter(({ address }) => isForeignAddress(address))
      const [first] = allowed
      if (first === undefined) return callback(notPublic(), [])
      if (options.all) return callback(null, allowed)
      callback(null, first.address, first.family)
    })
  }

/** The machine itself (RFC 6761), its network (RFC 6762, RFC 8375), and what ICANN reserves for private use. */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|home\.arpa|internal)\.?$/i

/** True for a literal address that isn't public, and for a name that never is. */
export const isOwnNetwork = (host: string): boolean =>
  ipaddr.isValid(host) ? !isForeignAddress(host) : PRIVATE_NAME.test(host)

/** HTTP/1.1 only: one multiplexed HTTP/2 session would put every search of the process behind a single socket. */
export const guardedConnector = (options: GuardOptions): buildConnector.connector => {
  const { isTrustedAddress, timeoutMs, proxy, lookup: resolve = systemLookup } = options
  const lookup = isTrustedAddress ? resolve : publicOnly(resolve)
  const connect = proxy
    ? tunnelConnector(proxy, timeoutMs)
    : buildConnector({ allowH2: false, timeout: timeoutMs, lookup })
  if (isTrustedAddress) return connect

  return (target, callback) => {
    if (isOwnNetwork(target.hostname)) {
      // Asynchronous, like a socket: undici doesn't expect the callback before the call returns.
      process.nextTick(callback, notPublic(), null)
      return
    }
    connect(target, callback)
  }
}
