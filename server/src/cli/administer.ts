// Runs operations where they can run: in this process or, if a running instance owns the data folder, in that instance
// through its socket. A folder that is locked without a socket belongs to an instance that is starting or a command
// that is ending, so we wait for it.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { isErrorCode, Refusal, type RefusalBody } from '../errors.ts'
import { DataFolderInUse } from '../store/data-folder.ts'
import { request } from '../text/node-http.ts'
import { isListening, prepareSocketPath, SYSTEM_USER_HEADER } from './administration-socket.ts'
import type { CliHost } from './cli-host.ts'
import { type OperationName, type Perform, runOperation } from './operations.ts'

/** A backup, or disabling an account with very many keys, can take a while. */
const ANSWER_TIMEOUT_MS = 600_000
const LOCK_WAIT_MS = 10_000
const RETRY_MS = 100

interface Administration {
  perform: (name: OperationName, args: unknown) => Promise<unknown>
  close: () => Promise<void>
}

/** `mayCreate`: whether a data folder without a database gets one. */
export const administer = <Result>(
  host: CliHost,
  work: (perform: Perform) => Promise<Result>,
  mayCreate = false,
): Promise<Result> =>
  host.onData(async () => {
    const administration = await openAdministration(host, mayCreate)
    try {
      // The result has the type that the table declares, here and over the socket, because results are plain JSON.
      return await work(administration.perform as Perform)
    } finally {
      await administration.close()
    }
  })

async function openAdministration(host: CliHost, mayCreate: boolean): Promise<Administration> {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      const { access, close } = await host.openAccess({ mayCreate })
      const context = { ...access, systemUser: host.systemUser }
      return { perform: (name, args) => runOperation(context, name, args), close }
    } catch (error) {
      if (!(error instanceof DataFolderInUse)) throw error
      const path = await prepareSocketPath(host.dataFolder)
      if (await isListening(path)) {
        return {
          perform: (name, args) => send({ path, systemUser: host.systemUser }, name, args),
          close: () => Promise.resolve(),
        }
      }
      if (waitedMs >= (host.patienceMs ?? LOCK_WAIT_MS)) {
        throw new Refusal(
          'storage_unavailable',
          `${error.message} That process is not responding. Try again once it has started or stopped.`,
        )
      }
    }
    await sleep(RETRY_MS)
  }
}

interface Socket {
  path: string
  systemUser: string
}

async function send({ path, systemUser }: Socket, name: OperationName, args: unknown): Promise<unknown> {
  const body = JSON.stringify(args)
  const outgoing = request({
    socketPath: path,
    method: 'POST',
    path: `/${name}`,
    agent: false,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      [SYSTEM_USER_HEADER]: systemUser,
    },
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  })
  let status: number | undefined
  let code: unknown
  let reply: unknown
  try {
    outgoing.end(body)
    const [response]: IncomingMessage[] = await once(outgoing, 'response')
    if (!response) throw new Error('the response event carried no message')
    status = response.statusCode
    code = response.headers['error-code']
    reply = await json(response)
  } catch (error) {
    throw new Refusal(
      'storage_unavailable',
      `The running instance did not respond (${describe(error)}). The command may or may not have taken effect.`,
    )
  }
  if (status === 200) return reply
  // With any status but 200, the body is that of a Refusal.
  throw new Refusal(isErrorCode(code) ? code : 'internal_error', reply as RefusalBody)
}

const describe = (error: unknown): string =>
  error instanceof Error ? ('code' in error && typeof error.code === 'string' ? error.code : error.name) : 'unknown'
