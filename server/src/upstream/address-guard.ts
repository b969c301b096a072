// Keeps outgoing connections out of our own network. A provider's default address must lead to a public unicast address,
// whatever its name resolves to today; only an address the operator typed himself may lead anywhere.
//
// There is no gap between check and use: Node connects to exactly the addresses that the look-up here lets through and
// never resolves again, so a name that changes its answer gains nothing. A host that is a literal is never looked up,
// which is why it is judged on its own, in every notation the system would understand (`0x7f.1`, `2130706433`).
import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'
import { UpstreamError } from '../errors.ts'

interface GuardOptions {
  /** True when the operator named this address himself, e.g. his own SearXNG on localhost: any address is let through. */
  isTrustedAddress: boolean
  /** For the connection, TLS included. undici's coarse timer adds up to half a second. */
  timeoutMs: number
  /** Who resolves names; the system unless given. */
  lookup?: LookupFunction
}

/** IPv4 behind a NAT64 gateway: how an IPv6-only host sees the whole of IPv4. Judged by the IPv4 address inside. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** All that is handed out as public IPv6. Outside it are IPv4-mapped, IPv4-compatible, local and unassigned addresses. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

const isPublicIpv4 = (address: ipaddr.IPv4): boolean => address.range() === 'unicast'

// 6to4 and Teredo are refused whole: both embed IPv4 addresses, and neither is in use any more.
const isPublicIpv6 = (address: ipaddr.IPv6): boolean => {
  if (address.zoneId !== undefined) return false
  if (address.match(NAT64)) return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)))
  return address.match(GLOBAL_IPV6) && address.range() === 'unicast'
}

/** False for everything that is not a public unicast address in its usual notation. */
export const isPublicAddress = (ip: string): boolean => {
  if (isIP(ip) === 0) return false
  const address = ipaddr.parse(ip)
  return address.kind() === 'ipv4' ? isPublicIpv4(ipaddr.IPv4.parse(ip)) : isPublicIpv6(ipaddr.IPv6.parse(ip))
}

const refusal = () => new UpstreamError('blocked', 'the address of the provider is not a public one')

/** A look-up that answers only with public addresses, and fails when none is left. */
export const publicOnly =
  (lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, answer) => {
      if (error) return callback(error, [])
      const addresses = typeof answer === 'string' ? [{ address: answer, family: isIP(answer) }] : answer
      const allowed = addresses.filter(({ address }) => isPublicAddress(address))
      const [first] = allowed
      if (first === undefined) return callback(refusal(), [])
      if (options.all) return callback(null, allowed)
      callback(null, first.address, first.family)
    })
  }

/** HTTP/1.1 only: one multiplexed HTTP/2 session would put every search of the process behind a single socket. */
export const guardedConnector = (options: GuardOptions): buildConnector.connector => {
  const { isTrustedAddress, timeoutMs, lookup = systemLookup } = options
  if (isTrustedAddress) return buildConnector({ allowH2: false, timeout: timeoutMs, lookup })

  const connect = buildConnector({ allowH2: false, timeout: timeoutMs, lookup: publicOnly(lookup) })
  return (target, callback) => {
    if (ipaddr.isValid(target.hostname) && !isPublicAddress(target.hostname)) {
      // Later, as a socket would: undici does not expect its answer before the call returns.
      process.nextTick(callback, refusal(), null)
      return
    }
    connect(target, callback)
  }
}
