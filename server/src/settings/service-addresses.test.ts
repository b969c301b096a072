import { describe, expect, it } from 'vitest'
import { readConfiguration, requireConfiguration } from './configuration.ts'
import { allowedHosts, judgeAddress, parseAddress, parseHost } from './service-addresses.ts'

const judge = (address: string, allowed: readonly string[] = []) => {
  const url = parseAddress(address)
  return url && judgeAddress(url, allowed)
}

describe('the address of a person’s service', () => {
  it.each(['https://links.example.org', 'http://links.example.org/app', 'https://192.0.78.9:8443', 'http://[2606::1]'])(
    '%s is public',
    (address) => expect(judge(address)).toBe('public'),
  )

  it.each([
    'http://127.0.0.1',
    'http://2130706433',
    'http://0x7f.1',
    'http://localhost',
    'http://api.localhost.',
    'http://nas.local',
    'http://links.internal',
    'http://10.0.0.7',
    'http://169.254.169.254',
    'http://168.63.129.16',
    'http://[::1]',
    'http://[::ffff:10.0.0.7]',
    'https://links.example.org:6379',
    'http://links.example.org:22',
  ])('%s is refused unless the operator allows it', (address) => {
    expect(judge(address)).toBe('refused')
    const { hostname } = new URL(address)
    expect(judge(address, [hostname])).toBe('allowed')
    expect(judge(address, [`${hostname}:1`])).toBe('refused')
  })

  it.each([
    'links.example.org',
    'ftp://links.example.org',
    'https://ada:secret@links.example.org',
    'https://a.example/?q=',
    'https://a.example/#x',
    'https://',
    'javascript:alert(1)',
  ])('%s is none', (address) => expect(judge(address)).toBeUndefined())

  it('is allowed at a host with its port, whichever way the port is written', () => {
    expect(judge('http://nas.home:8000/app', ['nas.home:8000'])).toBe('allowed')
    expect(judge('http://10.0.0.7', ['10.0.0.7:80'])).toBe('allowed')
    expect(judge('https://10.0.0.7', ['10.0.0.7:80'])).toBe('refused')
    expect(judge('https://10.0.0.7', ['10.0.0.7:443'])).toBe('allowed')
  })
})

describe('MINE_HOSTS', () => {
  it.each([
    ['NAS.home', 'nas.home'],
    ['nas.home:80', 'nas.home:80'],
    ['192.168.1.5:8000', '192.168.1.5:8000'],
    ['[::1]:8000', '[::1]:8000'],
    ['[::1]', '[::1]'],
    ['0x7f.1', '127.0.0.1'],
  ])('%s means %s', (text, host) => expect(parseHost(text)).toBe(host))

  it.each(['http://nas.home', 'nas.home/app', 'ada@nas.home', 'nas.home:99999', '::1', '*', ''])(
    '%s is a mistake',
    (text) => expect(parseHost(text)).toBeUndefined(),
  )

  it('adds to the hosts of the engines in MINE, and only of those', () => {
    const env = {
      MINE: 'karakeep',
      KARAKEEP_URL: 'http://127.0.0.1:3000',
      KARAKEEP_API_KEY: 'key',
      ENGINE_D: 'searxng',
      SEARXNG_URL: 'http://127.0.0.1:4000',
      MINE_HOSTS: 'nas.home, 10.0.0.7:8000',
    }
    const configuration = requireConfiguration(readConfiguration(env))
    expect(allowedHosts(configuration)).toEqual(['nas.home', '10.0.0.7:8000', '127.0.0.1:3000'])
    expect(allowedHosts(requireConfiguration(readConfiguration({})))).toEqual([])
    expect(readConfiguration({ MINE_HOSTS: 'http://nas.home' }).verdict).toMatchObject({
      ok: false,
      mistakes: [{ env: 'MINE_HOSTS' }],
    })
  })
})
