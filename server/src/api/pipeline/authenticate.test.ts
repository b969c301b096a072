import { afterEach, describe, expect, it, vi } from 'vitest'
import { type ApiReply, setUpApi } from '../api.test-harness.ts'

const stage = setUpApi()

afterEach(() => vi.useRealTimers())

let addresses = 0
/** Wrong keys are limited by client address, so each test uses its own. */
const freshAddress = () => `192.0.2.${++addresses}`

const ask = (authorization: string | undefined, from = freshAddress()) =>
  stage.get('/api/v1/key/', { key: null, from, headers: authorization === undefined ? {} : { authorization } })

function expectUnauthorized({ status, json, headers }: ApiReply): string {
  expect(status).toBe(401)
  expect(headers['www-authenticate']).toBe('Api-Key')
  expect(Object.keys(json)).toEqual(['detail'])
  return json.detail
}

describe('the Authorization header', () => {
  it.each(['Api-Key <key>', 'api-key <key>', 'API-KEY <key>', 'Api-Key    <key>', 'Api-Key <key>  '])(
    'is accepted as %j',
    async (written) => {
      expect((await ask(written.replace('<key>', stage.addKey()))).status).toBe(200)
    },
  )

  it('401: is missing, and the detail says how to send it', async () => {
    expect(expectUnauthorized(await ask(undefined))).toBe(
      'Send your API key in this header: Authorization: Api-Key <API_KEY>.',
    )
  })

  it.each([
    ['empty', ''],
    ['the scheme alone', 'Api-Key'],
    ['the scheme and a space', 'Api-Key '],
    ['the key alone', 'KEY'],
    ['another scheme', 'Bearer KEY'],
    ['a scheme that only begins like ours', 'Api-Keys KEY'],
    ['two keys', 'Api-Key KEY KEY'],
    ['a key of 201 characters', `Api-Key ${'k'.repeat(201)}`],
  ])('401: is %s', async (_, written) => {
    const detail = expectUnauthorized(await ask(written.replaceAll('KEY', stage.addKey())))
    expect(detail).toBe('The Authorization header must have the form: Api-Key <API_KEY>.')
  })

  it('401: a header that cannot be a key does not count as a guess', async () => {
    const address = freshAddress()
    for (let i = 0; i < 30; i++) expectUnauthorized(await ask('Bearer nonsense', address))
    expect(stage.consumed).toEqual([])
  })
})

describe('a key', () => {
  it.each(['cached', 'not cached'])('200: is valid and %s', async (where) => {
    const key = stage.addKey({ name: 'agent' }, { isCached: where === 'cached' })
    expect((await ask(`Api-Key ${key}`)).json).toMatchObject({ name: 'agent' })
  })

  it.each([
    ['malformed', 'copied all of it'],
    ['unknown', 'does not exist'],
    ['revoked', 'revoked'],
    ['expired', 'expired'],
  ] as const)('401: is %s, and the detail says so, cached or not', async (reason, words) => {
    for (const isCached of [true, false]) {
      const key = stage.addWrongKey(reason, { isCached })
      expect(expectUnauthorized(await ask(`Api-Key ${key}`))).toContain(words)
    }
  })

  it('403: belongs to a disabled account, without a challenge', async () => {
    const { status, json, headers } = await ask(`Api-Key ${stage.addWrongKey('disabled')}`)
    expect({ status, json }).toEqual({
      status: 403,
      json: { detail: 'The account that owns this API key is disabled.' },
    })
    expect(headers['www-authenticate']).toBeUndefined()
  })

  it('503: cannot be checked now, with Retry-After', async () => {
    const { status, json, headers } = await ask(`Api-Key ${stage.addWrongKey('unavailable')}`)
    expect(status).toBe(503)
    expect(json.detail).toMatch(/cannot be checked right now/)
    expect(headers['retry-after']).toBe('5')
  })

  it('no reply repeats the key', async () => {
    for (const reason of ['malformed', 'unknown', 'revoked', 'expired', 'disabled', 'unavailable'] as const) {
      const key = stage.addWrongKey(reason)
      expect((await ask(`Api-Key ${key}`)).text).not.toContain(key)
    }
  })
})

describe('wrong keys from one address', () => {
  /** Sends as many wrong keys as an address may. */
  async function useUp(from: string): Promise<void> {
    for (let i = 0; i < 20; i++) expectUnauthorized(await ask(`Api-Key wrong-${i}`, from))
  }

  it('429: after twenty in a minute, with the wait in detail and Retry-After', async () => {
    const from = freshAddress()
    await useUp(from)
    const { status, json, headers } = await ask('Api-Key wrong-again', from)
    expect(status).toBe(429)
    expect(json.detail).toBe(`Request was throttled. Expected available in ${headers['retry-after']} seconds.`)
    expect(headers['retry-after']).toBe('60')
  })

  it('429: then every key that is not cached, without looking it up', async () => {
    const from = freshAddress()
    await useUp(from)
    await ask('Api-Key wrong-again', from)
    const uncached = stage.addKey({}, { isCached: false })
    const counted = stage.consumed.length
    expect((await ask(`Api-Key ${uncached}`, from)).status).toBe(429)
    expect(stage.consumed.length).toBe(counted)
  })

  it('429: also from different addresses of one IPv6 network, without consuming any key’s limit', async () => {
    const counted = stage.consumed.length
    const statuses: number[] = []
    for (let n = 1; n <= 40; n++)
      statuses.push((await ask(`Api-Key wrong-${n}`, `2001:db8:7:7::${n.toString(16)}`)).status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(20)
    expect(stage.consumed.length).toBe(counted)
  })

  it('do not affect cached keys or other addresses', async () => {
    const from = freshAddress()
    await useUp(from)
    await ask('Api-Key wrong-again', from)
    expect((await ask(`Api-Key ${stage.addKey()}`, from)).status).toBe(200)
    expectUnauthorized(await ask('Api-Key wrong-again'))
  })

  it('are checked again once the wait is over', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const from = freshAddress()
    await useUp(from)
    expect((await ask('Api-Key wrong-again', from)).status).toBe(429)
    stage.now += 60_000
    vi.advanceTimersByTime(59_000)
    expect((await ask('Api-Key wrong-again', from)).status).toBe(429)
    vi.advanceTimersByTime(1_000)
    expectUnauthorized(await ask('Api-Key wrong-again', from))
  })

  it('do not include keys that were once valid', async () => {
    const from = freshAddress()
    const keys = [stage.addWrongKey('revoked'), stage.addWrongKey('expired'), stage.addWrongKey('disabled')]
    for (let i = 0; i < 30; i++) expect((await ask(`Api-Key ${keys[i % 3]}`, from)).status).toBeOneOf([401, 403])
    expect(stage.consumed).toEqual([])
  })
})
