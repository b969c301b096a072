// `bowerbird config set` and `unset`, as an operator types them.
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { DATABASE_KINDS, emptyTables, openTestDatabase } from '../keys/access.test-database.ts'
import type { SettingsContext } from '../settings/stored-settings.ts'
import {
  databaseAway,
  bowerbird as runBowerbird,
  json as runJson,
  typed,
  withSettings,
} from './command-line.test-harness.ts'

const KEY = 'BSA-canary-key'

describe.each(DATABASE_KINDS)('settings on %s', (kind) => {
  let temporary: Awaited<ReturnType<typeof openTestDatabase>>
  let access: SettingsContext
  const local = () => ({ openAccess: async () => ({ access, close: () => Promise.resolve() }) })
  const bowerbird = (line: string, stdin = '') => runBowerbird(line, { ...local(), ...typed(stdin) })
  const json = (line: string, stdin = '') => runJson(line, { ...local(), ...typed(stdin) })

  beforeAll(async () => {
    temporary = await openTestDatabase(kind)
    access = withSettings({ ...databaseAway, db: temporary.database.db, clock: Date.now, randomBytes })
  })
  afterEach(() => emptyTables(access.db, 'settings', 'audit_events'))
  afterAll(() => temporary.drop())

  it('are set and removed', async () => {
    expect(await bowerbird('config set ENGINE_B_WEIGHT 2')).toEqual({
      code: 0,
      out: 'ENGINE_B_WEIGHT is stored. Running nodes follow within a second.\n',
      err: '',
    })
    expect(await json('config set ENGINE_B_WEIGHT', '3\n')).toEqual({ changed: ['ENGINE_B_WEIGHT'] })
    expect((await bowerbird('config set ENGINE_B_WEIGHT 3')).out).toBe('ENGINE_B_WEIGHT has this value already.\n')
    expect((await access.settings.read()).values).toEqual({ ENGINE_B_WEIGHT: '3' })
    expect(await json('config unset ENGINE_B_WEIGHT')).toEqual({ changed: ['ENGINE_B_WEIGHT'] })
    expect((await bowerbird('config unset ENGINE_B_WEIGHT')).out).toMatch(/^ENGINE_B_WEIGHT is not in the database/)
    expect((await bowerbird('audit')).out.match(/settings-changed +ok .* ENGINE_B_WEIGHT/g)).toHaveLength(3)
  })

  it('are what `doctor` looks at, too', async () => {
    await bowerbird('config set BRAVE_API_KEY', `${KEY}\n`)
    const seen: unknown[] = []
    const diagnose = async (stored: unknown) => (seen.push(stored), [])
    await runBowerbird('doctor', { ...local(), diagnose })
    expect(seen).toEqual([{ BRAVE_API_KEY: KEY }])
  })

  it('a key comes from standard input alone, and is never shown', async () => {
    const typedKey = await bowerbird(`config set BRAVE_API_KEY ${KEY}`)
    expect(typedKey).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^BRAVE_API_KEY is a secret/) })
    const outputs = [typedKey, await bowerbird('config set BRAVE_API_KEY', `${KEY}\n`)]
    for (const line of ['config', 'config --json', 'audit', 'audit --json']) outputs.push(await bowerbird(line))
    for (const { out, err } of outputs) expect(out + err).not.toContain(KEY)
  })

  it('a document of an engine brings its settings, and takes them with it', async () => {
    const document = {
      bowerbird: 1,
      extends: 'karakeep',
      slug: 'links',
      name: 'Links',
    }
    const settings = { ENGINE_DOCUMENT_LINKS: JSON.stringify(document, null, 2), LINKS_URL: 'http://10.0.0.7' }
    await access.settings.change(access, { ...settings, LINKS_API_KEY: KEY, MINE: 'links' })
    expect((await bowerbird('config set LINKS_API_KEY typed')).err).toMatch(/^LINKS_API_KEY is a secret/)
    expect(await json('config unset ENGINE_DOCUMENT_LINKS')).toEqual({
      changed: ['ENGINE_DOCUMENT_LINKS', 'LINKS_API_KEY', 'LINKS_URL', 'MINE'],
    })
  })

  it.each([
    ['config set ENGINE_A lanternfish', /^ENGINE_A names an unknown engine/],
    ['config set PORT 80', /^PORT cannot be stored in the database/],
    [
      'config set BRAVE_API_KEY',
      /^The value is empty\. To remove a setting, run: bowerbird config unset BRAVE_API_KEY/,
    ],
  ])('%s is refused with a sentence', async (line, sentence) => {
    const { code, err } = await bowerbird(line)
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(sentence) })
  })

  it('what is shown and tried is what the environment and the database say together', async () => {
    const seen: unknown[] = []
    await bowerbird('config set BRAVE_API_KEY', `${KEY}\n`)
    const host = {
      ...local(),
      listEngines: (stored: unknown) => {
        seen.push(stored)
        return []
      },
      tryEngine: async (_trial: unknown, stored: unknown) => {
        seen.push(stored)
        throw new Error('tried')
      },
    }
    await runBowerbird('engines', host)
    await runBowerbird('engines try brave lamps', host)
    expect(seen).toEqual([{ BRAVE_API_KEY: 'set' }, { BRAVE_API_KEY: KEY }])
  })
})

it('without a database, the environment alone is shown, and it says so', async () => {
  const { code, out } = await runBowerbird('config')
  expect(code).toBe(0)
  expect(out).toContain(
    'Only the environment was read, not the settings in the database: The database is not available.',
  )
})
