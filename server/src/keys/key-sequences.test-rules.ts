// Random sequences of creating, using, rotating and revoking keys on three nodes, held against the plainest model: what
// a user gets out of all of it is what their living keys and ten new secrets an hour allow and, with limits for all keys
// of a user, what these allow. Real PostgreSQL and Redis; nodes hear of changes at once.
//
// Users act at the same moments, and the clock moves between them, so that many sequences share the time that input and
// output take.
import { randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect } from 'vitest'
import { CHEAP_PASSWORDS } from '../../test/support/cheap-passwords.ts'
import { takeRedis } from '../../test/support/worker-redis.ts'
import { Refusal } from '../errors.ts'
import { createLog } from '../log.ts'
import type { Limits, UserLimits } from '../rate-limit/rate-limiter.ts'
import { createRedisRateLimiter } from '../rate-limit/redis-rate-limiter.ts'
import { openRedis } from '../redis/redis-client.ts'
import { openTestDatabase } from './access.test-database.ts'
import type { AdminContext } from './admin-context.ts'
import { createLocalChangeBus } from './key-changes.ts'
import { createKey, MAX_NEW_SECRETS_PER_HOUR, revokeKey, rotateKey } from './keys.ts'
import { createKeyVerifier } from './verify-key.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const MAX_KEYS = 5
const BURST = 3
const USER_BURST = 5
const MAX_LIVING_SECRETS = 3
const NODES = 3
const USERS_AT_A_TIME = 25
const STEPS = 24
/** Long pauses come after these, so that most sequences meet the limit of an hour. */
const QUICK_STEPS = 20
/** Uses of a secret in one step: more than its limit. */
const USES = BURST + 1

const LIMITS: Limits = {
  burst: { count: BURST, windowMs: MINUTE_MS },
  sustained: { count: 100_000, windowMs: 24 * HOUR_MS },
  monthlyCap: undefined,
}
const USER_LIMITS: UserLimits = {
  burst: { count: USER_BURST, windowMs: MINUTE_MS },
  sustained: undefined,
  monthlyCap: undefined,
}

interface Step {
  act: 'create' | 'use' | 'rotate' | 'revoke'
  node: number
  /** Which of the secrets that the user has had so far; the key is the one it belongs to. */
  which: number
  graceSeconds: number
}

const aStep: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(
    ...(['create', 'create', 'create', 'create', 'rotate', 'rotate', 'rotate', 'revoke', 'use', 'use'] as const),
  ),
  node: fc.nat({ max: NODES - 1 }),
  which: fc.nat({ max: 1_000 }),
  graceSeconds: fc.constantFrom(0, 1, 3_600, 86_400),
})
/** At least a millisecond, so that it is known which of two secrets is older. */
const aPause = fc.constantFrom(1, 1, 1_000, 20_000, MINUTE_MS)
const aLongPause = fc.constantFrom(1, MINUTE_MS, 600_000, HOUR_MS - 1, HOUR_MS)

const aRun = fc.record({
  pauses: fc
    .tuple(
      fc.array(aPause, { minLength: QUICK_STEPS, maxLength: QUICK_STEPS }),
      fc.array(aLongPause, { minLength: STEPS - QUICK_STEPS, maxLength: STEPS - QUICK_STEPS }),
    )
    .map((parts) => parts.flat()),
  users: fc.array(fc.array(aStep, { minLength: STEPS, maxLength: STEPS }), {
    minLength: USERS_AT_A_TIME,
    maxLength: USERS_AT_A_TIME,
  }),
  areUsersLimited: fc.boolean(),
})

interface ModelKey {
  isRevoked: boolean
  createdAt: number
  revokedAt: number
  uses: number[]
}

interface ModelSecret {
  key: ModelKey
  madeAt: number
  endsAt: number
}

const within = (times: readonly number[], now: number, ms: number) => times.filter((time) => time > now - ms)

/** What a user has, in lists, and what each step should come to. */
class ModelUser {
  readonly keys: ModelKey[] = []
  readonly secrets: ModelSecret[] = []
  readonly uses: { at: number; key: ModelKey }[] = []

