import { randomBytes } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { CHEAP_PASSWORDS } from '../../test/support/cheap-passwords.ts'
import { DATABASE_KINDS, openTestDatabase } from '../keys/access.test-database.ts'
import { createLocalChangeBus, subscribeToRulesChanges } from '../keys/key-changes.ts'
import { createLog } from '../log.ts'
import type { SettingsContext } from '../settings/stored-settings.ts'
import { bowerbird as runBowerbird, json as runJson, typed, withSettings } from './command-line.test-harness.ts'

describe.each(DATABASE_KINDS)('bowerbird rules on %s', (kind) => {
  let temporary: Awaited<ReturnType<typeof openTestDatabase>>
  let access: SettingsContext
  let announced = 0
  let prefix: string
  const local = () => ({ openAccess: async () => ({ access, close: () => Promise.resolve() }) })
  const bowerbird = (line: string, stdin = '') => runBowerbird(line, { ...local(), ...typed(stdin) })
  const json = (line: string) => runJson(line, local())

  beforeAll(async () => {
    temporary = await openTestDatabase(kind)
    const changes = createLocalChangeBus()
    subscribeToRulesChanges(changes, () => {
      announced += 1
    })
    access = withSettings({
      db: temporary.database.db,
      clock: Date.now,
      randomBytes,
      changes,
      log: createLog('silent'),
      passwordCost: CHEAP_PASSWORDS,
    })
    await bowerbird('user create alice --password-stdin', 'four unrelated plain words')
    prefix = String((await json('key create alice'))['prefix'])
  })
  afterAll(() => temporary.drop())

  it('sets, lists and removes rules of the instance, a person and a key, apart from each other', async () => {
    await bowerbird('rules block farm.example')
    await bowerbird('rules rewrite video.example front.example')
    await bowerbird('rules raise docs.example --user alice')
    await bowerbird(`rules pin www.Pinned.example --key ${prefix}`)
    expect(announced).toBe(4)
    expect((await json('rules list'))['own']).toEqual([
      { pattern: 'video.example', action: 'rewrite', to: 'front.example' },
      { pattern: 'farm.example', action: 'block' },
    ])
    expect((await json('rules list --user alice'))['own']).toEqual([{ pattern: 'docs.example', action: 'raise' }])
    expect((await json(`rules list --key ${prefix}`))['own']).toEqual([{ pattern: 'pinned.example', action: 'pin' }])
    expect((await bowerbird('rules list')).out).toMatch(
      /rewrite +video\.example +front\.example\nblock +farm\.example\n/,
    )
    await bowerbird('rules remove farm.example')
    expect((await bowerbird('rules export')).out).toMatch(/rewrite video\.example front\.example/)
    expect(await bowerbird('rules remove farm.example')).toMatchObject({ code: 1 })
  })

  it('imports a file, telling what it can not read, and subscribes to lists', async () => {
    const folder = await mkdtemp(join(inject('temporaryFolder'), 'rules-'))
    const path = join(folder, 'list.txt')
    await writeFile(path, '*://*.one.example/*\n/expression/\n')
    const imported = await json(`rules import ${path} --user alice`)
    expect(imported).toMatchObject({ added: 1, problems: [expect.stringMatching(/^Line 2: /)] })
    expect((await bowerbird('rules import --user alice', 'two.example\n')).out).toBe('Imported 1 rules.\n')
    expect(await bowerbird(`rules import ${folder}/missing`)).toMatchObject({ code: 1 })
    await bowerbird('rules subscribe https://lists.example/a.txt --action lower --user alice')
    const { own, subscriptions } = await json('rules list --user alice')
    expect(own).toHaveLength(3)
    expect(subscriptions).toMatchObject([{ address: 'https://lists.example/a.txt', action: 'lower', fetched_at: null }])
    await bowerbird('rules unsubscribe https://lists.example/a.txt --user alice')
    expect((await json('rules list --user alice'))['subscriptions']).toEqual([])
  })

  it.each([
    'rules block nothing',
    'rules block example.org --user nobody',
    'rules block example.org --key nothing',
    'rules rewrite example.org no/host',
    'rules subscribe ftp://lists.example',
    'rules unsubscribe 7',
  ])('refuses %s in a sentence', async (line) => {
    const { code, err } = await bowerbird(line)
    expect(code).toBe(1)
    expect(err).toMatch(/^[A-Z-].*\.\n$/)
  })
})
