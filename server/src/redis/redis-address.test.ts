import { describe, expect, it } from 'vitest'
import { parseRedisAddress, redisOptionsOf } from './redis-address.ts'

const optionsOf = (text: string) => {
  const address = parseRedisAddress(text)
  return address && { kind: address.kind, hosts: address.hosts, options: redisOptionsOf(address) }
}

describe('the address of Redis', () => {
  it('may be one server', () => {
    expect(optionsOf('redis://cache.internal')?.options).toEqual({ host: 'cache.internal', port: 6379, db: 0 })
    expect(optionsOf('redis://ada:p%40ss%3Aword@[::1]:7000/3/')?.options).toEqual({
      host: '::1',
      port: 7000,
      db: 3,
      username: 'ada',
      password: 'p@ss:word',
    })
    expect(optionsOf('rediss://:secret@10.0.0.1:6380')?.options).toEqual({
      host: '10.0.0.1',
      port: 6380,
      db: 0,
      password: 'secret',
      tls: {},
    })
  })

  it('may be Sentinels and the name of a master', () => {
    expect(optionsOf('redis+sentinel://ada:secret@one,two:26380/main/2?sentinel_password=other')?.options).toEqual({
      username: 'ada',
      password: 'secret',
      db: 2,
      name: 'main',
      sentinelPassword: 'other',
      sentinels: [
        { host: 'one', port: 26379 },
        { host: 'two', port: 26380 },
      ],
    })
    expect(optionsOf('rediss+sentinel://one/main')?.options).toMatchObject({
      tls: {},
      sentinelTLS: {},
      enableTLSForSentinelMode: true,
    })
  })

  it('may be some servers of a cluster', () => {
    const { kind, hosts } = optionsOf('redis+cluster://one:7000,two:7001') ?? {}
    expect(kind).toBe('cluster')
    expect(hosts).toEqual([
      { host: 'one', port: 7000 },
      { host: 'two', port: 7001 },
    ])
  })

  it.each([
    'cache.internal',
    'http://cache.internal',
    'redis://',
    'redis://one,two',
    'redis://one:70000',
    'redis://one/main',
    'redis+sentinel://one',
    'redis+sentinel:///main',
    'redis+cluster://one/1',
    'redis+other://one',
    'redis://one?unknown=1',
    'redis://%zz@one',
  ])('is not %s', (text) => {
    expect(parseRedisAddress(text)).toBeUndefined()
  })

  it('names files that must be there', () => {
    const detail = 'The file that sslrootcert names in the address of Redis cannot be read.'
    const open = () => optionsOf('rediss://one?sslrootcert=/nowhere/ca.pem')
    expect(open).toThrow(expect.objectContaining({ body: { detail } }))
  })
})