  create(now: number): string {
    if (this.keys.filter(({ isRevoked }) => !isRevoked).length >= MAX_KEYS) return 'conflict'
    if (this.#madeTooMany(now)) return 'rate_limited'
    const key = { isRevoked: false, createdAt: now, revokedAt: Number.POSITIVE_INFINITY, uses: [] }
    this.keys.push(key)
    this.secrets.push({ key, madeAt: now, endsAt: Number.POSITIVE_INFINITY })
    return 'made'
  }

  rotate({ key }: ModelSecret, now: number, graceSeconds: number): string {
    if (key.isRevoked) return 'conflict'
    if (this.#madeTooMany(now)) return 'rate_limited'
    const older = this.secrets.filter((secret) => secret.key === key)
    for (const secret of older) secret.endsAt = Math.min(secret.endsAt, now + graceSeconds * 1_000)
    const living = older.filter(({ endsAt }) => endsAt > now)
    for (const secret of living.slice(0, 1 - MAX_LIVING_SECRETS)) secret.endsAt = now
    this.secrets.push({ key, madeAt: now, endsAt: Number.POSITIVE_INFINITY })
    return 'made'
  }

  revoke({ key }: ModelSecret, now: number): string {
    if (!key.isRevoked) key.revokedAt = now
    key.isRevoked = true
    return 'revoked'
  }

  use({ key, endsAt }: ModelSecret, now: number, isUserLimited: boolean): string {
    if (key.isRevoked) return 'revoked'
    if (endsAt <= now) return 'expired'
    const isOver = within(key.uses, now, MINUTE_MS).length >= BURST
    const ofUser = this.uses.map(({ at }) => at)
    const isUserOver = isUserLimited && within(ofUser, now, MINUTE_MS).length >= USER_BURST
    if (isOver || isUserOver) return 'limited'
    key.uses.push(now)
    this.uses.push({ at: now, key })
    return 'answered'
  }

  #madeTooMany(now: number): boolean {
    const made = this.secrets.map(({ madeAt }) => madeAt)
    return within(made, now, HOUR_MS).length >= MAX_NEW_SECRETS_PER_HOUR
  }

  /** In no hour were more keys used than were living when it began, and ten. */
  expectBounds(isUserLimited: boolean): void {
    for (const { at } of this.uses) {
      const lately = this.uses.filter((use) => use.at > at - HOUR_MS && use.at <= at)
      const living = this.keys.filter(
        ({ createdAt, revokedAt }) => createdAt <= at - HOUR_MS && revokedAt > at - HOUR_MS,
      )
      expect(new Set(lately.map(({ key }) => key)).size).toBeLessThanOrEqual(living.length + MAX_NEW_SECRETS_PER_HOUR)
      const inMinute = lately.filter((use) => use.at > at - MINUTE_MS)
      if (isUserLimited) expect(inMinute.length).toBeLessThanOrEqual(USER_BURST)
    }
  }
}

async function openNodes() {
  let now = Date.UTC(2026, 10, 15, 12)
  const clock = () => now
  const log = createLog('silent')
  const { database, drop } = await openTestDatabase('postgres')
  const taken = await takeRedis()
  const prefix = `bbtest:${randomBytes(6).toString('hex')}:`
  const clockKey = `${prefix}clock`
  const changes = createLocalChangeBus()
  const access: AdminContext = {
    db: database.db,
    clock,
    randomBytes,
    changes,
    log,
    passwordCost: CHEAP_PASSWORDS,
    maxKeysPerUser: MAX_KEYS,
  }
  const clients = await Promise.all(Array.from({ length: NODES }, () => openRedis(taken.url, log)))
  const nodes = clients.map((redis) => ({
    verifier: createKeyVerifier({
      database,
      clock,
      random: Math.random,
      changes,
      log,
    }),
    rateLimiter: createRedisRateLimiter({
      redis,
      clock,
      luaClock: `tonumber(redis.call('GET', '${clockKey}'))`,
      prefix,
      loadMonthUsage: async () => ({ used: 0, validMs: HOUR_MS }),
    }),
  }))
  return {
    nodes,
    access,
    clock,
    async pass(ms: number) {
      now += ms
      await clients[0]?.send('SET', clockKey, now * 1_000)
    },
    async addUsers(count: number): Promise<string[]> {
      const rows = Array.from({ length: count }, () => ({ username: `user-${randomUUID()}`, password_hash: '' }))
      const added = await database.db.insertInto('users').values(rows).returning('id').execute()
      return added.map(({ id }) => id)
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()))
      taken.giveBack()
      await drop()
    },
  }
}

type Nodes = Awaited<ReturnType<typeof openNodes>>

