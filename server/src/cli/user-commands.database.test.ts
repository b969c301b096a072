// `bowerbird audit`, and that what is done by commands is in it.
import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { CHEAP_PASSWORDS } from '../../test/support/cheap-passwords.ts'
import { DATABASE_KINDS, openTestDatabase } from '../keys/access.test-database.ts'
import { createLocalChangeBus } from '../keys/key-changes.ts'
import { createLog } from '../log.ts'
import type { SettingsContext } from '../settings/stored-settings.ts'
import { bowerbird as runBowerbird, json as runJson, typed, withSettings } from './command-line.test-harness.ts'

const NOW = Date.UTC(2026, 10, 15, 12)

describe.each(DATABASE_KINDS)('bowerbird audit on %s', (kind) => {
  let temporary: Awaited<ReturnType<typeof openTestDatabase>>
  let access: SettingsContext
  const local = () => ({ openAccess: async () => ({ access, close: () => Promise.resolve() }) })
  const bowerbird = (line: string, stdin = '') => runBowerbird(line, { ...local(), ...typed(stdin) })
  const json = (line: string) => runJson(line, local())

  beforeAll(async () => {
    temporary = await openTestDatabase(kind)
    const { db } = temporary.database
    access = withSettings({
      db,
      clock: () => NOW,
      randomBytes,
      changes: createLocalChangeBus(),
      log: createLog('silent'),
      passwordCost: CHEAP_PASSWORDS,
    })
    await bowerbird('user create alice --admin --password-stdin', 'four unrelated plain words')
    await bowerbird('user create bob --password-stdin', 'four unrelated plain words')
    await bowerbird('key create alice --name laptop')
    await bowerbird('key rotate 1')
    await bowerbird('key revoke 1')
    await bowerbird('user disable bob')
    await bowerbird('user enable bob')
    await bowerbird('user set-password bob --password-stdin', 'four other plain words')
  })
  afterAll(() => temporary.drop())

  it('lists what commands did as JSON, newest first', async () => {
    const { events } = (await json('audit')) as { events: { event: string; username: string }[] }
    expect(events.map(({ event, username }) => `${event} ${username}`)).toEqual([
      'password-reset bob',
      'user-enabled bob',
      'user-disabled bob',
      'key-revoked alice',
      'key-rotated alice',
      'key-created alice',
      'user-created bob',
      'user-created alice',
    ])
    expect(events.at(-1)).toEqual({
      id: expect.stringMatching(/^\d+$/),
      at: new Date(NOW).toISOString(),
      event: 'user-created',
      outcome: 'ok',
      actor: null,
      actor_id: null,
      username: 'alice',
      user_id: expect.stringMatching(/^\d+$/),
      key_id: null,
      via: 'command line',
      system_user: 'uid 0, ada',
      network: '',
      detail: 'administrator',
    })
  })

  it('lists them as text, by user, by event, up to a limit', async () => {
    const { out } = await bowerbird('audit --user alice --event key-created')
    expect(out).toBe(
      [
        'AT (UTC)             EVENT        OUTCOME  USERNAME  BY            NETWORK  DETAIL',
        '2026-11-15 12:00:00  key-created  ok       alice     (uid 0, ada)  -        key 1',
        '',
      ].join('\n'),
    )
    expect((await json('audit --limit 3'))['events']).toHaveLength(3)
    expect((await bowerbird('audit --event access-denied')).out).toBe('No events found.\n')
  })

  it('refuses an unknown user and an unknown event', async () => {
    expect(await bowerbird('audit --user mallory')).toMatchObject({
      code: 1,
      err: 'There is no user with this name.\n',
    })
    expect((await bowerbird('audit --event nonsense')).err).toMatch(/^--event: Choose from sign-in, /)
    expect((await bowerbird('audit --limit none')).code).toBe(2)
  })

  it('a backup and a restore are in it', async () => {
    const folder = await mkdtemp(join(inject('temporaryFolder'), 'audit-'))
    const file = join(folder, 'bowerbird.backup')
    await json(`backup ${file}`)
    await bowerbird(`user disable bob`)
    await json(`restore ${file} --force`)
    const { events } = (await json('audit --limit 2')) as { events: { event: string; system_user: string }[] }
    // The backup was made before it was recorded.
    expect(events.map(({ event, system_user }) => `${event} by ${system_user}`)).toEqual([
      'restore by uid 0, ada',
      'password-reset by uid 0, ada',
    ])
    await json(`backup ${file}-2`)
    expect((await json('audit --limit 1'))['events']).toMatchObject([{ event: 'backup', system_user: 'uid 0, ada' }])
  })

  it('creates a service, which owns keys and gets no password', async () => {
    expect(await json('user create printer --service')).toMatchObject({ is_admin: false, is_service: true })
    expect((await bowerbird('user list')).out).toMatch(/^printer +active +service /m)
    expect(await json('key create printer')).toMatchObject({ username: 'printer' })
    expect((await bowerbird('user set-password printer --password-stdin', 'four unrelated plain words')).code).toBe(1)
    expect((await bowerbird('user create both --service --admin')).code).toBe(2)
  })

  it('deletes an account, after a question or with --yes, but never the last administrator', async () => {
    await bowerbird('user create carol --password-stdin', 'four unrelated plain words')
    const asked = await bowerbird('user delete carol')
    expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('Add --yes')])
    expect((await bowerbird('user delete carol --yes')).out).toBe('Deleted carol.\n')
    expect(await bowerbird('user delete carol --yes')).toMatchObject({
      code: 1,
      err: 'There is no user with this name.\n',
    })
    expect((await bowerbird('user delete alice --yes')).err).toMatch(/^This is the last enabled administrator/)
    expect((await json('audit --limit 1'))['events']).toMatchObject([{ event: 'user-deleted', username: null }])
  })

  it('a common password is refused on the command line too', async () => {
    const common = await bowerbird('user create carol --password-stdin', '1234567890')
    expect([common.code, common.err]).toEqual([1, expect.stringMatching(/^password: This password is too common/)])
    const named = await bowerbird('user set-password bob --password-stdin', 'bob-bob-1999')
    expect([named.code, named.err]).toEqual([1, expect.stringMatching(/^password: This password is little more than/)])
  })
})
