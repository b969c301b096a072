import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { DataFolderInUse, lockDataFolder } from './data-folder-lock.ts'

/** A process that takes the lock, says so, and stays. */
async function startHolder(folder: string): Promise<ChildProcess> {
  const code = `
    import { lockDataFolder } from ${JSON.stringify(new URL('data-folder-lock.ts', import.meta.url).href)}
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
