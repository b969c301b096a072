import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { MAX_BYTES_PER_NETWORK, ReplyMemory } from '../rate-limit/reply-memory.ts'
import type { PictureFetch } from '../upstream/picture-fetch.ts'
import { createPictures, picturePage } from './pictures.ts'
import { openSiteStage, type SiteStage, type SiteStubs } from './site.test-harness.ts'

const PICTURE = { type: 'image/png', bytes: Buffer.from('a picture') }
const ADDRESS = 'https://thumbs.example/a?b=c&d=é'
const instanceSecret = 'what all nodes know and nobody else'

const memory = new ReplyMemory()

let stage: SiteStage | undefined

let now = Date.UTC(2026, 10, 15)
const clock = () => now

async function open(fetch: PictureFetch['fetch'], services: Partial<SiteStubs> = {}) {
  const pictures = createPictures({ instanceSecret, clock, fetch, memory })
  stage = await openSiteStage({ pictures, ...services }, [picturePage])
  return { pictures, get: stage.browser().get }
}

describe('the picture proxy', () => {
  it('shows the picture under its signed path, to be kept, and as nothing but a picture', async () => {
    const { pictures, get } = await open(async () => PICTURE)
    const reply = await get(pictures.signedPath(ADDRESS, 'thumbnail'))
    expect(reply.status).toBe(200)
    expect(reply.rawPayload).toEqual(PICTURE.bytes)
    expect(reply.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=86400, immutable',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    })
    expect(reply.cookies).toEqual([])
  })

  it('shows the small version of a picture that is gone or too large', async () => {
    const fetched: string[] = []
    const { pictures, get } = await open(async (address) => {
      fetched.push(address)
      if (address === ADDRESS) throw new UpstreamError('malformed', 'the picture is too large')
      return PICTURE
    })
    const path = pictures.signedPath(ADDRESS, 'picture', 'https://thumbs.example/small')
    expect((await get(path)).rawPayload).toEqual(PICTURE.bytes)
    expect(fetched).toEqual([ADDRESS, 'https://thumbs.example/small'])
    expect((await get(path.replace('small', 'other'))).status).toBe(404)
    expect((await get(path.replace(/&or=.*/, ''))).status).toBe(404)
    expect(fetched).toHaveLength(2)
    const alone = pictures.signedPath('https://thumbs.example/small', 'picture')
    expect(pictures.signedPath('javascript:x', 'picture', 'https://thumbs.example/small')).toBe(alone)
    expect(pictures.signedPath('https://thumbs.example/small', 'picture', 'javascript:x')).toBe(alone)
  })

  it('fetches nothing for a signature of another kind, another address or nobody', async () => {
    let fetched = 0
    const { pictures, get } = await open(async () => {
      fetched += 1
      return PICTURE
    })
    const path = pictures.signedPath(ADDRESS, 'icon')
    for (const forged of [
      path.replace('/icon', '/picture'),
      path.replace('thumbs.example', 'other.example'),
      path.replace(/s=[^&]+/, 's=x'),
      '/pictures/icon',
      '/pictures/constructor?u=a&s=b',
    ]) {
      expect((await get(forged)).status).toBe(404)
    }
    expect(fetched).toBe(0)
  })

  it('a path is good for a week or two, and then for nothing', async () => {
    const { pictures, get } = await open(async () => PICTURE)
    const path = pictures.signedPath(ADDRESS, 'icon')
    const statusAfter = async (days: number) => {
      now += days * 86_400_000
      return (await get(path)).status
    }
    expect(await statusAfter(0)).toBe(200)
    expect(await statusAfter(7)).toBe(200)
    expect(await statusAfter(7)).toBe(404)
    expect(pictures.signedPath(ADDRESS, 'icon')).not.toBe(path)
  })

  it('429: a network that wants too many gets none, and nothing is fetched for it', async () => {
    let fetched = 0
    const consume = async (searcher: string, quota: string) => {
      expect(searcher.startsWith('network ')).toBe(true)
      expect(quota).toBe('picture')
      return 7
    }
    const fetch = async () => {
      fetched += 1
      return PICTURE
    }
    const { pictures, get } = await open(fetch, { consume })
    const reply = await get(pictures.signedPath(ADDRESS, 'icon'))
    expect(reply).toMatchObject({ status: 429, body: '429\n', headers: { 'retry-after': '7' } })
    expect(fetched).toBe(0)
  })

  it('the same instance secret gives the same path, another one another', () => {
    const path = (secret: string) =>
      createPictures({ instanceSecret: secret, clock, fetch: async () => PICTURE, memory }).signedPath(ADDRESS, 'icon')
    expect(path('one')).toBe(path('one'))
    expect(path('one')).not.toBe(path('other'))
  })

  it.each(['javascript:alert(1)', 'data:image/png;base64,AA', `https://long.example/${'a'.repeat(2_000)}`, ''])(
    '%s has no path',
    (address) => {
      const pictures = createPictures({ instanceSecret, clock, fetch: async () => PICTURE, memory })
      expect(pictures.signedPath(address, 'icon')).toBe('')
    },
  )

  it('404: a picture that can’t be fetched, which is tried again later', async () => {
    let isBroken = true
    const { pictures, get } = await open(async () => {
      if (isBroken) throw new UpstreamError('timeout', 'too late')
      return PICTURE
    })
    const path = pictures.signedPath(ADDRESS, 'icon')
    expect((await get(path)).status).toBe(404)
    isBroken = false
    expect((await get(path)).status).toBe(200)
  })

  it('is fetched once, however many ask, and within the bounds of its kind', async () => {
    const bounds: number[] = []
    const { pictures, get } = await open(async (_address, { maxBytes }) => {
      bounds.push(maxBytes)
      return PICTURE
    })
    const path = pictures.signedPath(ADDRESS, 'icon')
    await Promise.all([get(path), get(path), get(path)])
    await get(path)
    expect(bounds).toEqual([100_000])
  })

  it('503: a network that is sent as much as it may be, and nothing stays in memory of what is fetched for it', async () => {
    const { pictures, get } = await open(async (_address, { grow }) => {
      grow(MAX_BYTES_PER_NETWORK + 1)
      return PICTURE
    })
    const reply = await get(pictures.signedPath(ADDRESS, 'picture', 'https://thumbs.example/small'))
    expect(reply).toMatchObject({ status: 503, body: '503\n', headers: { 'retry-after': '2' } })
    expect(() => memory.hold('127.0.0.1').grow(MAX_BYTES_PER_NETWORK)).not.toThrow()
  })
})
