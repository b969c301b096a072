// Servers as an operator runs them: separate processes on one Redis and one database, with the sandbox behind them and
// the command line beside them. Accounts and keys are created in this process, which is quicker.
import { randomBytes } from 'node:crypto'
import { type Sandbox, startSandbox } from '@bowerbird/sandbox'
import { createUser } from '../../src/accounts/users.ts'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { createLocalChangeBus } from '../../src/keys/key-changes.ts'
import { createKey, type NewKey } from '../../src/keys/keys.ts'
import { createLog } from '../../src/log.ts'
import { migrate } from '../../src/store/migrations.ts'
import { openPostgres } from '../../src/store/postgres.ts'
import { type ApiClient, createApiClient } from './api-client.ts'
import { CHEAP_PASSWORDS } from './cheap-passwords.ts'
import { type PrivateRedis, startPrivateRedis } from './private-redis.ts'
import { bowerbird, type CommandResult, type ServerProcess, startServerProcess } from './server-process.ts'
import { createTemporaryDatabase } from './temporary-database.ts'

export interface ClusterNode extends ServerProcess {
  api: ApiClient
}

export interface Cluster {
  nodes: ClusterNode[]
  /** Returns nodes round robin. */
  node: (turn: number) => ClusterNode
  /** Kills it, or stops it with another signal, and starts another in its place. */
  replaceNode: (turn: number, signal?: NodeJS.Signals) => Promise<void>
  sandbox: Sandbox
  redis: PrivateRedis
  databaseUrl: string
  /** The settings of every node and command. */
  settings: Record<string, string>
  /** Throws if it fails. Returns what `--json` printed. */
  command: (args: string[], options?: CommandOptions) => Promise<Record<string, string>>
  /** Creates a key for ada, with the instance's limits unless given. */
  createKey: (options?: Partial<NewKey>) => Promise<string>
  close: () => Promise<void>
}

interface CommandOptions {
  input?: string
  settings?: Record<string, string>
}

export interface ClusterOptions {
  nodes?: number
  settings?: Record<string, string>
  /** A temporary database unless given. */
  databaseUrl?: string
  /** A private Redis unless given. */
  redis?: PrivateRedis
}

const MAX_KEYS = 10_000

/** Limits that no test reaches. */
export const UNLIMITED = { burst: '1000000/min', sustained: '1000000/day' }

export const prefixOf = (key: string): string => key.slice('bowerbird_'.length, key.indexOf('.'))

export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  // If anything fails to start, what has started is stopped again.
  await using starting = new AsyncDisposableStack()
  const sandbox = await startSandbox()
  starting.defer(() => sandbox.close())
  const redis = options.redis ?? (await startPrivateRedis())
  if (!options.redis) starting.defer(() => redis.stop())
  let { databaseUrl } = options
  if (databaseUrl === undefined) {
    const temporary = await createTemporaryDatabase()
    starting.defer(() => temporary.drop())
    databaseUrl = temporary.url
  }
  const settings = {
    ...sandboxSettings((slug) => sandbox.urlOf(slug)),
    IMAGE_PROXY_URL: sandbox.picturesUrl,
    READER_PROXY_URL: sandbox.pagesUrl,
    // Tests create as many as they need.
    MAX_KEYS_PER_USER: String(MAX_KEYS),
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    // The sandbox runs in the test process: a busy machine must not look like a slow engine.
    SEARCH_TIMEOUT_MS: '10000',
    ...options.settings,
  }
  const command: Cluster['command'] = async (args, given = {}) =>
    readJson(await bowerbird([...args, '--json'], { ...settings, ...given.settings }, given.input))
  const nodes: ClusterNode[] = []
  starting.defer(async () => {
    await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
  })
  const log = createLog('silent')
  const database = openPostgres(databaseUrl, log)
  starting.defer(() => database.close())
  await migrate(database.db)
  const access = {
    db: database.db,
    clock: Date.now,
    randomBytes,
    changes: createLocalChangeBus(),
    log,
    passwordCost: CHEAP_PASSWORDS,
    maxKeysPerUser: MAX_KEYS,
  }
  await createUser(access, { username: 'ada', password: 'correct horse battery' })
  const startNode = async () => {
    const server = await startServerProcess(settings)
    return { ...server, api: await createApiClient(server.url) }
  }
  await Promise.all(Array.from({ length: options.nodes ?? 3 }, async () => nodes.push(await startNode())))
  const parts = starting.move()
  return {
    nodes,
    node: (turn) => pick(nodes, turn),
    async replaceNode(turn, signal = 'SIGKILL') {
      const place = turn % nodes.length
      await pick(nodes, place).stop(signal)
      nodes[place] = await startNode()
    },
    sandbox,
    redis,
    databaseUrl,
    settings,
    command,
    createKey: async (options) => (await createKey(access, { owner: { username: 'ada' }, ...options })).full,
    close: () => parts.disposeAsync(),
  }
}

function pick<Item>(items: readonly Item[], turn: number): Item {
  const item = items[turn % items.length]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

function readJson({ code, stdout, stderr }: CommandResult): Record<string, string> {
  if (code !== 0) throw new Error(`the command failed: ${stderr}`)
  return JSON.parse(stdout)
}
