import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { Refusal } from '../errors.ts'
import { DataFolderInUse, ensureDatabaseFile, lockDataFolder, secureDataFolder } from './data-folder.ts'

/** A process that takes the lock, says so, and stays. */
async function startHolder(folder: string): Promise<ChildProcess> {
  const code = `
    import { lockDataFolder } from ${JSON.stringify(new URL('data-folder.ts', import.meta.url).href)}
    await lockDataFolder(${JSON.stringify(folder)})
    console.log('held')
    setTimeout(() => {}, 60_000)`
  const holder = spawn(process.execPath, ['--input-type=module-typescript', '--eval', code])
  await once(holder.stdout, 'data')
  return holder
}

describe('lockDataFolder', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(inject('temporaryFolder'), 'lock-'))
  })

  it('one holder at a time, also within a process and under another name of the folder', async () => {
    const unlock = await lockDataFolder(folder)
    const alias = join(await mkdtemp(join(inject('temporaryFolder'), 'lock-')), 'alias')
    await symlink(folder, alias)
    for (const name of [folder, alias]) await expect(lockDataFolder(name)).rejects.toThrow(DataFolderInUse)
    unlock()
    ;(await lockDataFolder(alias))()
    expect(await readdir(folder)).toEqual(['bowerbird.lock.db'])
  })

  it('of many that come at once exactly one gets it', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataFolder(folder)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('a process keeps its lock after others were refused, and loses it when it is killed', async () => {
    const holder = await startHolder(folder)
    for (let i = 0; i < 3; i++) await expect(lockDataFolder(folder)).rejects.toThrow(DataFolderInUse)
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    ;(await lockDataFolder(folder))()
  })

  it('a process that was refused does not take the lock away from the one in its own process', async () => {
    const unlock = await lockDataFolder(folder)
    await expect(lockDataFolder(folder)).rejects.toThrow(DataFolderInUse)
    const other = spawn(process.execPath, ['--eval', tryLock(join(folder, 'bowerbird.lock.db'))])
    expect((await once(other, 'exit'))[0]).toBe(5)
    unlock()
  })

  it('a folder that cannot be made is refused with the reason of the file system', async () => {
    await writeFile(join(folder, 'file'), '')
    await expect(lockDataFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
    await mkdir(join(folder, 'blocked', 'bowerbird.lock.db'), { recursive: true })
    await expect(lockDataFolder(join(folder, 'blocked'))).rejects.toThrow('cannot be locked')
  })
})

/** Ends with SQLite's number for what happened. */
const tryLock = (path: string) => `
  const { DatabaseSync } = require('node:sqlite')
  try { new DatabaseSync(${JSON.stringify(path)}).exec('begin exclusive') } catch (error) { process.exit(error.errcode) }`

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777

const refusalOf = async (folder: string): Promise<unknown> =>
  await secureDataFolder(folder).then(
    () => undefined,
    (error: unknown) => (error instanceof Refusal ? error.body : error),
  )

describe('secureDataFolder', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(inject('temporaryFolder'), 'data-'))
    for (const name of ['bowerbird.lock.db', 'bowerbird.db', 'bowerbird.db-wal'])
      await writeFile(join(folder, name), '')
  })

  it.each([0o755, 0o777, 0o750])('an open folder (%o) is closed', async (mode) => {
    await chmod(folder, mode)
    await secureDataFolder(folder)
    expect(await modeOf(folder)).toBe(0o700)
  })

  it('a folder that holds more than our data is left alone and refused, with the command that closes it', async () => {
    await writeFile(join(folder, 'thesis.txt'), 'x')
    await chmod(folder, 0o755)
    expect(await refusalOf(folder)).toEqual({
      detail: `Other users of this machine can open the data folder ${folder}. Run: chmod 700 '${folder}', or set DATA_DIR to a folder of its own.`,
    })
    expect(await modeOf(folder)).toBe(0o755)
    await chmod(folder, 0o700)
    await secureDataFolder(folder)
  })

  it.skipIf(process.getuid?.() !== 0)(
    'a folder of another user that is open to all is refused, to a group is not',
    async () => {
      // Changing the mode of somebody else's folder takes root, so this process stops being root for a moment.
      const asNobody = async (work: () => Promise<unknown>) => {
        process.seteuid?.(65_534)
        try {
          return await work()
        } finally {
          process.seteuid?.(0)
        }
      }
      const shared = await mkdtemp(join(inject('temporaryFolder'), 'shared-'))
      await chmod(shared, 0o777)
      expect(await asNobody(() => refusalOf(shared))).toEqual({
        detail: `Other users of this machine can open the data folder ${shared}. Run: chmod 700 '${shared}' as its owner.`,
      })
      await chown(shared, 0, 65_534)
      await chmod(shared, 0o2770)
      process.setegid?.(65_534)
      try {
        expect(await asNobody(() => refusalOf(shared))).toBeUndefined()
      } finally {
        process.setegid?.(0)
      }
    },
  )
})

describe('the file of the database', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(inject('temporaryFolder'), 'data-'))
  })
  const path = () => join(folder, 'bowerbird.db')

  it('is made for its owner alone, and closed to others if it was open', async () => {
    expect(await ensureDatabaseFile(folder, true)).toBe(true)
    expect(await modeOf(path())).toBe(0o600)
    await chmod(path(), 0o666)
    await ensureDatabaseFile(folder, true)
    expect(await modeOf(path())).toBe(0o600)
  })

  it('is not made by a command that only uses one', async () => {
    expect(await ensureDatabaseFile(folder, false)).toBe(false)
    expect(await readdir(folder)).toEqual([])
    // As a power cut may leave it.
    await writeFile(path(), '')
    expect(await ensureDatabaseFile(folder, false)).toBe(false)
    await writeFile(path(), 'x')
    expect(await ensureDatabaseFile(folder, false)).toBe(true)
  })
})
