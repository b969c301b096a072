import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createNetworkCheck, parseNetwork, splitNetworks } from './allowed-networks.ts'

const isAllowed = (networks: string[], address: string) => createNetworkCheck(networks)?.(address)

describe('the networks of a key', () => {
  it('are addresses and ranges of either version', () => {
    for (const text of [
      '192.0.2.1',
      '192.0.2.0/24',
      '0.0.0.0/0',
      '2001:db8::',
      '2001:DB8::/32',
      '::/0',
      '::ffff:192.0.2.1',
    ])
      expect(parseNetwork(text) !== undefined, text).toBe(true)
    for (const text of [
      '',
      'home',
      '192.0.2',
      '192.0.2.0/33',
      '192.0.2.0/',
      '192.0.2.0/-1',
      '010.0.0.1',
      '1',
      '2001:db8::/129',
      'fe80::1%eth0',
      '192.0.2.0/24/1',
      '[::1]',
    ])
      expect(parseNetwork(text), text).toBe(undefined)
  })

  it('are written in a row, with commas or spaces', () => {
    expect(splitNetworks(' 192.0.2.0/24,\n2001:db8::/32 ,, 198.51.100.7 ')).toEqual([
      '192.0.2.0/24',
      '2001:db8::/32',
      '198.51.100.7',
    ])
  })

  it('are all, if there are none', () => {
    expect(createNetworkCheck([])).toBeUndefined()
  })

  it('let in an address of any of them, in whatever notation it arrives, and nothing else', () => {
    const networks = ['192.0.2.128/25', '2001:db8:1::/48', '198.51.100.7', 'fe80::/10']
    for (const address of [
      '192.0.2.128',
      '192.0.2.255',
      '::ffff:192.0.2.200',
      '2001:db8:1:ffff::1',
      '198.51.100.7',
      'fe80::1%eth0',
    ])
      expect(isAllowed(networks, address), address).toBe(true)
    for (const address of [
      '192.0.2.127',
      '192.0.3.128',
      '2001:db8:2::1',
      '198.51.100.8',
      '::1',
      '',
      'unknown',
      '192.0.2.200, 1',
    ])
      expect(isAllowed(networks, address), address).toBe(false)
  })

  it('IPv4: contain exactly the addresses that share their first bits', () => {
    const address = fc.nat({ max: 2 ** 32 - 1 })
    const write = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
    fc.assert(
      fc.property(fc.tuple(address, fc.nat({ max: 32 })), address, fc.boolean(), ([network, bits], other, isNear) => {
        // One that differs only in the last few bits is the interesting case.
        const asked = isNear ? (network ^ (other >>> 28)) >>> 0 : other
        const share = 2 ** (32 - bits)
        const isInside = Math.floor(network / share) === Math.floor(asked / share)
        expect(isAllowed([`${write(network)}/${bits}`], write(asked))).toBe(isInside)
      }),
      { numRuns: 1_000 },
    )
  })
})
