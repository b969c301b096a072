// Makes a process act as the user that owns a data folder: a single file that root leaves behind would stop the next start
// of the service.
//
// The owner of the database counts, because an administrator may own the folder around it, as with cluster volumes.
import { readFileSync } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Refusal } from '../errors.ts'

export const DATABASE_FILE = 'bowerbird.db'

interface Owner {
  uid: number
  gid: number
  /** Whether the folder is closed to us, so that we can't see if there is a database in it. */
  isClosed?: boolean
}

const ROOT_UID = 0
const isRoot = (): boolean => process.geteuid?.() === ROOT_UID

/**
 * Acts as the owner until the returned function is called: then a command can write its own output as root again.
 * `args` are those of the command, to tell another user what to type.
 */
export async function actAsOwner(dataFolder: string, args: readonly string[]): Promise<() => void> {
  const owner = await findOtherOwner(dataFolder)
  if (!owner) return () => undefined
  if (!isRoot()) throw refusal(owner, dataFolder, args)
  const [gid = ROOT_UID, groups = []] = [process.getegid?.(), process.getgroups?.()]
  process.setgroups?.([owner.gid])
  process.setegid?.(owner.gid)
  process.seteuid?.(owner.uid)
  return () => {
    process.seteuid?.(ROOT_UID)
    process.setegid?.(gid)
    process.setgroups?.(groups)
  }
}

/** Becomes the owner for good: a server must not be able to return to root. */
export async function becomeOwner(dataFolder: string, args: readonly string[]): Promise<void> {
  const owner = await findOtherOwner(dataFolder)
  // A closed folder may be a new volume that was never given to this user: opening it explains that.
  if (!owner || (owner.isClosed && !isRoot())) return
  if (!isRoot()) throw refusal(owner, dataFolder, args)
  process.setgroups?.([owner.gid])
  process.setgid?.(owner.gid)
  process.setuid?.(owner.uid)
}

/** Returns undefined if this process may open the folder as it is. */
async function findOtherOwner(dataFolder: string): Promise<Owner | undefined> {
  // Any failure here comes up again, and is explained, when the folder is opened.
  const folder = await stat(dataFolder).catch(() => undefined)
  if (!folder || process.geteuid === undefined) return undefined
  // If another user owns a file in it, opening the folder explains that.
  if (!isRoot() && folder.uid === process.geteuid()) return undefined
  let owner: Owner
  try {
    owner = await stat(join(dataFolder, DATABASE_FILE))
  } catch (error) {
    const isClosed = error instanceof Error && 'code' in error && error.code === 'EACCES'
    // The group may have access to a folder that has no database yet.
    if (!isClosed && !isRoot()) return undefined
    owner = { uid: folder.uid, gid: folder.gid, isClosed }
  }
  return owner.uid === process.geteuid() ? undefined : owner
}

function refusal({ uid }: Owner, dataFolder: string, args: readonly string[]): Refusal {
  const path = resolve(dataFolder)
  // sudo doesn't pass the environment on.
  const line = ['sudo', '-u', userName(uid), `DATA_DIR=${path}`, 'bowerbird', ...args].map(quote).join(' ')
  return new Refusal('conflict', `The data folder ${path} belongs to ${userName(uid)}. Run: ${line}`)
}

const quote = (word: string): string => (/^[\w./:=@,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** The name of a user; for one without a name `#` and the number, which sudo understands. */
function userName(uid: number): string {
  const name = readUsers().find((fields) => fields[2] === String(uid))?.[0]
  return name ?? `#${uid}`
}

function readUsers(): string[][] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
  } catch {
    // An image without users has only numbers.
    return []
  }
}

/** Names the first file of ours that belongs to another user, and the command that repairs it. */
export async function explainForeignFile(dataFolder: string): Promise<string | undefined> {
  const own = process.geteuid?.()
  if (own === undefined) return undefined
  const folder = resolve(dataFolder)
  const ours = (await readdir(folder)).filter((name) => /^bowerbird\.(?:db|lock)/.test(name))
  for (const name of ours) {
    const { uid } = await lstat(join(folder, name))
    if (uid === own) continue
    return `The data folder ${folder} cannot be opened: ${name} in it belongs to ${userName(uid)}. Run as root: chown -R ${own} ${quote(folder)}`
  }
  return undefined
}
