// The connection to Redis or Valkey, and what "Redis is unavailable" means. Nothing ever waits for a Redis that is not
// there: a command is tried only on a ready connection, and half a second of silence ends that connection, so a frozen
// server slows down the requests of one moment and no others. The same holds for a Redis that answers but takes no
// writes, or does not let us in. Callers get `undefined` and use their local fallback.
//
// A command goes to the server that has its first key. Commands about keys with the same hash tag go over one connection
// and arrive in order; in a cluster, others may not.
import type { Log } from '../log.ts'
import { parseRedisAddress } from './redis-address.ts'
import { Redirect, type Reply, type Unanswered, type Value } from './redis-answer.ts'
import { openRedisCluster } from './redis-cluster.ts'
import { watchRedisPresence } from './redis-presence.ts'
import { reasonOf } from './redis-refusal.ts'
import type { Script } from './redis-script.ts'
import type { RedisServer, ServerFacts } from './redis-server.ts'
import { openSingleServer, type RedisServers } from './redis-servers.ts'
import { RedisSubscriber } from './redis-subscriber.ts'

export type { Reply } from './redis-answer.ts'

/** All servers can be used; some of a cluster; none. */
export interface RedisState {
  state: 'connected' | 'degraded' | 'away'
  /** Why, in one word. */
  reason?: string
}

export interface RedisClient {
  /** True unless the server that has this key is ready; without a key, unless all are. */
  isAway: (key?: string) => boolean
  state: () => RedisState
  /** Why a server has refused us at the first attempt, or was not there. */
  failure: () => Error | undefined
  facts: () => ServerFacts[]
  /** A command about one key; `undefined` if Redis is unavailable or refuses it. */
  send: (name: string, key: string, ...values: Value[]) => Promise<Reply | undefined>
  /** The same for a script. All keys have the same hash tag. */
  evaluate: (script: Script, keys: readonly string[], values: readonly Value[]) => Promise<Reply | undefined>
  /**
   * The same for a script that must run once; `redis-connection.ts` says what else it is given. `undefined`: it has not
   * run. `Unanswered`: nobody knows yet.
   */
  evaluateOnce: (
    script: Script,
    keys: readonly string[],
    values: readonly Value[],
  ) => Promise<Reply | Unanswered | undefined>
  /** The run of the server that has this key. */
  run: (key: string) => string
  /** The runs of all servers that are ready. */
  runs: () => Set<string>
  /** Called when a server is connected again, before the next command to it: it may have lost its data. */
  onReady: (listener: () => void) => void
  publish: (channel: string, message: string) => void
  subscribe: (channel: string, onMessage: (message: string) => void) => Promise<void>
  /** Whether messages arrive at the moment. */
  isSubscribed: () => boolean
  close: () => Promise<void>
}

const AWAY = Promise.resolve(undefined)
const MOST_REDIRECTS = 5

/** The URL has been checked: the configuration reads it. */
export async function openRedis(url: string, log: Log): Promise<RedisClient> {
  const address = parseRedisAddress(url)
  if (!address) throw new Error('the address of Redis cannot be read')
  const readyListeners: (() => void)[] = []
  const presence = watchRedisPresence({ log, clock: () => performance.now() })
  const noteReady = () => {
    if (isWhole(servers)) presence.noteBack()
  }
  const noteFailure = (error: Error): void => {
    const { state } = stateOf(servers)
    if (state === 'connected') presence.noteFailure(error)
    else presence.noteAway(error, state === 'degraded')
  }
  const isCluster = address.kind === 'cluster'
  const servers: RedisServers = (isCluster ? openRedisCluster : openSingleServer)({
    address,
    onReady() {
      for (const listener of readyListeners) listener()
      // The connection is ready as soon as this returns.
      queueMicrotask(noteReady)
    },
    onFailure: noteFailure,
  })
  const subscriber = new RedisSubscriber(() => servers.anyOptions(), log)
  // The first connection is waited for, but the instance also starts without it.
  await servers.opened

  /** A single server never redirects: `redis-connection.ts` takes that for a refusal. */
  function route<Answer>(key: string, ask: (server: RedisServer) => Promise<Answer | Redirect | undefined>) {
    const server = servers.of(key)
    if (!server) return AWAY
    const answer = ask(server)
    return (isCluster ? follow(servers, { key, answer, ask, noteFailure }) : answer) as Promise<Answer | undefined>
  }

  return {
    isAway: (key) => (key === undefined ? !isWhole(servers) : servers.of(key)?.isReady() !== true),
    state: () => stateOf(servers),
    failure: servers.failure,
    facts: () => servers.all().flatMap((server) => server.facts() ?? []),
    send: (name, key, ...values) => route(key, (server) => server.send(name, key, ...values)),
    evaluate: (script, keys, values) => route(keys[0] ?? '', (server) => server.evaluate(script, keys, values)),
    evaluateOnce: (script, keys, values) => route(keys[0] ?? '', (server) => server.evaluateOnce(script, keys, values)),
    run: (key) => servers.of(key)?.run() ?? '',
    runs: () => new Set(readyOf(servers).map((server) => server.run())),
    onReady: (listener) => void readyListeners.push(listener),
    publish: (channel, message) => void readyOf(servers)[0]?.send('PUBLISH', channel, message),
    subscribe: (channel, onMessage) => subscriber.subscribe(channel, onMessage),
    isSubscribed: () => subscriber.isReady,
    async close() {
      subscriber.close()
      await servers.close()
    },
  }
}

const readyOf = (servers: RedisServers): RedisServer[] => servers.all().filter((server) => server.isReady())

const isWhole = (servers: RedisServers): boolean => {
  const all = servers.all()
  return all.length > 0 && all.every((server) => server.isReady())
}

function stateOf(servers: RedisServers): RedisState {
  if (isWhole(servers)) return { state: 'connected' }
  const failure = servers.failure()
  return {
    state: readyOf(servers).length > 0 ? 'degraded' : 'away',
    ...(failure && { reason: reasonOf(failure) }),
  }
}

interface Followed<Answer> {
  key: string
  answer: Promise<Answer | Redirect | undefined>
  ask: (server: RedisServer) => Promise<Answer | Redirect | undefined>
  noteFailure: (error: Error) => void
}

/** A command that was redirected has not run, so it is sent where the key is now. */
async function follow<Answer>(
  servers: RedisServers,
  { key, answer, ask, noteFailure }: Followed<Answer>,
): Promise<Answer | undefined> {
  let reply = await answer
  for (let redirects = 0; reply instanceof Redirect; redirects++) {
    const server = redirects < MOST_REDIRECTS ? await servers.redirected(key, reply) : undefined
    if (!server) {
      noteFailure(reply.error)
      return undefined
    }
    if (!reply.isForGood) void server.send('ASKING')
    reply = await ask(server)
  }
  return reply
}
