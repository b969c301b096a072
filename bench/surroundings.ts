// What a node under measurement stands on: a database and a Redis of its own, the sandbox on the other core, and a key whose
// limits are out of reach, made as an operator would make it.
import { execFileSync } from 'node:child_process'
import { sandboxSettings } from '../server/src/demo.ts'
import { startPrivateRedis } from '../server/test/support/private-redis.ts'
import { createTemporaryDatabase } from '../server/test/support/temporary-database.ts'
import { type Contestant, LOAD_CORE, SERVER_CORE, startContestant } from './contestant.ts'

const BOWERBIRD = ['server/src/bowerbird.ts']

export interface Surroundings {
  authorization: string
  startNode: () => Promise<{ node: Contestant; port: number }>
  stop: () => Promise<void>
}

export async function startSurroundings(own: Record<string, string> = {}): Promise<Surroundings> {
  const [database, redis] = await Promise.all([createTemporaryDatabase(), startPrivateRedis()])
  const sandbox = await startContestant(LOAD_CORE, ['sandbox/src/serve.ts'])
  const sandboxUrl: string = JSON.parse(sandbox.firstLine).url
  const settings: Record<string, string> = {
    ...sandboxSettings((slug) => `${sandboxUrl}/${slug}`),
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    PORT: '0',
    ...own,
  }
  const nodes: Contestant[] = []
  return {
    authorization: `Api-Key ${createKey(settings)}`,
    async startNode() {
      const node = await startContestant(SERVER_CORE, [...BOWERBIRD, 'serve'], settings)
      nodes.push(node)
      return { node, port: Number(/:(\d+)\b/.exec(node.firstLine)?.[1]) }
    },
    async stop() {
      for (const part of [...nodes, sandbox, redis]) await part.stop()
      await database.drop()
    },
  }
}

function createKey(settings: Record<string, string>): string {
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, [...BOWERBIRD, ...args, '--json'], {
      env: { ...process.env, ...settings },
      input: 'a password for the bench\n',
      encoding: 'utf8',
    })
  run('user', 'create', 'bench', '--password-stdin')
  return JSON.parse(run('key', 'create', 'bench', '--burst', '10000000/s', '--sustained', '10000000/day')).key
}
