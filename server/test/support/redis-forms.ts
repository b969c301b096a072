// A local Redis Cluster of three masters and three replicas, and a master with a replica watched by three Sentinels, as
// small and as quick to notice a failure as possible.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { endWithWorker } from './end-with-worker.ts'
import { eventually } from './eventually.ts'
import { onFreePort } from './on-free-port.ts'
import { type PrivateRedis, startPrivateRedis } from './private-redis.ts'

export interface RedisForm {
  url: string
  /** The server that has this key now. */
  masterOf: (key: string) => Promise<PrivateRedis>
  close: () => Promise<void>
}

export interface TestRedisCluster extends RedisForm {
  /** Promotes a replica to master of this key, coordinated with the old one. */
  switchMasterOf: (key: string) => Promise<void>
}

const MASTERS = 3
const SLOTS = 16_384
const READY_MS = 30_000
const NODE_TIMEOUT_MS = 1_000

async function asked<Result>(port: number, ask: (client: Redis) => Promise<Result>): Promise<Result> {
  const client = new Redis(port, '127.0.0.1')
  client.on('error', () => 'it may not be there yet')
  try {
    return await ask(client)
  } finally {
    client.disconnect()
  }
}

const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  if (!(await eventually(holds, READY_MS))) throw new Error(`${what} did not become ready`)
}

