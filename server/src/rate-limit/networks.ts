// The networks that an IP address belongs to. A client with one IPv6 address usually has the whole /64, many have a
// /56, and anyone who asks gets a /48: limits per address, or per /64 alone, wouldn't stop them.
import ipaddr from 'ipaddr.js'

const IPV6_NETWORKS = [
  { bytes: 8, suffix: '' },
  { bytes: 7, suffix: '/56' },
  { bytes: 6, suffix: '/48' },
]

/** Narrowest first: an IPv4 address is its own network; an IPv6 address has its /64, /56 and /48. */
export function networksOf(address: string): [narrowest: string, ...wider: string[]] {
  if (!ipaddr.isValid(address)) return ['unknown']
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return [parsed.toString()]
  const bytes = Buffer.from(parsed.toByteArray())
  const [narrowest = '', ...wider] = IPV6_NETWORKS.map(
    (network) => bytes.toString('hex', 0, network.bytes) + network.suffix,
  )
  return [narrowest, ...wider]
}
