// The fast connection to Redis, for the one round trip that every request waits for: ioredis costs several times as much
// processor time for it. It knows no command; it sends encoded text and gives replies, in order. Nothing is queued while
// there is no connection, and nothing is ever sent twice, as it may have been done.
//
// A connection counts as ready when the server has answered on it. One on which it has not answered in time is given up:
// it may lead nowhere for ever, and the next shows by itself when the server is back.
import { randomBytes } from 'node:crypto'
import { command, type Script } from './resp-command.ts'
import type { Reply } from './resp-reader.ts'
import { type WireAddress, WireConnection } from './wire-connection.ts'

export interface RedisWire {
  isReady: () => boolean
  /** Names the run of the server behind the connection: another after every restart, and never one of before. */
  run: () => string
  /** `undefined`: it was refused, or not answered. */
  send: (text: string) => Promise<Reply | undefined>
  evaluate: (script: Script, keysAndValues: string) => Promise<Reply | undefined>
  /** Waits for what was given. */
  close: () => Promise<void>
}

interface WireParts {
  address: WireAddress
  /** Called before the first command can be given on a connection. */
  onReady: () => void
  /** Why the connection was lost, or a command refused. */
  onFailure: (error: Error) => void
}

const RECONNECT_STEP_MS = 50
const LONGEST_RECONNECT_DELAY_MS = 500
const NO_ANSWER = Promise.resolve(undefined)

/** The first connection is waited for, but its failure is no error. */
export async function openRedisWire({ address, onReady, onFailure }: WireParts): Promise<RedisWire> {
  let current: WireConnection | undefined
  let ready: WireConnection | undefined
  let run = ''
  let failures = 0
  let isClosed = false
  let reconnecting: NodeJS.Timeout | undefined

  async function open(): Promise<void> {
    const connection = new WireConnection({ address, onEnd: lose, onRefusal: (error) => ready && onFailure(error) })
    current = connection
    const name = await greet(connection, address)
    if (isClosed || current !== connection) return
    if (name === undefined) {
      connection.end(new Error('Redis refused the greeting'))
      return
    }
    run = name
    failures = 0
    connection.becomeReady()
    onReady()
    ready = connection
  }

  function lose(error: Error): void {
    current = undefined
    ready = undefined
    if (isClosed) return
    failures++
    reconnecting = setTimeout(() => void open(), Math.min(failures * RECONNECT_STEP_MS, LONGEST_RECONNECT_DELAY_MS))
    onFailure(error)
  }

  await open()
  return {
    isReady: () => ready !== undefined,
    run: () => run,
    send: (text) => ready?.send(text) ?? NO_ANSWER,
    evaluate: (script, keysAndValues) => ready?.evaluate(script, keysAndValues) ?? NO_ANSWER,
    async close() {
      isClosed = true
      ready = undefined
      clearTimeout(reconnecting)
      await current?.close()
    },
  }
}

/** All at once, in one write. Gives the name of the server's run, or `undefined` when it will not have us. */
async function greet(connection: WireConnection, { username, password, db }: WireAddress): Promise<string | undefined> {
  const say = (...words: string[]) => connection.send(command(...words))
  const musts: Promise<Reply | undefined>[] = []
  if (password !== undefined) musts.push(say('AUTH', ...(username === undefined ? [] : [username]), password))
  if (db !== 0) musts.push(say('SELECT', `${db}`))
  // Refused by a server that is still loading its data.
  musts.push(say('PING'))
  // These two may be forbidden to us: then a run lasts as long as we can see, which is one connection.
  const wishes = [say('INFO', 'server'), say('CLIENT', 'SETNAME', 'bowerbird')]
  if ((await Promise.all(musts)).includes(undefined)) return undefined
  const [facts] = await Promise.all(wishes)
  return /run_id:([0-9a-f]{12})/.exec(String(facts))?.[1] ?? randomBytes(6).toString('hex')
}
