// The environment of measured nodes: a private database and Redis, the sandbox, and a key with limits out of reach,
// created as an operator would. Everything but the nodes runs on the core of the load.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sandboxSettings } from '../server/src/demo/sandbox-settings.ts'
import { startPrivateRedis } from '../server/test/support/private-redis.ts'
import { createTemporaryDatabase } from '../server/test/support/temporary-database.ts'
import { type Contestant, LOAD_CORE, SERVER_CORE, startContestant } from './contestant.ts'
import { redisInfo } from './redis-info.ts'

export interface RunningNode {
  node: Contestant
  port: number
}

export interface Surroundings {
  authorization: string
  settings: Record<string, string>
  startNode: (own?: Record<string, string>) => Promise<RunningNode>
  stop: () => Promise<void>
}

export const startBenchSandbox = (): Promise<Contestant> => startContestant(LOAD_CORE, ['sandbox/src/serve.ts'])

export const sandboxUrlOf = (sandbox: Contestant): string => JSON.parse(sandbox.firstLine).url

/** `root` is the tree whose server is run: this one by default. */
export async function startSurroundings(
  sandbox: Contestant,
  { own = {}, root = '.' }: { own?: Record<string, string>; root?: string } = {},
): Promise<Surroundings> {
  const [database, redis] = await Promise.all([createTemporaryDatabase(), startPrivateRedis()])
  pinToLoadCore(redis.url)
  const sandboxUrl = sandboxUrlOf(sandbox)
  const settings: Record<string, string> = {
    ...sandboxSettings((slug) => `${sandboxUrl}/${slug}`),
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    PORT: '0',
    // With Brave and Mojeek these are the three engines of the bare contestant, which other revisions have too.
    ENGINE_C: 'marginalia images:openverse',
    // The real provider's rate limit is lower than the rates measured here.
    BRAVE_RATE_LIMIT: 'off',
    // As earlier trees call it.
    BRAVE_PACE: 'off',
    // For revisions that would refuse a closed loop, which keeps the node fully busy.
    MAX_LOOP_DELAY_MS: '0',
    ...own,
  }
  const program = programOf(root)
  const authorization = `Api-Key ${createKey(program, settings)}`
  const nodes: Contestant[] = []
  const startNode = async (more: Record<string, string> = {}) => {
    const node = await startContestant(SERVER_CORE, [program, 'serve'], { ...settings, ...more })
    nodes.push(node)
    return { node, port: Number(/:(\d+)\b/.exec(node.firstLine)?.[1]) }
  }
  // Not measured: it takes the leases of background work, and warms up everything shared.
  await startNode()
  return {
    authorization,
    settings,
    startNode,
    async stop() {
      for (const part of [...nodes, redis]) await part.stop()
      await database.drop()
    },
  }
}

/** The program that `npm run bowerbird` runs in that tree. */
function programOf(root: string): string {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return join(root, String(scripts.bowerbird).split(' ')[1] ?? '')
}

function pinToLoadCore(redisUrl: string): void {
  const pid = redisInfo(redisUrl)('process_id')
  execFileSync('taskset', ['-a', '-c', '-p', LOAD_CORE, String(pid)], { stdio: 'ignore' })
}

function createKey(program: string, settings: Record<string, string>): string {
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, [program, ...args, '--json'], {
      env: { ...process.env, ...settings },
      input: 'a password for the bench\n',
      encoding: 'utf8',
    })
  run('user', 'create', 'bench', '--password-stdin')
  return JSON.parse(run('key', 'create', 'bench', '--burst', '10000000/s', '--sustained', '10000000/day')).key
}
