import { chmod, chown, mkdtemp, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { Refusal } from '../errors.ts'
import { createLog } from '../log.ts'
import { lockDataFolder } from './data-folder.ts'
import { actAsOwner, becomeOwner, explainForeignFile } from './data-folder-owner.ts'
import { openSqlite } from './sqlite.ts'

const NOBODY = 65_534
const ARGS = ['key', 'create', 'ada', '--name', "ada's key"]

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(inject('temporaryFolder'), 'owner-'))
})

async function giveDatabaseTo(uid: number): Promise<void> {
  for (const name of ['bowerbird.db', 'bowerbird.db-wal']) await writeFile(join(folder, name), '')
  for (const name of ['', 'bowerbird.db', 'bowerbird.db-wal']) await chown(join(folder, name), uid, uid)
}

/** Changing users takes root, so this process stops being root for a moment. */
async function asNobody<Result>(work: () => Promise<Result>): Promise<Result> {
  process.seteuid?.(NOBODY)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

const detailOf = (error: unknown): unknown => (error instanceof Refusal ? error.body['detail'] : error)

describe.skipIf(process.getuid?.() !== 0)('the owner of a data folder', () => {
  it.each([true, false])('is who root acts as, until it is root again; with a database: %s', async (hasDatabase) => {
    if (hasDatabase) await giveDatabaseTo(NOBODY)
    else await chown(folder, NOBODY, NOBODY)
    const returnToRoot = await actAsOwner(folder, ARGS)
    try {
      await writeFile(join(folder, 'new'), '')
      expect(process.getgroups?.()).toEqual([NOBODY])
    } finally {
      returnToRoot()
    }
    expect(await stat(join(folder, 'new'))).toMatchObject({ uid: NOBODY, gid: NOBODY })
    expect([process.geteuid?.(), process.getegid?.()]).toEqual([0, 0])
  })

  it('is named to any other user, with the line to type', async () => {
    await giveDatabaseTo(0)
    const refused = {
      detail: `The data folder ${folder} belongs to root. Run: sudo -u root DATA_DIR=${folder} bowerbird key create ada --name 'ada'\\''s key'`,
    }
    const attempt = () => asNobody(() => actAsOwner(folder, ARGS).catch(detailOf))
    // Closed, then open.
    expect(await attempt()).toBe(refused.detail)
    await chmod(folder, 0o755)
    expect(await attempt()).toBe(refused.detail)
    expect(await asNobody(() => becomeOwner(folder, ['serve']).catch(detailOf))).toContain(
      'Run: sudo -u root DATA_DIR=',
    )
  })

  it('may be an administrator if the database belongs to the instance, or to the group that may create it', async () => {
    await chown(folder, 0, NOBODY)
    await chmod(folder, 0o2777)
    await asNobody(() => actAsOwner(folder, ARGS))
    await giveDatabaseTo(NOBODY)
    await chown(folder, 0, NOBODY)
    await asNobody(() => actAsOwner(folder, ARGS))
    await asNobody(() => becomeOwner(folder, ARGS))
  })

  it('is told which file belongs to someone else, and the command that repairs it', async () => {
    await giveDatabaseTo(NOBODY)
    const sentence = (name: string) =>
      `The data folder ${folder} cannot be opened: ${name} in it belongs to root. Run as root: chown -R ${NOBODY} ${folder}`
    expect(await asNobody(() => explainForeignFile(folder))).toBeUndefined()
    await chown(join(folder, 'bowerbird.db-wal'), 0, 0)
    expect(await asNobody(() => explainForeignFile(folder))).toBe(sentence('bowerbird.db-wal'))
    await chown(join(folder, 'bowerbird.db-wal'), NOBODY, NOBODY)
    ;(await lockDataFolder(folder))()
    expect(await asNobody(() => lockDataFolder(folder).catch(detailOf))).toBe(sentence('bowerbird.lock.db'))
  })

  it('is told the same of the database itself, and not to run the service as its owner', async () => {
    await giveDatabaseTo(NOBODY)
    await chown(join(folder, 'bowerbird.db'), 0, 0)
    await asNobody(() => becomeOwner(folder, ['serve']))
    expect(await asNobody(() => openSqlite(folder, createLog('silent')).catch(detailOf))).toBe(
      `The data folder ${folder} cannot be opened: bowerbird.db in it belongs to root. Run as root: chown -R ${NOBODY} ${folder}`,
    )
  })
})
