// Keeps a data folder to one process at a time, and to its owner.
//
// The kernel holds the lock: it's released the moment a process is killed, nothing has to guess whether an owner is
// still alive, and it works across containers, where process ids mean nothing because the server is number 1 in each.
//
// Node has no API for file locks, but SQLite, which is part of Node, takes one (fcntl) for an exclusive transaction.
// The file stays empty and is never deleted: otherwise two processes could lock two files of the same name. Closing any
// other descriptor of a file drops the process's locks on it, so nothing else here may open it.
//
// The folder holds password hashes and the instance's secret, so other users of the machine are kept out. A folder that
// Bowerbird creates is private from the start. An existing one (`mkdir data`, a volume) may be open: it's made private
// here, or refused with the command that does so. Only our own folders are changed. A folder that holds other things as
// well, such as a home or /tmp, isn't ours to restrict. If an administrator owns the folder, as with cluster volumes,
// its group may keep its access.
import { existsSync } from 'node:fs'
import { access, chmod, constants, mkdir, open, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Refusal } from '../errors.ts'
import { DATABASE_FILE, explainForeignFile } from './data-folder-owner.ts'
import { getSqliteCode } from './database.ts'

export class DataFolderInUse extends Error {
  constructor(dataFolder: string) {
    super(`The data folder ${dataFolder} is in use by another process of Bowerbird.`)
  }
}

/** There is no database in the folder, and a command that only uses one must not leave one behind. */
export class NoDatabase extends Error {
  readonly dataFolder: string

  constructor(dataFolder: string) {
    super(`There is no database in the data folder ${dataFolder}.`)
    this.dataFolder = dataFolder
  }
}

const LOCK_FILE = 'bowerbird.lock.db'
const SQLITE_BUSY = 5
const SQLITE_CANNOT_OPEN = 14
/** Keeps locks referenced: garbage collection would release them. */
const held = new Set<DatabaseSync>()

const GROUP_AND_OTHERS = 0o077
const OTHERS = 0o007
const PRIVATE = 0o700
const PRIVATE_FILE = 0o600
/** Names that an instance, or the file system at the root of a volume, creates in a data folder; and the map. */
const OWN_NAMES = /^(?:bowerbird\.(?:db|lock).*|administration\.sock|map\.pmtiles|lost\+found)$/

/** A folder with neither a lock nor a database was never used; another process may be creating one under its lock. */
export function requireUsedFolder(dataFolder: string): void {
  if (![LOCK_FILE, DATABASE_FILE].some((name) => existsSync(join(dataFolder, name)))) throw new NoDatabase(dataFolder)
}

export async function lockDataFolder(dataFolder: string): Promise<() => void> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  const path = join(dataFolder, LOCK_FILE)
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path)
    file.exec('begin exclusive')
  } catch (error) {
    file?.close()
    throw await explainLockError(error, dataFolder)
  }
  held.add(file)
  const lock = file
  await chmod(path, 0o600)
  return () => {
    if (held.delete(lock)) lock.close()
  }
}

async function explainLockError(error: unknown, dataFolder: string): Promise<unknown> {
  const code = getSqliteCode(error)
  if (code === SQLITE_BUSY) return new DataFolderInUse(dataFolder)
  // SQLite doesn't say why; `access` throws the reason if it's permissions.
  if (code === SQLITE_CANNOT_OPEN) await access(dataFolder, constants.W_OK | constants.X_OK)
  const foreign = await explainForeignFile(dataFolder)
  if (foreign !== undefined) return new Refusal('storage_unavailable', foreign)
  return new Error(`The data folder ${dataFolder} cannot be locked.`, { cause: error })
}

/** Call this while holding the lock on the folder. */
export async function secureDataFolder(dataFolder: string): Promise<void> {
  // Windows has no such modes.
  if (process.getuid === undefined) return
  const { mode } = await stat(dataFolder)
  if ((mode & GROUP_AND_OTHERS) !== 0) await closeFolder(dataFolder, mode)
}

/**
 * Ensures that the file of the database exists, and that only its owner can open it: SQLite gives the files beside it the
 * same mode. Resolves to false if there's no database and it isn't allowed to create one.
 */
export async function ensureDatabaseFile(dataFolder: string, mayCreate: boolean): Promise<boolean> {
  const path = join(dataFolder, DATABASE_FILE)
  const file = await stat(path).catch(ignoreMissing)
  if (!file?.size && !mayCreate) return false
  if (file) await chmod(path, PRIVATE_FILE)
  else await (await open(path, 'a', PRIVATE_FILE)).close()
  return true
}

async function closeFolder(dataFolder: string, mode: number): Promise<void> {
  const names = await readdir(dataFolder)
  const holdsOtherFiles = names.some((name) => !OWN_NAMES.test(name))
  if (!holdsOtherFiles && (await makePrivate(dataFolder))) return
  if (!holdsOtherFiles && (mode & OTHERS) === 0) return
  const path = resolve(dataFolder)
  const advice = `Run: chmod 700 '${path}'${holdsOtherFiles ? ', or set DATA_DIR to a folder of its own' : ' as its owner'}.`
  throw new Refusal('parameter_invalid', `Other users of this machine can open the data folder ${path}. ${advice}`)
}

/** Resolves to false if we don't own the folder: only its owner can change it. */
const makePrivate = (folder: string): Promise<boolean> =>
  chmod(folder, PRIVATE).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'EPERM') return false
      throw error
    },
  )

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}
