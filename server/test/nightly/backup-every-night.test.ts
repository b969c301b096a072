// The nightly backup and the test restore in docs/operate/upgrade-and-backup.md, command by command.
import { copyFile, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDataFolder } from '../support/data-folder.ts'
import { pathTo } from '../support/install-story.ts'
import { blocksRunBy, openPageShell, type PageShell } from '../support/page-commands.ts'
import { bowerbird, startServerProcess } from '../support/server-process.ts'

const DAY_MS = 86_400_000
const parts = new AsyncDisposableStack()
const [script, testRestore] = blocksRunBy('docs/operate/upgrade-and-backup.md', 'backup-every-night')
let folder: string
let backups: string
let shell: PageShell

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bb-every-night-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  backups = join(folder, 'backups')
  const settings = { DATA_DIR: await createDataFolder() }
  const server = await startServerProcess(settings)
  parts.defer(() => server.stop())
  await bowerbird(['user', 'create', 'ada', '--password-stdin'], settings, 'correct horse battery\n')
  // `docker exec bowerbird bowerbird …` runs the command of this clone.
  const path = await pathTo(folder, { docker: 'shift 2; exec "$@"' })
  const replacements = { '/var/backups/bowerbird': backups }
  shell = await openPageShell({ cwd: folder, env: { ...settings, PATH: path }, replacements })
  parts.defer(() => shell.close())
})
afterAll(() => parts.disposeAsync())

it('keeps the backups of thirty days', async () => {
  await shell.run(script?.commands ?? '')
  await shell.run('./bowerbird-backup')
  const today = `bowerbird-${new Date().toISOString().slice(0, 10)}.backup`
  expect(await readdir(backups)).toEqual([today])
  for (const [name, days] of [['bowerbird-old.backup', 32] as const, ['bowerbird-recent.backup', 29] as const]) {
    await writeFile(join(backups, name), '')
    const then = new Date(Date.now() - days * DAY_MS)
    await utimes(join(backups, name), then, then)
  }
  await shell.run('./bowerbird-backup')
  expect((await readdir(backups)).toSorted()).toEqual([today, 'bowerbird-recent.backup'].toSorted())
  await copyFile(join(backups, today), join(folder, 'bowerbird.backup'))
})

it('keeps what it has if a backup fails', async () => {
  const before = await readdir(backups)
  await shell.run('PATH=/usr/bin:/bin ./bowerbird-backup && exit 1 || true')
  expect((await readdir(backups)).filter((name) => name.endsWith('.backup'))).toEqual(before)
})

it('restores the backup into an empty folder, and finds the users', async () => {
  expect(await shell.run(testRestore?.commands ?? '')).toMatch(/Restored \d+ rows[\s\S]*\nada +active/)
})
