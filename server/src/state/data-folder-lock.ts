// One process at a time may use a data folder. The lock is a file that names its owner's process; a lock whose owner
// is gone (a crash, a power cut) is taken over.
//
// The file appears whole, by a hard link, so nobody ever reads a lock without an owner. It is taken over by renaming it
// away, and given back if it turns out to be a living one's after all. And because a process id comes back (in a container the server
// is always the same number), our own number in the file means a predecessor, unless this very process holds the folder.
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

export class DataFolderInUse extends Error {
  readonly ownerPid: number

  constructor(dataFolder: string, ownerPid: number) {
    super(`The data folder ${dataFolder} is in use by process ${ownerPid}.`)
    this.ownerPid = ownerPid
  }
}

const heldHere = new Set<string>()

export async function lockDataFolder(dataFolder: string): Promise<() => Promise<void>> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  const path = resolve(dataFolder, 'bowerbird.lock')
  if (heldHere.has(path)) throw new DataFolderInUse(dataFolder, process.pid)
  heldHere.add(path)
  try {
    await takeLock(dataFolder, path)
  } catch (error) {
    heldHere.delete(path)
    throw error
  }
  return async () => {
    await rm(path, { force: true })
    heldHere.delete(path)
  }
}

async function takeLock(dataFolder: string, path: string): Promise<void> {
  const own = join(dataFolder, `bowerbird.lock.${process.pid}`)
  await writeFile(own, `${process.pid}\n`, { mode: 0o600 })
  try {
    while (!(await linked(own, path))) {
      const ownerPid = await ownerOf(path)
      if (ownerPid === undefined) continue
      if (ownerPid !== process.pid && isAlive(ownerPid)) throw new DataFolderInUse(dataFolder, ownerPid)
      await setAside(path, `${own}.left`, ownerPid)
    }
  } finally {
    await rm(own, { force: true })
    await rm(`${own}.left`, { force: true })
  }
}

/** Between reading the dead owner's name and this, another process may have put its own lock there: that one goes back. */
async function setAside(path: string, aside: string, deadOwner: number): Promise<void> {
  await rename(path, aside).catch(ignoreMissing)
  const owner = await ownerOf(aside)
  if (owner !== undefined && !Object.is(owner, deadOwner)) await linked(aside, path)
}

const linked = (from: string, to: string): Promise<boolean> =>
  link(from, to).then(
    () => true,
    (error: unknown) => {
      if (hasCode(error, 'EEXIST')) return false
      throw error
    },
  )

/** Undefined when the lock has just been given back. */
async function ownerOf(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(ignoreMissing)
  return text === undefined ? undefined : Number.parseInt(text, 10)
}

function ignoreMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
