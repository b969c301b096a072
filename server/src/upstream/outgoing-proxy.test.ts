import { describe, expect, it } from 'vitest'
import { parseOutgoingProxy } from './outgoing-proxy.ts'

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`

describe('the URL of an outgoing proxy', () => {
  it.each([
    ['http://proxy.example:3128', 'http://proxy.example:3128', undefined],
    ['http://10.0.0.7:8888/', 'http://10.0.0.7:8888', undefined],
    ['https://[fd00::1]', 'https://[fd00::1]', undefined],
    ['http://ada:s3cret@proxy.example:3128', 'http://proxy.example:3128', basic('ada:s3cret')],
    ['https://ada@proxy.example', 'https://proxy.example', basic('ada:')],
    ['http://ada:a%3Ab%40c%C3%A9@proxy.example', 'http://proxy.example', basic('ada:a:b@cé')],
  ])('%s is read, and its credentials become a header', (text, origin, authorization) => {
    expect(parseOutgoingProxy(text)).toEqual({ origin, authorization })
  })

  it.each([
    'proxy.example:3128',
    'proxy.example',
    'socks5://proxy.example:1080',
    'http://',
    'http://proxy.example/path',
    'http://proxy.example?url=',
    'http://proxy.example#x',
    'http://ada:100%@proxy.example',
    'direct',
  ])('%s is not one', (text) => {
    expect(parseOutgoingProxy(text)).toBeUndefined()
  })
})
