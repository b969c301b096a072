// How a site's robots.txt, in any state, applies to us.

import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { FetchRefusal } from '../upstream/untrusted-fetch.ts'
import { createRobots } from './robots.ts'

function robotsOf(answer: string | Error) {
  const asked: string[] = []
  const robots = createRobots({
    async fetch(address) {
      asked.push(address)
      if (answer instanceof Error) throw answer
      return { address, contentType: 'text/plain', bytes: Buffer.from(answer), etag: '', lastModified: '' }
    },
  })
  const isAllowed = async (address: string) => {
    try {
      await robots.requireAllowed(new URL(address))
      return true
    } catch (error) {
      if (error instanceof FetchRefusal && error.reason === 'robots') return false
      throw error
    }
  }
  return { isAllowed, asked }
}

describe('robots.txt', () => {
  it('what is disallowed for everyone is disallowed for us', async () => {
    const { isAllowed, asked } = robotsOf('User-agent: *\nDisallow: /private/\nAllow: /private/open')
    expect(await isAllowed('https://site.example/private/a')).toBe(false)
    expect(await isAllowed('https://site.example/private/open')).toBe(true)
    expect(await isAllowed('https://site.example/public')).toBe(true)
    expect(asked).toEqual(['https://site.example/robots.txt'])
  })

  it('rules for us take precedence over rules for everyone', async () => {
    const { isAllowed } = robotsOf('User-agent: *\nDisallow: /\n\nUser-agent: bowerbird\nDisallow: /no')
    expect(await isAllowed('https://site.example/yes')).toBe(true)
    expect(await isAllowed('https://site.example/no')).toBe(false)
  })

  it('each scheme and port has its own', async () => {
    const { isAllowed, asked } = robotsOf('')
    await isAllowed('https://site.example/')
    await isAllowed('http://site.example:8080/')
    expect(asked).toEqual(['https://site.example/robots.txt', 'http://site.example:8080/robots.txt'])
  })

  it.each([
    ['is missing', new FetchRefusal('status', 404), true],
    ['is too large', new FetchRefusal('too_large'), true],
    ['fails with a server error', new FetchRefusal('status', 503), false],
  ])('one that %s', async (_what, answer, expected) => {
    expect(await robotsOf(answer).isAllowed('https://site.example/')).toBe(expected)
  })

  it('one that could not be fetched is requested again', async () => {
    const { isAllowed, asked } = robotsOf(new UpstreamError('timeout', 'late'))
    await expect(isAllowed('https://site.example/')).rejects.toThrow('late')
    await expect(isAllowed('https://site.example/')).rejects.toThrow('late')
    expect(asked).toHaveLength(2)
  })
})
