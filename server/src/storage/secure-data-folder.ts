// Keeps other users of the machine out of the data folder, which holds password hashes and the instance's secret. A
// folder that Bowerbird creates is private from the start. One that was there before (`mkdir data`, a volume) may be
// open: it is closed here, or refused with the command that closes it.
//
// Only what is ours is changed. A folder that holds other things as well, such as a home or /tmp, is not for us to
// close. If an administrator gave us a folder of their own, as volumes in a cluster are, its group may keep its access.
import { chmod, lstat, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Refusal } from '../errors.ts'

const GROUP_AND_OTHERS = 0o077
const OTHERS = 0o007
const PRIVATE = 0o700
const PRIVATE_FILE = 0o600
const FIRST_FILE = 'PG_VERSION'
/** What an instance, and the file system at the root of a volume, put into a data folder. */
const OWN_NAMES = /^(?:postgres(?:\.unfinished)?|bowerbird\.lock.*|administration\.sock|lost\+found)$/

/** Call it while holding the lock of the folder. */
export async function secureDataFolder(dataFolder: string): Promise<void> {
  // Windows has no such modes.
  if (process.getuid === undefined) return
  const { mode } = await stat(dataFolder)
  if ((mode & GROUP_AND_OTHERS) !== 0) await closeFolder(dataFolder, mode)
  await closeDatabaseFiles(dataFolder)
}

async function closeFolder(dataFolder: string, mode: number): Promise<void> {
  const names = await readdir(dataFolder)
  const holdsMore = names.some((name) => !OWN_NAMES.test(name))
  if (!holdsMore && (await isClosed(dataFolder))) return
  if (!holdsMore && (mode & OTHERS) === 0) return
  const path = resolve(dataFolder)
  const advice = `Run: chmod 700 '${path}'${holdsMore ? ', or set DATA_DIR to a folder of its own' : ' as its owner'}.`
  throw new Refusal(400, `Other users of this machine can open the data folder ${path}. ${advice}`)
}

/** Whether it could be closed: only the owner of a folder can. */
const isClosed = (folder: string): Promise<boolean> =>
  chmod(folder, PRIVATE).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'EPERM') return false
      throw error
    },
  )

/**
 * The files of the built-in database: PGlite creates most of them readable and writable by everyone, whatever the umask
 * is, and a backup keeps their modes. The first of them tells whether that is still so, unless the database `isNew` and
 * PGlite has just added to it.
 */
export async function closeDatabaseFiles(dataFolder: string, isNew = false): Promise<void> {
  if (process.getuid === undefined) return
  const folder = join(dataFolder, 'postgres')
  if (!isNew && !(await isOpen(folder)) && !(await isOpen(join(folder, FIRST_FILE)))) return
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (entry.isSymbolicLink() || (entry.parentPath === folder && entry.name === FIRST_FILE)) continue
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? PRIVATE : PRIVATE_FILE).catch(ignoreMissing)
  }
  // Last, so that a process that was interrupted starts over.
  await chmod(join(folder, FIRST_FILE), PRIVATE_FILE).catch(ignoreMissing)
  await chmod(folder, PRIVATE)
}

async function isOpen(path: string): Promise<boolean> {
  const found = await lstat(path).catch(ignoreMissing)
  return found !== undefined && (found.mode & GROUP_AND_OTHERS) !== 0
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}
