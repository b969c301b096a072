// Commands as an operator types them, as root beside an instance that runs as another user. No command may lose the
// operator's data, or make it unusable for the instance.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chown, mkdtemp, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, inject, it } from 'vitest'
import { runCommandHere } from '../../test/support/command-here.ts'
import { createDataFolder } from '../../test/support/data-folder.ts'
import { bowerbird, startServerProcess } from '../../test/support/server-process.ts'

const NOBODY = 65_534
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']

const makeFolder = (name: string) => mkdtemp(join(inject('temporaryFolder'), name))
const foreignFiles = (folder: string) =>
  execFileSync('find', [folder, '!', '-uid', String(NOBODY)], { encoding: 'utf8' })

describe('commands on the data of an instance', () => {
  it('create no data folder, but name the one that they looked at', async () => {
    const folder = await makeFolder('missing-')
    const settings = { DATA_DIR: join(folder, 'data') }
    const none = /There is no database in \S+ \(set by DATA_DIR\)\. /
    const listed = await bowerbird(['user', 'list'], settings)
    expect(listed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(none) })
    expect(listed.stderr).toMatch(/^Data: \S+\/data \(built-in database\)\nThere is no database/)
    const saved = await runCommandHere(['backup', join(folder, 'x.backup')], settings)
    expect(saved).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(none) })
    expect(await readdir(folder)).toEqual([])
  })

  it.skipIf(process.getuid?.() !== 0)(
    'run as root leave every file to the owner of the folder',
    async () => {
      const DATA_DIR = await createDataFolder()
      execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, DATA_DIR])
      const outputs = await makeFolder('outputs-')
      const settings = { DATA_DIR, LOG_LEVEL: 'error' }
      const data = `Data: ${DATA_DIR} (built-in database)\n`

      const created = await bowerbird(
        ['user', 'create', 'ada', '--password-stdin'],
        settings,
        'correct horse battery\n',
      )
      expect(created).toMatchObject({ code: 0, stderr: data })
      expect(await bowerbird(['backup', join(outputs, 'stopped'), '--json'], settings)).toMatchObject({
        code: 0,
        stderr: data,
      })
      expect(foreignFiles(DATA_DIR)).toBe('')

      const server = await startServerProcess(settings, AS_NOBODY)
      try {
        // The instance can't write here.
        expect(await bowerbird(['backup', join(outputs, 'running')], settings)).toMatchObject({ code: 0, stderr: data })
      } finally {
        await server.stop()
      }
      for (const name of ['stopped', 'running']) {
        expect(gunzipSync(readFileSync(join(outputs, name))).toString()).toMatch(/"username":"ada".*\{"end":true\}\n$/s)
        expect(await stat(join(outputs, name))).toMatchObject({ uid: 0 })
      }
      expect((await readdir(outputs)).toSorted()).toEqual(['running', 'stopped'])
      expect(foreignFiles(DATA_DIR)).toBe('')
    },
    180_000,
  )

  it.skipIf(process.getuid?.() !== 0)(
    'a server that root starts becomes the owner for good',
    async () => {
      const DATA_DIR = await makeFolder('first-start-')
      await chown(DATA_DIR, NOBODY, NOBODY)
      const server = await startServerProcess({ DATA_DIR, LOG_LEVEL: 'error', HOST: '::' })
      try {
        const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8')
        expect(status).toMatch(new RegExp(`^Uid:(\\t${NOBODY}){4}$`, 'm'))
        expect(status).toMatch(new RegExp(`^Gid:(\\t${NOBODY}){4}$`, 'm'))
        expect(foreignFiles(DATA_DIR)).toBe('')
        const { port } = new URL(server.url)
        await expect
          .poll(() => server.printed().split('\n'))
          .toEqual([
            `Bowerbird is listening at http://[::]:${port}`,
            `Data: ${DATA_DIR} (built-in database)`,
            expect.stringMatching(
              new RegExp(`^Create the first account at http://127\\.0\\.0\\.1:${port}/setup\\?token=\\S+$`),
            ),
          ])
      } finally {
        await server.stop()
      }
      expect(existsSync(join(DATA_DIR, 'administration.sock'))).toBe(false)
    },
    180_000,
  )
})
