// The networks that a key is restricted to: addresses and CIDR ranges. A key without any works from everywhere. They are
// compared with the client's address, which is the proxy's unless TRUSTED_PROXIES names the proxy.
import { BlockList, isIP } from 'node:net'

export const MAX_NETWORKS = 20

/** Whether a key may be used from an address. */
export type NetworkCheck = (address: string) => boolean

interface Network {
  address: string
  bits: number
  family: 'ipv4' | 'ipv6'
}

const NETWORK = /^([\da-f.:]{2,45})(?:\/(\d{1,3}))?$/i

/** Reads '192.0.2.0/24', '2001:db8::/32' or a single address; undefined for anything else. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = '', written] = NETWORK.exec(text) ?? []
  const version = isIP(address)
  const maxBits = version === 4 ? 32 : 128
  const bits = written === undefined ? maxBits : Number(written)
  return version === 0 || bits > maxBits ? undefined : { address, bits, family: familyOf(version) }
}

/** Networks as people write them, separated by commas or spaces. */
export const splitNetworks = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

/** Built once for each cached key. Undefined: from everywhere. */
export function createNetworkCheck(networks: readonly string[]): NetworkCheck | undefined {
  if (networks.length === 0) return undefined
  // Node's own matcher, which takes an IPv4 address in IPv6 notation for what it is. Here, what it lists is allowed.
  const allowed = new BlockList()
  for (const text of networks) {
    const network = parseNetwork(text)
    if (network) allowed.addSubnet(network.address, network.bits, network.family)
  }
  return (address) => {
    // A link-local address may name its interface.
    const [bare = ''] = address.split('%', 1)
    const version = isIP(bare)
    return version !== 0 && allowed.check(bare, familyOf(version))
  }
}

const familyOf = (version: number): 'ipv4' | 'ipv6' => (version === 4 ? 'ipv4' : 'ipv6')
