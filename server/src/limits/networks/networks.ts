// The networks that an address belongs to. Anyone with one IPv6 address usually has the whole /64, many have a /56, and
// anyone who asks gets a /48: limits that look at single addresses, or at the /64 alone, would not stop them.
import ipaddr from 'ipaddr.js'

const IPV6_NETWORKS = [
  { bytes: 8, suffix: '' },
  { bytes: 7, suffix: '/56' },
  { bytes: 6, suffix: '/48' },
]

/** From the narrowest to the widest: an IPv4 address is its own network; of an IPv6 address /64, /56 and /48. */
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