/** A user with the secrets that they were given, in step with a model. */
class Actor {
  readonly model = new ModelUser()
  readonly #secrets: { full: string; keyId: string }[] = []
  readonly #parts: Nodes
  readonly #userId: string
  readonly #isLimited: boolean

  constructor(parts: Nodes, userId: string, isLimited: boolean) {
    this.#parts = parts
    this.#userId = userId
    this.#isLimited = isLimited
  }

  /** Returns what it came to, and what it should have come to. */
  async take({ act, node, which, graceSeconds }: Step): Promise<{ actual: string[]; expected: string[] }> {
    const now = this.#parts.clock()
    const at = which % Math.max(1, this.#secrets.length)
    const [own, told] = [this.#secrets[at], this.model.secrets[at]]
    if (act === 'create' || !own || !told) {
      return { actual: [`create ${await this.#create()}`], expected: [`create ${this.model.create(now)}`] }
    }
    if (act === 'use') {
      const uses: { actual: string[]; expected: string[] } = { actual: [], expected: [] }
      for (let n = 0; n < USES; n++) {
        uses.actual.push(`use ${await this.#use(own.full, node)}`)
        uses.expected.push(`use ${this.model.use(told, now, this.#isLimited)}`)
      }
      return uses
    }
    if (act === 'revoke') {
      await revokeKey(this.#access, own.keyId)
      return { actual: ['revoke revoked'], expected: [`revoke ${this.model.revoke(told, now)}`] }
    }
    const actual = `rotate ${await this.#make(() => rotateKey(this.#access, { key: own.keyId, graceSeconds }))}`
    return { actual: [actual], expected: [`rotate ${this.model.rotate(told, now, graceSeconds)}`] }
  }

  /** As the website acts for a user. */
  get #access(): AdminContext {
    return { ...this.#parts.access, actor: { userId: this.#userId, network: '' } }
  }

  #create(): Promise<string> {
    return this.#make(() => createKey(this.#access, { owner: { userId: this.#userId } }))
  }

  async #make(making: () => ReturnType<typeof createKey>): Promise<string> {
    try {
      const { key, full } = await making()
      this.#secrets.push({ full, keyId: key.id })
      return 'made'
    } catch (error) {
      if (error instanceof Refusal) return error.code
      throw error
    }
  }

  async #use(full: string, at: number): Promise<string> {
    const node = this.#parts.nodes[at]
    if (!node) throw new Error(`there is no node ${at}`)
    const verdict = await node.verifier.verify(full, '192.0.2.1')
    if (!verdict.ok) return verdict.reason
    const { keyId, userId } = verdict.key
    const user = this.#isLimited ? { id: userId, limits: USER_LIMITS } : undefined
    const consumed = await node.rateLimiter.consume({ subject: keyId, limits: LIMITS, counts: true, user })
    if (!consumed) throw new Error('Redis is away')
    return consumed.refusedBy ? 'limited' : 'answered'
  }
}

/** Runs about as many sequences, 25 at a time. */
export async function expectKeySequences(sequences: number): Promise<void> {
  const parts = await openNodes()
  const outcomes = new Set<string>()
  const property = fc.asyncProperty(aRun, async ({ pauses, users, areUsersLimited }) => {
    const ids = await parts.addUsers(users.length)
    const actors = ids.map((id) => new Actor(parts, id, areUsersLimited))
    for (const [at, pause] of pauses.entries()) {
      await parts.pass(pause)
      const taken = await Promise.all(
        actors.map(async (actor, n) => {
          const step = users[n]?.[at]
          return step ? await actor.take(step) : { actual: [], expected: [] }
        }),
      )
      for (const { actual } of taken) for (const outcome of actual) outcomes.add(outcome)
      expect(taken.map(({ actual }) => actual)).toEqual(taken.map(({ expected }) => expected))
    }
    for (const { model } of actors) model.expectBounds(areUsersLimited)
  })
  try {
    // To look for a shorter sequence takes minutes, and hides the reason behind the test's time-out.
    await fc.assert(property, { numRuns: Math.ceil(sequences / USERS_AT_A_TIME), endOnFailure: true })
  } finally {
    await parts.close()
  }
  // Every limit was met.
  expect([...outcomes]).toEqual(
    expect.arrayContaining([
      'create made',
      'create conflict',
      'create rate_limited',
      'rotate made',
      'rotate conflict',
      'rotate rate_limited',
      'revoke revoked',
      'use answered',
      'use limited',
      'use revoked',
      'use expired',
    ]),
  )
}
