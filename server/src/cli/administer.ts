// Runs operations where they can run: in this process, or, when a running instance owns the data folder, in the instance
// by way of its socket. A folder that is held without a socket is an instance about to start or another command about to
// end, so it is waited for.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal, type RefusalBody } from '../errors.ts'
import { DataFolderInUse } from '../state/data-folder-lock.ts'
import type { CliHost } from './cli-host.ts'
import { type OperationName, type Perform, runOperation } from './operations.ts'
import { isListening, openSocketPath } from './socket-path.ts'

/** Disabling an account with very many keys takes a while. */
const ANSWER_TIMEOUT_MS = 60_000
const PATIENCE_MS = 10_000
const RETRY_MS = 100

interface Administration {
  perform: (name: OperationName, args: unknown) => Promise<unknown>
  close: () => Promise<void>
}

export async function administer(host: CliHost, work: (perform: Perform) => Promise<void>): Promise<void> {
  const administration = await openAdministration(host)
  try {
    // What an operation gives is what the table says, here and over the socket: results are JSON from the start.
    await work(administration.perform as Perform)
  } finally {
    await administration.close()
  }
}

async function openAdministration(host: CliHost): Promise<Administration> {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      const { access, close } = await host.openAccess()
      return { perform: (name, args) => runOperation(access, name, args), close }
    } catch (error) {
      if (!(error instanceof DataFolderInUse)) throw error
      const path = await openSocketPath(host.dataFolder)
      if (await isListening(path)) {
        return { perform: (name, args) => send(path, name, args), close: () => Promise.resolve() }
      }
      if (waitedMs >= (host.patienceMs ?? PATIENCE_MS)) {
        throw new Refusal(503, `${error.message} It does not answer. Try again when it has started or ended.`)
      }
    }
    await sleep(RETRY_MS)
  }
}

async function send(socketPath: string, name: OperationName, args: unknown): Promise<unknown> {
  const body = JSON.stringify(args)
  const asked = request({
    socketPath,
    method: 'POST',
    path: `/${name}`,
    agent: false,
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  })
  let status: number
  let reply: unknown
  try {
    asked.end(body)
    const [response]: IncomingMessage[] = await once(asked, 'response')
    if (!response) throw new Error('a response without a message')
    status = response.statusCode ?? 0
    reply = await json(response)
  } catch (error) {
    throw new Refusal(
      503,
      `The running instance did not answer (${describe(error)}). Whether it did this is not known.`,
    )
  }
  if (status === 200) return reply
  // The instance answers everything but 200 with the body of a Refusal.
  throw new Refusal(status, reply as RefusalBody)
}

const describe = (error: unknown): string =>
  error instanceof Error ? ('code' in error && typeof error.code === 'string' ? error.code : error.name) : 'unknown'
