// Where a running instance listens for administrative commands: `administration.sock` in its data folder. The path of a
// Unix socket is limited to about 104 bytes, so for a deeper folder the socket is in a private folder under the
// system's temporary folder, named after a hash of the data folder. Passwords pass through the socket, and anyone can
// write to the temporary folder, so both sides refuse a private folder that others can access.
import { hash } from 'node:crypto'
import { lstat, mkdir, realpath } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** 104 on macOS, 108 on Linux, both including the terminating zero. */
const LONGEST_PATH_BYTES = 103
const SOCKET = 'administration.sock'

/** The same for the instance and the command, as long as both use the same data folder and TMPDIR. */
export async function openSocketPath(dataFolder: string): Promise<string> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  const folder = await realpath(dataFolder)
  const path = join(folder, SOCKET)
  if (isShort(path)) return path
  const shortPath = join(tmpdir(), `bowerbird-${hash('sha256', folder).slice(0, 24)}`, SOCKET)
  if (!isShort(shortPath)) throw new Error('The data folder path is too long. Set DATA_DIR to a shorter one.')
  await openPrivateFolder(dirname(shortPath))
  return shortPath
}

const isShort = (path: string): boolean => Buffer.byteLength(path) <= LONGEST_PATH_BYTES

async function openPrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = await lstat(folder)
  const isPrivate = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0
  if (!isPrivate)
    throw new Error(`${folder} is accessible to other users. Remove it, or set DATA_DIR to a shorter path.`)
}

export const isListening = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path)
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
