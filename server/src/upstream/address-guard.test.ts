import type { LookupAddress } from 'node:dns'
import { createServer, type LookupFunction } from 'node:net'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { guardedConnector, isForeignAddress, isPublicAddress, publicOnly } from './address-guard.ts'

const refused: Record<string, string> = {
  'this host': '0.0.0.0 0.1.2.3 ::',
  loopback: '127.0.0.1 127.255.255.254 ::1',
  private: '10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255',
  'link-local': '169.254.0.1 169.254.169.254 fe80::1 febf::1 fe80::1%eth0',
  'unique-local': 'fc00::1 fd12:3456:789a::1 fd00:ec2::254',
  'site-local': 'fec0::1',
  'carrier-grade NAT': '100.64.0.1 100.127.255.255',
  multicast: '224.0.0.1 239.255.255.255 ff02::1',
  'reserved and tests': '192.0.0.1 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1',
  'reserved and documentation': '240.0.0.1 255.255.255.255 100::1 2001:db8::1 3fff::1 2001:2::1 4000::1 5f00::1',
  'IPv4 mapped into IPv6': '::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1',
  'IPv4-compatible IPv6': '::127.0.0.1 ::7f00:1 ::10.0.0.1 ::8.8.8.8',
  '6to4 and Teredo': '2002:7f00:1:: 2002:a00:1::1 2002:808:808::1 2001:0:4136:e378:8000:63bf:80ff:fffe',
  'NAT64 to a private address': '64:ff9b::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::8.8.8.8',
  'the host service of a cloud': '168.63.129.16 64:ff9b::168.63.129.16',
  'odd notation': '2130706433 0x7f.1 017700000001 0x7f000001 127.1 010.0.0.1 8.8.8.8. 134744072',
  'not an address': ' localhost example.org 1.2.3 1.2.3.4.5 256.1.1.1 [::1] 8.8.8.8:80',
  'a public address with a zone': '2606:4700::1111%eth0',
}

const allowed: Record<string, string> = {
  'IPv4 just outside the special ranges':
    '8.8.8.8 1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 169.253.255.255 223.255.255.255 126.255.255.255',
  IPv6: '2606:4700:4700::1111 2001:4860:4860::8888 2a00:1450:4001:81b::200e 64:ff9b::8.8.8.8',
}

const octet = fc.nat(255)
const between = (min: number, max: number) => fc.integer({ min, max })
const ipv4 = (...parts: fc.Arbitrary<number>[]) => fc.tuple(...parts).map((octets) => octets.join('.'))
const anyPrivateIpv4 = fc.oneof(
  ipv4(fc.constantFrom(0, 10, 127), octet, octet, octet),
  ipv4(fc.constant(172), between(16, 31), octet, octet),
  ipv4(fc.constant(192), fc.constant(168), octet, octet),
  ipv4(fc.constant(169), fc.constant(254), octet, octet),
  ipv4(fc.constant(100), between(64, 127), octet, octet),
  ipv4(between(224, 255), octet, octet, octet),
)

