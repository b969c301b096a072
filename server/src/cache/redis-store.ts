// The provider responses shared by all nodes, and the leases that decide which node fetches a missing one. The responses of a
// search and their leases share a hash tag, so that on a cluster one script can look up all the responses and take the
// leases on the missing ones. Keys are hashed and values encrypted (`response-encryption.ts`). What the text of a response
// means is up to `single-flight.ts`; it comes back as stored, or as '' if another program wrote it.
//
// A lease lives for less than two seconds and is renewed while its holder fetches the response, so a killed node delays the
// others by no more than that. It is a courtesy, not a lock: if a holder stalls, another node may fetch the response as
// well.
//
// A response is stored as `<its life in ms> <text>`, so its age is that life minus its remaining TTL, and no node's clock
// matters. A lease contains its holder's name, or `!<reason>` for a while after a failure, when no node calls the
// provider.
import { randomBytes } from 'node:crypto'
import type { RedisClient, Reply } from '../redis/redis-client.ts'
import { defineScript } from '../redis/redis-client.ts'
import type { ResponseEncryption } from './response-encryption.ts'

export interface WantedEntry {
  slug: string
  /** An older response is not used. */
  lifeMs: number
  /** An older response is used, and should be refreshed. */
  softMs: number
}

/** A lease that this node holds until one of these is called. None of them waits for Redis. */
export interface ResponseLease {
  store: (text: string, lifeMs: number) => void
  /** For a second, no node fetches this response; they get the reason instead. */
  fail: (reason: string) => void
  /** The next node may try. */
  release: () => void
}

export interface FoundResponse {
  /** Undefined if there is no usable response. */
  text: string | undefined
  ageMs: number
  /** If the response is missing or old: this node has the lease, another node is fetching it, or that has just failed. */
  lease: ResponseLease | undefined
  isBeingFetched: boolean
  failure: string | undefined
}

export interface RedisStore {
  /** Looks up all responses in one round trip and leases missing or old ones. Undefined if Redis is unavailable. */
  find: (base: string, wanted: readonly WantedEntry[]) => Promise<FoundResponse[] | undefined>
  /** Returns the texts that exist, in one round trip and without taking leases. */
  read: (wanted: readonly { base: string; slug: string }[]) => Promise<string[]>
  /** Stores a response that was fetched without a lease. Doesn't wait for Redis. */
  store: (base: string, slug: string, response: { text: string; lifeMs: number }) => void
}

/**
 * Long enough that a node with a thousand concurrent requests still renews in time; a dead node delays the others for
 * no longer than this.
 */
const LEASE_MS = 1_700
const FAILURE_MS = 1_000
/** Most calls are over before the first renewal. */
const RENEW_EVERY_MS = 500

/**
 * KEYS: for each response, the response and its lease. ARGV: the holder, life of a lease in ms, then for each response the age from
 * which it is too old to be used and the age from which it should be refreshed.
 * Returns for each response [response or nil, its age, state]. The state is '' if there is nothing to do, '+' if this node now
 * holds the lease, '-' if another node holds it, '!<reason>' after a failure.
 */
const findResponses = defineScript(`
local found = {}
for at = 1, #KEYS, 2 do
  local response, age, state = redis.call('GET', KEYS[at]), 0, ''
  local life, left = response and tonumber(string.match(response, '^%d+')), redis.call('PTTL', KEYS[at])
  if life and left >= 0 then age = life - left else response = false end
  if age < 0 or age >= tonumber(ARGV[at + 2]) then response = false end
  if not response or age >= tonumber(ARGV[at + 3]) then
    local holder = redis.call('GET', KEYS[at + 1])
    -- A value that never expires, or expires later than a lease would, isn't a lease.
    local ends = holder and redis.call('PTTL', KEYS[at + 1])
    if not holder or ends < 0 or ends > tonumber(ARGV[2]) then
      redis.call('SET', KEYS[at + 1], ARGV[1], 'PX', ARGV[2])
      state = '+'
    else
      state = string.sub(holder, 1, 1) == '!' and holder or '-'
    end
  end
  found[#found + 1] = { response, age, state }
end
return found
`)

/** KEYS: a response and its lease. ARGV: holder or '', life in ms, text. A response fetched without a lease is stored too. */
const storeResponse = defineScript(`
redis.call('SET', KEYS[1], ARGV[2] .. ' ' .. ARGV[3], 'PX', ARGV[2])
if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('DEL', KEYS[2]) end
`)

/** KEYS: a lease. ARGV: holder, its new value (the holder to renew it, or `!<reason>`), its life in ms; 0 to end it. */
const changeLease = defineScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return end
if ARGV[3] == '0' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
`)

export function createRedisStore(redis: RedisClient, encryption: ResponseEncryption, prefix = 'bb:'): RedisStore {
  const { nameOf, encrypt, decrypt } = encryption
  const node = randomBytes(9).toString('base64url')
  const keyAt = (name: string, slug: string) => `${prefix}response:{${name}}:${slug}`
  let lookupCount = 0

  function store(response: string, holder: string, { text, lifeMs }: { text: string; lifeMs: number }): void {
    void redis.evaluate(storeResponse, [response, `${response}:lease`], [holder, lifeMs, encrypt(text, response)])
  }

  function hold(response: string, holder: string): ResponseLease {
    const change = (value: string, ms: number) =>
      void redis.evaluate(changeLease, [`${response}:lease`], [holder, value, ms])
    const renewing = setInterval(() => change(holder, LEASE_MS), RENEW_EVERY_MS).unref()
    return {
      store(text, lifeMs) {
        clearInterval(renewing)
        store(response, holder, { text, lifeMs })
      },
      fail(reason) {
        clearInterval(renewing)
        change(`!${reason}`, FAILURE_MS)
      },
      release() {
        clearInterval(renewing)
        change('', 0)
      },
    }
  }

  /** Reads one triple of the `findResponses` reply. */
  function readFound(reply: Reply | undefined, response: string, holder: string): FoundResponse {
    const [value, ageMs, state] = Array.isArray(reply) ? reply : []
    return {
      text: typeof value === 'string' ? decrypt(textOf(value), response) : undefined,
      ageMs: Number(ageMs),
      lease: state === '+' ? hold(response, holder) : undefined,
      isBeingFetched: state === '-',
      failure: typeof state === 'string' && state.startsWith('!') ? state.slice(1) : undefined,
    }
  }

  return {
    async find(base, wanted) {
      lookupCount += 1
      const holder = `${node}.${lookupCount}`
      const name = nameOf(base)
      const responses = wanted.map(({ slug }) => keyAt(name, slug))
      const keys = responses.flatMap((response) => [response, `${response}:lease`])
      const ages = wanted.flatMap(({ lifeMs, softMs }) => [lifeMs, softMs])
      const reply = await redis.evaluate(findResponses, keys, [holder, LEASE_MS, ...ages])
      return Array.isArray(reply) ? responses.map((response, at) => readFound(reply[at], response, holder)) : undefined
    },
    async read(wanted) {
      const names = wanted.map(({ base, slug }) => keyAt(nameOf(base), slug))
      const responses = await Promise.all(names.map((name) => redis.send('GET', name)))
      return responses.flatMap((response, at) =>
        typeof response === 'string' ? [decrypt(textOf(response), names[at] ?? '')] : [],
      )
    },
    store: (base, slug, response) => store(keyAt(nameOf(base), slug), '', response),
  }
}

/** Strips the response's life from the front. */
const textOf = (response: string): string => response.slice(response.indexOf(' ') + 1)
