// Locks a data folder, so that only one process at a time uses it. The kernel holds the lock: it's released the moment
// a process is killed, nothing has to guess whether an owner is still alive, and it works across containers, where
// process ids mean nothing because the server is number 1 in each.
//
// Node has no API for file locks, but SQLite, which is part of Node, takes one (fcntl) for an exclusive transaction.
// The file stays empty and is never deleted: otherwise two processes could lock two files of the same name. Closing any
// other descriptor of a file drops the process's locks on it, so nothing else here may open it.
import { access, chmod, constants, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'

export class DataFolderInUse extends Error {
  constructor(dataFolder: string) {
    super(`The data folder ${dataFolder} is in use by another process of Bowerbird.`)
  }
}

const FILE = 'bowerbird.lock.db'
const SQLITE_BUSY = 5
const SQLITE_CANNOT_OPEN = 14
/** Keeps locks referenced: garbage collection would release them. */
const held = new Set<DatabaseSync>()

export async function lockDataFolder(dataFolder: string): Promise<() => void> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  const path = join(dataFolder, FILE)
  const { DatabaseSync } = await import('node:sqlite')
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path)
    file.exec('begin exclusive')
  } catch (error) {
    file?.close()
    throw await explain(error, dataFolder)
  }
  held.add(file)
  const taken = file
  await chmod(path, 0o600)
  return () => {
    if (held.delete(taken)) taken.close()
  }
}

async function explain(error: unknown, dataFolder: string): Promise<unknown> {
  // The driver adds SQLite's error number to its errors.
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  if (code === SQLITE_BUSY) return new DataFolderInUse(dataFolder)
  // SQLite doesn't say why; `access` throws the reason if it's permissions.
  if (code === SQLITE_CANNOT_OPEN) await access(dataFolder, constants.W_OK | constants.X_OK)
  return new Error(`The data folder ${dataFolder} cannot be locked.`, { cause: error })
}