describe('a public address', () => {
  it.each(Object.entries(refused))('is not: %s', (_, addresses) => {
    expect(addresses.split(' ').filter(isPublicAddress)).toEqual([])
  })

  it.each(Object.entries(allowed))('is: %s', (_, addresses) => {
    expect(addresses.split(' ').filter((address) => !isPublicAddress(address))).toEqual([])
  })

  it('is never in a private IPv4 range, nor one embedded in IPv6', () => {
    fc.assert(
      fc.property(anyPrivateIpv4, fc.constantFrom('', '::', '::ffff:', '::ffff:0:', '64:ff9b::'), (address, prefix) => {
        expect(isPublicAddress(prefix + address)).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is every IPv4 address outside the special ranges', () => {
    const ordinary = between(1, 223).filter((first) => ![10, 100, 127, 169, 172, 192, 198, 203].includes(first))
    fc.assert(fc.property(ipv4(ordinary, octet, octet, octet), isPublicAddress))
  })

  it('is never outside 2000::/3, whatever the rest, NAT64 aside', () => {
    const group = fc.nat(0xffff).map((value) => value.toString(16))
    const first = fc.oneof(between(0, 0x1fff), between(0x4000, 0xffff)).filter((value) => value !== 0x64)
    fc.assert(
      fc.property(first, fc.tuple(group, group, group, group, group, group, group), (head, rest) => {
        expect(isPublicAddress([head.toString(16), ...rest].join(':'))).toBe(false)
      }),
    )
  })
})

describe('our own address', () => {
  const own = () => ['93.184.215.14', '2606:4700:0:0:0:0:0:77', 'fe80::1%eth0']

  it.each(['93.184.215.14', '2606:4700::77', '64:ff9b::93.184.215.14'])('is not foreign: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
    expect(isForeignAddress(address, own)).toBe(false)
  })

  it.each(['93.184.215.15', '2606:4700::78'])('is not that of a neighbour: %s', (address) => {
    expect(isForeignAddress(address, own)).toBe(true)
  })
})

const resolvingTo =
  (...addresses: string[]): LookupFunction =>
  (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

const resolve = (lookup: LookupFunction, all: boolean): Promise<unknown> =>
  new Promise((done) => {
    lookup('name.example', { all }, (error, answer, family) => done(error ?? (all ? answer : [answer, family])))
  })

describe('a guarded lookup', () => {
  it('keeps only the public addresses of a DNS answer', async () => {
    const lookup = publicOnly(resolvingTo('10.0.0.1', '8.8.8.8', '::1', '2606:4700::1111'))
    expect(await resolve(lookup, true)).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ])
    expect(await resolve(lookup, false)).toEqual(['8.8.8.8', 4])
  })

  it('fails when none is left', async () => {
    const lookup = publicOnly(resolvingTo('127.0.0.1', '::ffff:8.8.8.8'))
    expect(await resolve(lookup, true)).toMatchObject({ kind: 'guarded' })
    expect(await resolve(lookup, false)).toMatchObject({ kind: 'guarded' })
  })
})

describe('a guarded connector', () => {
  const connectTo = (
    hostname: string,
    port: string,
    options: { isTrustedAddress: boolean; lookup?: LookupFunction },
  ) => {
    const connect = guardedConnector({ timeoutMs: 1_000, proxy: undefined, ...options })
    return new Promise<unknown>((done) => {
      connect({ hostname, host: `${hostname}:${port}`, protocol: 'http:', port }, (error, socket) => {
        socket?.destroy()
        done(error ?? 'connected')
      })
    })
  }

  it('reaches loopback only for a trusted address, under none of its names', async () => {
    let connections = 0
    const server = createServer(() => {
      connections += 1
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const address = server.address()
    const port = String(typeof address === 'object' ? address?.port : '')

    for (const name of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '017700000001',
      '::ffff:127.0.0.1',
      'localhost',
      '0.0.0.0',
    ])
      expect(await connectTo(name, port, { isTrustedAddress: false }), name).toMatchObject({ kind: 'guarded' })
    expect(connections).toBe(0)
    expect(await connectTo('127.0.0.1', port, { isTrustedAddress: true })).toBe('connected')
    expect(await connectTo('localhost', port, { isTrustedAddress: true })).toBe('connected')
    await new Promise((closed) => server.close(closed))
  })

  it('checks the lookup of each connection, so a name that changes its address is refused', async () => {
    const answers = ['8.8.8.8', '127.0.0.1']
    const asked: unknown[] = []
    const changing: LookupFunction = (hostname, options, callback) => {
      asked.push(hostname)
      resolvingTo(answers.shift() ?? '127.0.0.1')(hostname, options, callback)
    }
    expect(await resolve(publicOnly(changing), true)).toEqual([{ address: '8.8.8.8', family: 4 }])
    expect(await connectTo('name.example', '9', { isTrustedAddress: false, lookup: changing })).toMatchObject({
      kind: 'guarded',
    })
    expect(asked).toHaveLength(2)
  })
})
