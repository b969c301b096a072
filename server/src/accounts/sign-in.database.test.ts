import { describe, expect, it } from 'vitest'
import { DATABASE_KINDS } from '../keys/access.test-database.ts'
import { PASSWORD, setUpAccounts, VISITOR } from './accounts.test-harness.ts'
import { RECOMMENDED_COST } from './passwords.ts'
import { disableUser, resetPassword, setPassword } from './users.ts'

const MINUTE_MS = 60_000
const WRONG = { outcome: 'refused', reason: 'wrong' }
const EXPIRED = { outcome: 'refused', reason: 'expired' }

describe.each(DATABASE_KINDS)('signing in on %s', (kind) => {
  const stage = setUpAccounts(kind)
  const sessionsOf = (userId: string) => stage.accounts.sessions.list(userId)

  /** The password is right and something else is asked for. */
  async function ticketFor(username: string, step: 'code' | 'password', password = PASSWORD): Promise<string> {
    const verdict = await stage.signIn(username, password)
    expect(verdict).toEqual({ outcome: 'next', step, ticket: expect.stringMatching(/^[\w-]{43}$/) })
    return verdict.outcome === 'next' ? verdict.ticket : ''
  }

  it('accepts the right name, in any case, with the right password, however old it is', async () => {
    const { username } = await stage.addUser()
    stage.now += 10 * 365 * 24 * 60 * MINUTE_MS
    expect(await stage.signIn(username.toUpperCase())).toEqual({
      outcome: 'signed-in',
      session: expect.any(String),
      device: expect.any(String),
    })
  })

  it('says the same for a wrong password and for a name that nobody has', async () => {
    const { id, username } = await stage.addUser()
    expect(await stage.signIn(username, 'wrong password')).toEqual(WRONG)
    expect(await stage.signIn('nobody', PASSWORD)).toEqual(WRONG)
    expect(await stage.signIn("\0' or 1=1", PASSWORD)).toEqual(WRONG)
    expect(await stage.signIn('', '')).toEqual(WRONG)
    expect(await sessionsOf(id)).toEqual([])
  })

  it('takes as long for a name that nobody has as for one that somebody has', async () => {
    stage.access.passwordCost = RECOMMENDED_COST
    const { username } = await stage.addUser()
    /** Of CPU, over all threads: a busy machine must not look like a slow password. */
    const shortest = async (name: string) => {
      const times: number[] = []
      for (let n = 0; n < 2; n++) {
        const before = process.cpuUsage()
        await stage.createNode().signIn.withPassword({ username: name, password: 'wrong password' }, VISITOR)
        times.push(process.cpuUsage(before).user)
      }
      return Math.min(...times)
    }
    const [known, unknown] = [await shortest(username), await shortest('nobody')]
    expect(unknown).toBeGreaterThan(known / 8)
    expect(known).toBeGreaterThan(unknown / 8)
  })

  it('tells only whoever knows the password that the account is disabled', async () => {
    const { username } = await stage.addUser()
    await disableUser(stage.access, username)
    expect(await stage.signIn(username, 'wrong password')).toEqual(WRONG)
    expect(await stage.signIn(username)).toEqual({ outcome: 'refused', reason: 'disabled' })
  })

  it('waits after a few wrong passwords, then even for the right one, and lets through who has waited', async () => {
    const { username } = await stage.addUser()
    for (let n = 0; n < 6; n++) expect(await stage.signIn(username, 'wrong password')).toEqual(WRONG)
    expect(await stage.signIn(username)).toEqual({ outcome: 'wait', retryAfterSeconds: 2 })
    stage.now += 2_000
    expect(await stage.signIn(username)).toMatchObject({ outcome: 'signed-in' })
    expect(await stage.signIn(username, 'wrong password')).toEqual(WRONG)
  })

  it("a hundred concurrent guesses don't get a hundred checks", async () => {
    const { username } = await stage.addUser()
    const verdicts = await Promise.all(
      Array.from({ length: 100 }, (_, n) => stage.signIn(username, `guess number ${n}`)),
    )
    expect(verdicts.filter(({ outcome }) => outcome === 'refused')).toHaveLength(6)
    expect(verdicts.filter(({ outcome }) => outcome === 'wait')).toHaveLength(94)
  })

  it("a password that is changed while it is being checked doesn't sign in", async () => {
    const { id, username } = await stage.addUser()
    for (let n = 0; n < 5; n++) {
      const before = n % 2 === 0 ? PASSWORD : 'battery staple'
      const after = n % 2 === 0 ? 'battery staple' : PASSWORD
      await Promise.all([stage.signIn(username, before), setPassword(stage.access, username, after)])
      // Whichever came first: the old password has no session left.
      expect(await sessionsOf(id)).toEqual([])
      stage.now += MINUTE_MS
    }
  })

  describe('on a known device', () => {
    /** Signs in and returns what the browser keeps. */
    async function deviceOf(username: string, password = PASSWORD): Promise<string> {
      const verdict = await stage.signIn(username, password)
      if (verdict.outcome !== 'signed-in') throw new Error(`the sign-in ended with ${verdict.outcome}`)
      return verdict.device
    }

    /** So many guesses in a minute, from two hundred networks. Returns how many were checked. */
    async function attack(username: string, guesses: number, node = stage.accounts): Promise<number> {
      let checked = 0
      for (let n = 0; n < guesses; n++) {
        stage.now += MINUTE_MS / guesses
        const visitor = { ...VISITOR, address: `198.51.100.${n % 200}` }
        const guess = await node.signIn.withPassword({ username, password: `guess number ${n}` }, visitor)
        if (guess.outcome === 'refused') checked++
      }
      return checked
    }

    it('the owner gets in during an attack, before and after a restart of all nodes; strangers get few guesses', async () => {
      const { username } = await stage.addUser()
      const device = await deviceOf(username)
      const elsewhere = { ...VISITOR, address: '203.0.113.5' }
      const credentials = { username, password: PASSWORD }
      for (const node of [stage.accounts, stage.createNode()]) {
        // Six at once, then one each after 2, 4, 8 and 16 more seconds.
        expect(await attack(username, 100, node)).toBeLessThanOrEqual(11)
        expect(await node.signIn.withPassword(credentials, elsewhere)).toMatchObject({ outcome: 'wait' })
        const owner = await node.signIn.withPassword(credentials, { ...elsewhere, device })
        expect(owner).toMatchObject({ outcome: 'signed-in' })
      }
    })

    it('guesses are few as well, and end with the password', async () => {
      const { id, username } = await stage.addUser()
      const device = await deviceOf(username)
      const guess = async (n: number) => (await stage.signIn(username, `guess number ${n}`, { device })).outcome
      const outcomes: string[] = []
      for (let n = 0; n < 100; n++) outcomes.push(await guess(n))
      expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(6)
      // A new password: whoever has the old token is a stranger again, and the browser that changed it has a new one.
      const change = { current: PASSWORD, next: 'battery staple' }
      const changed = await stage.accounts.ownAccount.changePassword({ ...VISITOR, userId: id, username }, change)
      if (!changed.ok) throw new Error(changed.reason)
      await attack(username, 60)
      const withDevice = (token: string) => stage.signIn(username, 'battery staple', { device: token })
      expect(await withDevice(device)).toMatchObject({ outcome: 'wait' })
      expect(await withDevice(changed.value.device)).toMatchObject({ outcome: 'signed-in' })
    })

    it("someone else's device is not known, nor is one that was made up", async () => {
      const [lena, mallory] = [await stage.addUser(), await stage.addUser()]
      const device = await deviceOf(mallory.username)
      await attack(lena.username, 60)
      for (const token of [device, `${'A'.repeat(22)}.${'A'.repeat(22)}`, 'nonsense', '']) {
        expect([token, await stage.signIn(lena.username, PASSWORD, { device: token })]).toMatchObject([
          token,
          { outcome: 'wait' },
        ])
      }
    })

    it('codes of strangers who know the password do not lock the owner out', async () => {
      const user = await stage.addUser()
      const device = await deviceOf(user.username)
      const { secret } = await stage.enrol(user)
      const use = async (code: string, visitor: Partial<typeof VISITOR>) => {
        const ticket = await ticketFor(user.username, 'code')
        return await stage.accounts.signIn.withCode({ ticket, code }, { ...VISITOR, ...visitor })
      }
      for (let n = 0; n < 40; n++) await use('000000', { address: `198.51.100.${n}` })
      expect(await use(stage.codeFor(secret), { address: '203.0.113.5' })).toMatchObject({ outcome: 'wait' })
      expect(await use(stage.codeFor(secret), { device })).toMatchObject({ outcome: 'signed-in' })
    })
  })

  describe('with a second factor', () => {
    it('the password alone gives a ticket, which is not a session; the code then does, once', async () => {
      const user = await stage.addUser()
      const { secret, recoveryCodes } = await stage.enrol(user)
      const ticket = await ticketFor(user.username, 'code')
      expect(await sessionsOf(user.id)).toEqual([])
      expect(await stage.accounts.sessions.find(ticket)).toBeUndefined()
      expect(await stage.accounts.signIn.findStep(ticket)).toMatchObject({ step: 'code', hasApp: true })
      const verdict = await stage.accounts.signIn.withCode({ ticket, code: stage.codeFor(secret) }, VISITOR)
      expect(verdict).toMatchObject({ outcome: 'signed-in' })
      expect(await sessionsOf(user.id)).toHaveLength(1)
      const again = { ticket, code: recoveryCodes[0] ?? '' }
      expect(await stage.accounts.signIn.withCode(again, VISITOR)).toEqual(EXPIRED)
    })

    it('a ticket ends after ten minutes, after five wrong codes, and with a new password', async () => {
      const user = await stage.addUser()
      const { secret } = await stage.enrol(user)
      const use = (ticket: string, code: string, by = stage.accounts) => by.signIn.withCode({ ticket, code }, VISITOR)
      const late = await ticketFor(user.username, 'code')
      stage.now += 10 * MINUTE_MS
      expect(await use(late, stage.codeFor(secret))).toEqual(EXPIRED)

      const guessed = await ticketFor(user.username, 'code')
      for (let n = 0; n < 5; n++) expect(await use(guessed, '000000')).toEqual(WRONG)
      expect(await use(guessed, stage.codeFor(secret), stage.createNode())).toEqual(EXPIRED)

      const overtaken = await ticketFor(user.username, 'code')
      await setPassword(stage.access, user.username, PASSWORD)
      expect(await use(overtaken, stage.codeFor(secret))).toEqual(EXPIRED)
    })

    it('codes are throttled by the user: the right password does not buy more guesses', async () => {
      const user = await stage.addUser()
      await stage.enrol(user)
      const outcomes: string[] = []
      for (let n = 0; n < 4; n++) {
        const ticket = await ticketFor(user.username, 'code')
        for (let guess = 0; guess < 5; guess++) {
          outcomes.push((await stage.accounts.signIn.withCode({ ticket, code: '000000' }, VISITOR)).outcome)
        }
      }
      expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(6)
      expect(outcomes.filter((outcome) => outcome === 'wait')).toHaveLength(14)
    })

    it('a ticket for one step does not do for another, and nonsense for none', async () => {
      const user = await stage.addUser()
      await stage.enrol(user)
      const ticket = await ticketFor(user.username, 'code')
      const { signIn } = stage.accounts
      expect(await signIn.withNewPassword({ ticket, password: 'battery staple' }, VISITOR)).toEqual(EXPIRED)
      expect(await signIn.withCode({ ticket: 'nonsense', code: '000000' }, VISITOR)).toEqual(EXPIRED)
      expect(await signIn.findStep('nonsense')).toBeUndefined()
    })
  })

  describe('with a password that an administrator has made', () => {
    it('asks for another before there is a session, and the made one is then worth nothing', async () => {
      const user = await stage.addUser()
      const { password } = await resetPassword(stage.access, user.username, { alsoRemoveSecondFactor: false })
      const { signIn } = stage.accounts
      const ticket = await ticketFor(user.username, 'password', password)
      expect(await sessionsOf(user.id)).toEqual([])
      expect(await signIn.withNewPassword({ ticket, password }, VISITOR)).toEqual({
        outcome: 'refused',
        reason: 'same',
      })
      await expect(signIn.withNewPassword({ ticket, password: 'short' }, VISITOR)).rejects.toMatchObject({
        status: 400,
      })
      const chosen = 'battery staple'
      expect(await signIn.withNewPassword({ ticket, password: chosen }, VISITOR)).toMatchObject({
        outcome: 'signed-in',
      })
      expect(await signIn.withNewPassword({ ticket, password: 'and another one' }, VISITOR)).toEqual(EXPIRED)
      expect(await stage.signIn(user.username, password)).toEqual(WRONG)
      expect(await stage.signIn(user.username, chosen)).toMatchObject({ outcome: 'signed-in' })
    })

    it('asks for the code first if the second factor is on', async () => {
      const user = await stage.addUser()
      const { secret } = await stage.enrol(user)
      const { password } = await resetPassword(stage.access, user.username, { alsoRemoveSecondFactor: false })
      const ticket = await ticketFor(user.username, 'code', password)
      const verdict = await stage.accounts.signIn.withCode({ ticket, code: stage.codeFor(secret) }, VISITOR)
      expect(verdict).toMatchObject({ outcome: 'next', step: 'password' })
      expect(await sessionsOf(user.id)).toEqual([])
    })
  })
})
