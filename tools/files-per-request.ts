// Lists the source files that run for one search, from V8's coverage of a running node: once with everything in memory,
// once with nothing cached. `npm run files-per-request`; with the path of another checkout, measures that one.
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox } from '@bowerbird/sandbox'
import { sandboxSettings } from '../server/src/demo/sandbox-settings.ts'
import { startPrivateRedis } from '../server/test/support/private-redis.ts'
import { bowerbird, startServerProcess } from '../server/test/support/server-process.ts'
import { createTemporaryDatabase } from '../server/test/support/temporary-database.ts'

interface FunctionCoverage {
  functionName: string
  ranges: { count: number }[]
}

interface ScriptCoverage {
  url: string
  functions: FunctionCoverage[]
}

/** A connection to a process's inspector that returns what has run since the last call. */
async function openCoverage(address: string) {
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  let sent = 0
  const call = (method: string, params = {}): Promise<{ result?: ScriptCoverage[] }> =>
    new Promise((resolve) => {
      const id = ++sent
      socket.addEventListener('message', function heard({ data }) {
        const message = JSON.parse(String(data))
        if (message.id !== id) return
        socket.removeEventListener('message', heard)
        resolve(message.result)
      })
      socket.send(JSON.stringify({ id, method, params }))
    })
  await call('Profiler.enable')
  await call('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const take = async () => (await call('Profiler.takePreciseCoverage')).result ?? []
  return { take, close: () => socket.close() }
}

/** Our files with a function that ran, other than module initialization. */
function filesIn(coverage: readonly ScriptCoverage[], root: string): string[] {
  const isSource = /^(?:server|engines|answers|reader)\/src\//
  return coverage
    .filter(({ functions }) => functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0]?.count))
    .map(({ url }) => url.replace(`file://${root}/`, ''))
    .filter((file) => isSource.test(file))
    .toSorted()
}

const root = resolve(process.argv[2] ?? '.')
const [database, redis, sandbox] = await Promise.all([createTemporaryDatabase(), startPrivateRedis(), startSandbox()])
const settings = {
  ...sandboxSettings((slug) => sandbox.urlOf(slug)),
  DATABASE_URL: database.url,
  REDIS_URL: redis.url,
  PORT: '0',
}
await bowerbird(['user', 'create', 'ada', '--password-stdin'], settings, 'correct horse battery\n')
const { stdout } = await bowerbird(['key', 'create', 'ada'], settings)
const key = /bowerbird_\S+/.exec(stdout)?.[0] ?? ''
const program = resolve(root, 'server/src/bowerbird.ts')
const server = await startServerProcess(settings, ['env', 'NODE_OPTIONS=--inspect=127.0.0.1:0'], program)
const coverage = await openCoverage(/ws:\/\/\S+/.exec(server.logged())?.[0] ?? '')
const search = async (query: string) => {
  const reply = await fetch(`${server.url}/api/v1/web/?q=${query}`, { headers: { authorization: `Api-Key ${key}` } })
  if (reply.status !== 200) throw new Error(`${reply.status}: ${await reply.text()}`)
  await reply.text()
}
/** The shortest list of a few tries: background work only adds to it. */
async function fewest(query: (attempt: number) => string): Promise<string[]> {
  const lists: string[][] = []
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await sleep(300)
    await coverage.take()
    await search(query(attempt))
    lists.push(filesIn(await coverage.take(), root))
  }
  return lists.toSorted((one, other) => one.length - other.length)[0] ?? []
}

for (const query of ['memory', 'memory', 'memory', 'first', 'second']) await search(query)
const [inMemory, uncached] = [await fewest(() => 'memory'), await fewest((attempt) => `uncached${attempt}`)]
for (const [what, files] of Object.entries({ 'from memory': inMemory, uncached })) {
  process.stdout.write(`${what}: ${files.length} files\n${files.map((file) => `  ${file}\n`).join('')}`)
}
coverage.close()
await server.stop()
await Promise.all([sandbox.close(), redis.remove(), database.drop()])