export async function startRedisCluster(): Promise<TestRedisCluster> {
  await using starting = new AsyncDisposableStack()
  const start = async (): Promise<PrivateRedis> => {
    const redis = await startPrivateRedis((port) => [
      '--cluster-enabled',
      'yes',
      '--cluster-config-file',
      `bb-nodes-${port}.conf`,
      '--cluster-port',
      `${port + 1}`,
      '--cluster-node-timeout',
      `${NODE_TIMEOUT_MS}`,
      // A replica counts once its master has sent it something, which otherwise takes ten seconds.
      '--repl-ping-replica-period',
      '1',
      // A replica that has lost its master for a while is still better than none.
      '--cluster-replica-validity-factor',
      '0',
    ])
    starting.defer(async () => {
      await redis.remove()
      await rm(join(tmpdir(), `bb-nodes-${redis.port}.conf`), { force: true })
    })
    return redis
  }
  const servers = await Promise.all(Array.from({ length: 2 * MASTERS }, start))
  await join6(servers)
  const parts = starting.move()
  const rangeOf = (port: number, key: string) =>
    asked(port, async (client) => {
      const [slot, ranges] = await Promise.all([client.cluster('KEYSLOT', key), client.cluster('SLOTS')])
      return ranges.find(([from, to]) => slot >= from && slot <= to)
    })

  async function masterOf(key: string): Promise<PrivateRedis> {
    for (const { port } of servers) {
      const range = await Promise.race([rangeOf(port, key), sleep(500, undefined)])
      const master = servers.find((server) => server.port === range?.[2]?.[1])
      if (master) return master
    }
    throw new Error('nobody has that key')
  }

  return {
    url: `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    masterOf,
    async switchMasterOf(key) {
      const master = await masterOf(key)
      const replica = (await rangeOf(master.port, key))?.[3]?.[1] ?? 0
      await asked(replica, (client) => client.cluster('FAILOVER'))
      await until('the new master', async () => (await masterOf(key)).port === replica)
    },
    close: () => parts.disposeAsync(),
  }
}

/** Makes three of them masters, and each of the others a replica of one. */
async function join6(servers: PrivateRedis[]): Promise<void> {
  const ids = await Promise.all(servers.map(({ port }) => asked(port, (client) => client.cluster('MYID'))))
  const everywhere = (holds: (client: Redis, at: number) => Promise<boolean>) => async () =>
    (await Promise.all(servers.map(({ port }, at) => asked(port, (client) => holds(client, at))))).every(Boolean)
  const [first] = servers
  if (!first) throw new Error('there are six')
  await Promise.all(
    servers.map(({ port }, at) => asked(port, (client) => client.call('CLUSTER', 'SET-CONFIG-EPOCH', at + 1))),
  )
  await Promise.all(
    servers.slice(0, MASTERS).map(({ port }, at) => {
      const [from, to] = [Math.floor((at * SLOTS) / MASTERS), Math.floor(((at + 1) * SLOTS) / MASTERS) - 1]
      return asked(port, (client) => client.call('CLUSTER', 'ADDSLOTSRANGE', from, to))
    }),
  )
  await asked(first.port, (client) =>
    Promise.all(servers.slice(1).map(({ port }) => client.call('CLUSTER', 'MEET', '127.0.0.1', port, port + 1))),
  )
  const knowsAll = async (client: Redis) => {
    const nodes = String(await client.cluster('NODES'))
    return ids.every((id) => nodes.includes(id)) && !/handshake|fail/.test(nodes)
  }
  await until('the cluster', everywhere(knowsAll))
  await Promise.all(
    servers
      .slice(MASTERS)
      .map(({ port }, at) => asked(port, (client) => client.call('CLUSTER', 'REPLICATE', String(ids[at])))),
  )
  const isWhole = async (client: Redis, at: number) => {
    const ranges = await client.cluster('SLOTS')
    const isLinked = at < MASTERS || (await client.info('replication')).includes('master_link_status:up')
    return (
      isLinked &&
      ranges.length === MASTERS &&
      ranges.every((range) => range.length === 4) &&
      (await client.cluster('INFO')).includes('cluster_state:ok')
    )
  }
  await until('the cluster', everywhere(isWhole))
}

const MASTER_NAME = 'bowerbird'
const SENTINELS = 3

export async function startRedisSentinels(): Promise<RedisForm> {
  await using starting = new AsyncDisposableStack()
  const startServer = async () => {
    const redis = await startPrivateRedis()
    starting.defer(() => redis.remove())
    return redis
  }
  const servers = await Promise.all([startServer(), startServer()])
  const [master, replica] = servers
  await replica.replicate(master)
  const ports: number[] = []
  for (let at = 0; at < SENTINELS; at++) {
    const { port, stop } = await onFreePort((port) => startSentinel(port, master.port))
    starting.defer(stop)
    ports.push(port)
  }
  const knowsAll = async (client: Redis) => {
    const facts = (await client.call('SENTINEL', 'MASTER', MASTER_NAME)) as string[]
    const fact = (name: string) => facts[facts.indexOf(name) + 1]
    return (
      fact('num-slaves') === '1' && fact('num-other-sentinels') === `${SENTINELS - 1}` && fact('flags') === 'master'
    )
  }
  await until('the Sentinels', async () =>
    (await Promise.all(ports.map((port) => asked(port, knowsAll)))).every(Boolean),
  )
  const parts = starting.move()
  return {
    url: `redis+sentinel://${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${MASTER_NAME}`,
    async masterOf() {
      const address = await asked(ports[0] ?? 0, (client) =>
        client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', MASTER_NAME),
      )
      const port = Number((address as string[])[1])
      return servers.find((server) => server.port === port) ?? master
    },
    close: () => parts.disposeAsync(),
  }
}

/** Its state is kept in its configuration file. */
async function startSentinel(port: number, masterPort: number) {
  const file = join(tmpdir(), `bb-sentinel-${port}.conf`)
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${tmpdir()}`,
    `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${masterPort} 2`,
    `sentinel down-after-milliseconds ${MASTER_NAME} ${NODE_TIMEOUT_MS}`,
    `sentinel failover-timeout ${MASTER_NAME} 5000`,
  ]
  await writeFile(file, `${lines.join('\n')}\n`)
  const sentinel: ChildProcess = endWithWorker(spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' }))
  const stop = async () => {
    if (sentinel.exitCode === null && sentinel.signalCode === null) {
      sentinel.kill('SIGKILL')
      await once(sentinel, 'exit')
    }
    await rm(file, { force: true })
  }
  const isUp = () => asked(port, async (client) => (await client.ping()) === 'PONG').catch(() => false)
  if (sentinel.exitCode !== null || !(await eventually(isUp, 3_000))) {
    await stop()
    throw new Error('the Sentinel did not start')
  }
  return { port, stop }
}
