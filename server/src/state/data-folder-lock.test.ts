import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { DataFolderInUse, lockDataFolder } from './data-folder-lock.ts'

describe('lockDataFolder', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bb-lock-'))
  })

  it('one holder at a time, also within a process, and nothing is left behind', async () => {
    const unlock = await lockDataFolder(folder)
    await expect(lockDataFolder(folder)).rejects.toThrow(DataFolderInUse)
    await unlock()
    await (await lockDataFolder(folder))()
    expect(await readdir(folder)).toEqual([])
  })

  it('of many that come at once exactly one gets it', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataFolder(folder)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('a living process keeps its lock', async () => {
    const owner = spawn('sleep', ['30'])
    await writeFile(join(folder, 'bowerbird.lock'), `${owner.pid}\n`)
    await expect(lockDataFolder(folder)).rejects.toMatchObject({ ownerPid: owner.pid })
    owner.kill()
    await once(owner, 'exit')
    await (await lockDataFolder(folder))()
  })

  it.each([
    ['a process of the past', '999999999'],
    ['nobody that can be read', 'nonsense'],
    ['a predecessor with our own number', String(process.pid)],
  ])('the lock of %s is taken over', async (_who, content) => {
    await writeFile(join(folder, 'bowerbird.lock'), content)
    const unlock = await lockDataFolder(folder)
    expect(await readdir(folder)).toEqual(['bowerbird.lock'])
    await unlock()
  })
})
