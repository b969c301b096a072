// Finds a folder for Node's compile cache: one in the user's home that no other user can write to or replace. Node runs
// any code in there, so a folder in a shared place, such as the system's temporary folder, would let every local user
// run code as this one. Without a safe folder, there is no cache.
import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT_UID = 0
const WRITABLE_BY_OTHERS = 0o022
const STICKY = 0o1000
const OPEN_TO_OTHERS = 0o077

export function openCacheFolder(home: string | undefined): string | undefined {
  const uid = process.getuid?.()
  if (!home || uid === undefined) return undefined
  try {
    const folder = realpathSync(makeFolder(join(makeFolder(join(home, '.cache')), 'bowerbird')))
    const { mode } = statSync(folder)
    return isOwn(folder, uid) && (mode & OPEN_TO_OTHERS) === 0 && isOutOfReach(folder, uid) ? folder : undefined
  } catch {
    // Read-only, full, or not ours: without the cache, the start is only slower.
    return undefined
  }
}

/** Not recursive: a missing home isn't created. */
function makeFolder(folder: string): string {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return folder
}

const isOwn = (folder: string, uid: number): boolean => statSync(folder).uid === uid

/** A user who can write to a parent folder can replace this one, unless the parent is sticky. */
function isOutOfReach(folder: string, uid: number): boolean {
  const { uid: owner, mode } = statSync(folder)
  const isWritable = (mode & WRITABLE_BY_OTHERS) !== 0 && (mode & STICKY) === 0
  if ((owner !== uid && owner !== ROOT_UID) || isWritable) return false
  return dirname(folder) === folder || isOutOfReach(dirname(folder), uid)
}
