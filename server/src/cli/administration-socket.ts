// Accepts administrative commands in a running instance whose data folder no other process can open. It is HTTP over a
// Unix socket that only the owner of the process can open. That is the only authentication, because anyone who can open
// the socket could just as well read the database. A log line names the operation and never its arguments.

import { hash } from 'node:crypto'
import { once } from 'node:events'
import { chmod, lstat, mkdir, realpath, rm } from 'node:fs/promises'
import type { IncomingMessage, Server } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { Refusal } from '../errors.ts'
import type { Log } from '../log.ts'
import type { SettingsContext } from '../settings/stored-settings.ts'
import { createServer } from '../text/node-http.ts'
import { isOperationName, runOperation } from './operations.ts'
import { isSystemUser } from './system-user.ts'

/** A file of site rules may have 10 MB. */
const MAX_BODY_BYTES = 12_000_000
const REQUEST_TIMEOUT_MS = 10_000
/** How long operations in progress may take to finish when the instance stops. */
const DRAIN_MS = 1_000

/** Who runs the command. Only the owner of the data and root can open the socket, so they are believed. */
export const SYSTEM_USER_HEADER = 'System-User'

interface Answer {
  status: number
  headers?: Record<string, string>
  body: unknown
}

/**
 * Must be called by the process that holds the lock on the data folder: a socket without a listener is then a leftover.
 */
export async function listenForAdministration(
  dataFolder: string,
  context: SettingsContext,
  log: Log,
): Promise<{ close: () => Promise<void> }> {
  const path = await prepareSocketPath(dataFolder)
  if (await isListening(path))
    throw new Error(`Another process already takes administrative commands for ${dataFolder}.`)
  await rm(path, { force: true })
  const server = createServer((request, response) => {
    void answer(request, context, log).then(({ status, headers, body }) => {
      response.writeHead(status, { ...headers, 'Content-Type': 'application/json', Connection: 'close' })
      response.end(JSON.stringify(body))
    })
  })
  server.requestTimeout = REQUEST_TIMEOUT_MS
  await listenPrivately(server, path)
  return { close: () => closeServer(server) }
}

/** Creates the socket with the right mode from the start, so there is no moment when others could connect. */
async function listenPrivately(server: Server, path: string): Promise<void> {
  const umask = process.umask(0o177)
  try {
    server.listen(path)
  } finally {
    process.umask(umask)
  }
  await once(server, 'listening')
  // For systems that ignore the umask here.
  await chmod(path, 0o600)
}

async function closeServer(server: Server): Promise<void> {
  const cutOffTimer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await new Promise((resolve) => server.close(resolve))
  clearTimeout(cutOffTimer)
}

async function answer(request: IncomingMessage, context: SettingsContext, log: Log): Promise<Answer> {
  const name = request.url?.slice(1) ?? ''
  try {
    if (request.method !== 'POST') throw new Refusal('method_not_allowed', 'Use POST.')
    if (!isOperationName(name)) throw new Refusal('not_found', 'The running instance does not support this command.')
    const by = { ...context, systemUser: readSystemUser(request) }
    return { status: 200, body: await runOperation(by, name, await readBody(request)) }
  } catch (error) {
    if (error instanceof Refusal) return error
    // The log shows only the type and code of a cause, because its message may quote an argument.
    log.error({ err: new Error('administrative command failed', { cause: error }), operation: name })
    return { status: 500, body: { detail: 'The command failed in the running instance. See its log for details.' } }
  } finally {
    log.info({ operation: isOperationName(name) ? name : 'unknown' }, 'administrative command handled')
  }
}

function readSystemUser({ headers }: IncomingMessage): string | undefined {
  const sent = headers[SYSTEM_USER_HEADER.toLowerCase()]
  return typeof sent === 'string' && isSystemUser(sent) ? sent : undefined
}

/** Trusts the declared length: Node never reads past it, and a body without a declared length is refused. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  const length = Number(request.headers['content-length'] ?? Number.NaN)
  if (!(length <= MAX_BODY_BYTES)) throw new Refusal('body_too_large', 'This command is too long.')
  try {
    return await json(request)
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refusal('body_invalid', 'The body is not JSON.')
    throw error
  }
}

/** The limit is 104 on macOS and 108 on Linux, both including the terminating zero. */
const MAX_PATH_BYTES = 103
const SOCKET = 'administration.sock'

/**
 * Where a running instance listens: `administration.sock` in its data folder. The path of a Unix socket is limited to
 * about 104 bytes, so for a deeper folder the socket is in a private folder under the system's temporary folder, named
 * after a hash of the data folder. Passwords pass through the socket, and anyone can write to the temporary folder, so
 * both sides refuse a private folder that others can access. The path is the same for the instance and the command, as
 * long as both use the same data folder and TMPDIR.
 */
export async function prepareSocketPath(dataFolder: string): Promise<string> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  const folder = await realpath(dataFolder)
  const path = join(folder, SOCKET)
  if (isShortEnough(path)) return path
  const shortPath = join(tmpdir(), `bowerbird-${hash('sha256', folder).slice(0, 24)}`, SOCKET)
  if (!isShortEnough(shortPath)) throw new Error('The data folder path is too long. Set DATA_DIR to a shorter one.')
  await ensurePrivateFolder(dirname(shortPath))
  return shortPath
}

const isShortEnough = (path: string): boolean => Buffer.byteLength(path) <= MAX_PATH_BYTES

async function ensurePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const stats = await lstat(folder)
  const isPrivate = stats.isDirectory() && stats.uid === process.geteuid?.() && (stats.mode & 0o077) === 0
  if (!isPrivate)
    throw new Error(
      `${folder} is not a folder that only this user can access. Remove it, or set DATA_DIR to a shorter path.`,
    )
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
