// A power cut does not destroy the database of a small instance, and takes at most the last second of what was
// acknowledged. strace records what a process writes under load; then the disk is rebuilt as 50 cuts at random moments
// may leave it. SEED=… repeats the choices of a failed run, on a recording that is new and so only similar.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startSandbox } from '@bowerbird/sandbox'
import { describe, expect, inject, it } from 'vitest'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { administer, createUser } from '../support/administer.ts'
import { endWithWorker } from '../support/end-with-worker.ts'
import { type Operation, readRecording, rebuildAfterCut, recordingCommand } from '../support/power-cut.ts'
import { createRandom, type Random } from '../support/random.ts'
import { startServerProcess } from '../support/server-process.ts'

const CUTS = 50
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const MOST_LOST_SECONDS = 1
const LOAD_SECONDS = 8
const DATABASE = 'bowerbird.db'

/** A process to record, and what tests need to know about it. */
interface Subject {
  /** Runs the process `within` the command that records it, until both have ended and closed their output. */
  run: (database: string, within: readonly string[]) => Promise<Acknowledgement[]>
  /** The names of acknowledged writes that a database has. Throws if the database contradicts itself. */
  listWritten: (database: DatabaseSync) => Set<string>
}

interface Acknowledgement {
  name: string
  /** Seconds since 1970. */
  at: number
}

interface Recording {
  operations: Operation[]
  acknowledged: Acknowledgement[]
}

async function record({ run }: Subject): Promise<Recording> {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'power-cut-'))
  const [data, recording] = [join(folder, 'data'), join(folder, 'recording')]
  await mkdir(data)
  const database = join(data, DATABASE)
  const acknowledged = await run(database, recordingCommand(database, recording))
  return { operations: await readRecording(recording), acknowledged }
}

interface Outcome {
  cut: string
  damage: string | undefined
  /** From the first acknowledged write that is missing to the cut. */
  lostSeconds: number
}

async function cutPower(recording: Recording, subject: Subject): Promise<Outcome[]> {
  const random = createRandom(SEED)
  const moments = pickMoments(recording.operations, random)
  const outcomes: Outcome[] = []
  for (const [cut, cutAt] of moments.entries()) {
    await using folder = await writeFiles(rebuildAfterCut(recording.operations, cutAt, random))
    const acknowledged = recording.acknowledged.filter(({ at }) => at < cutAt)
    const outcome = inspect(join(folder.path, DATABASE), acknowledged, subject)
    const lostSeconds = outcome.firstMissing ? cutAt - outcome.firstMissing.at : 0
    outcomes.push({ cut: `cut ${cut} with SEED=${SEED}`, damage: outcome.damage, lostSeconds })
  }
  return outcomes
}

/** Checkpoints are where a database can break, and take a hundredth of the time: every other cut hits one. */
function pickMoments(operations: readonly Operation[], random: Random): number[] {
  const checkpoints = operations.filter(({ kind, path }) => kind === 'sync' || basename(path) === DATABASE)
  const [beginsAt = 0, endsAt = 0] = [operations[0]?.at, operations.at(-1)?.endsAt]
  return Array.from({ length: CUTS }, (_, cut) => {
    if (cut % 2 === 0) return beginsAt + random.next() * (endsAt - beginsAt)
    return checkpoints[random.between(0, checkpoints.length - 1)]?.at ?? 0
  })
}

async function writeFiles(files: Map<string, Buffer>) {
  const folder = await mkdtempDisposable(join(inject('temporaryFolder'), 'power-cut-'))
  for (const [path, content] of files) await writeFile(join(folder.path, basename(path)), content)
  return folder
}

function inspect(path: string, acknowledged: readonly Acknowledgement[], { listWritten }: Subject) {
  try {
    using database = new DatabaseSync(path)
    const { integrity_check: verdict } = database.prepare('pragma integrity_check').get() ?? {}
    const written = listWritten(database)
    const firstMissing = acknowledged.find(({ name }) => !written.has(name))
    return { damage: verdict === 'ok' ? undefined : String(verdict), firstMissing }
  } catch (error) {
    return { damage: String(error), firstMissing: undefined }
  }
}

const damaged = (outcomes: Outcome[]): Outcome[] => outcomes.filter(({ damage }) => damage !== undefined)
const lossy = (outcomes: Outcome[]): Outcome[] => outcomes.filter((one) => one.lostSeconds > MOST_LOST_SECONDS)

const createWriter = (synchronous: string, syncEveryMs: number): Subject => ({
  async run(database, within) {
    const program = fileURLToPath(new URL('../support/sqlite-writer.ts', import.meta.url))
    const settings = [database, synchronous, String(syncEveryMs), String(LOAD_SECONDS)]
    const [command = '', ...parameters] = [...within, process.execPath, program, ...settings]
    const child = endWithWorker(spawn(command, parameters))
    const acknowledged: Acknowledgement[] = []
    child.stderr.pipe(process.stderr)
    createInterface(child.stdout).on('line', (name) => acknowledged.push({ name, at: Date.now() / 1_000 }))
    expect(await once(child, 'close')).toEqual([0, null])
    return acknowledged
  },
  listWritten(database) {
    // The first second may be lost as well.
    if (!database.prepare("select 1 from sqlite_schema where name = 'total'").get()) return new Set()
    const numbers = database.prepare('select number from entry').all()
    const total = database.prepare('select entries from total').get()
    if (total && total['entries'] !== numbers.length) throw new Error('half of a transaction is missing')
    return new Set(numbers.map(({ number }) => String(number)))
  },
})

/** As many as keep SQLite's own checkpoints seconds apart. */
const CLIENTS = 2
const PAUSE_MS = 50

/** An instance in a folder, where clients create keys and search with each. */
const instance: Subject = {
  async run(database, within) {
    await using parts = new AsyncDisposableStack()
    const sandbox = await startSandbox()
    parts.defer(() => sandbox.close())
    const folder = dirname(database)
    const settings = { DATA_DIR: folder, MAX_KEYS_PER_USER: '1000000', LOG_LEVEL: 'error' }
    const server = await startServerProcess({ ...sandboxSettings((slug) => sandbox.urlOf(slug)), ...settings }, within)
    parts.defer(() => server.stop('SIGKILL'))
    await createUser(folder, 'ada')
    const acknowledged: Acknowledgement[] = []
    const endAt = performance.now() + LOAD_SECONDS * 1_000
    const use = async (client: number): Promise<void> => {
      for (let i = 0; performance.now() < endAt; i++) {
        const { key, name } = await administer(folder, 'key-create', { username: 'ada', name: `${client}-${i}` })
        acknowledged.push({ name, at: Date.now() / 1_000 })
        const headers = { authorization: `Api-Key ${key}` }
        expect((await fetch(`${server.url}/api/v1/web/?q=${name}`, { headers })).status).toBe(200)
        await sleep(PAUSE_MS)
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => use(client)))
    const closed = once(server.process, 'close')
    await server.stop()
    await closed
    return acknowledged
  },
  listWritten(database) {
    if (!database.prepare("select 1 from sqlite_schema where name = 'api_keys'").get()) return new Set()
    return new Set(
      database
        .prepare('select name from api_keys')
        .all()
        .map(({ name }) => String(name)),
    )
  },
}

describe(`after each of ${CUTS} power cuts under load`, { timeout: 300_000 }, () => {
  it('the database of an instance is whole and lacks at most the last second', async () => {
    const recording = await record(instance)
    const outcomes = await cutPower(recording, instance)
    expect(recording.acknowledged.length).toBeGreaterThan(20)
    expect(damaged(outcomes)).toEqual([])
    expect(lossy(outcomes)).toEqual([])
  })

  it('a database whose log is synced twice a second is whole and lacks at most the last second', async () => {
    const writer = createWriter('normal', 500)
    const recording = await record(writer)
    const outcomes = await cutPower(recording, writer)
    expect(recording.acknowledged.length).toBeGreaterThan(100)
    expect(damaged(outcomes)).toEqual([])
    expect(lossy(outcomes)).toEqual([])
  })

  it('a database whose log is synced only by checkpoints is whole but may lack more', async () => {
    const writer = createWriter('normal', 0)
    const outcomes = await cutPower(await record(writer), writer)
    expect(damaged(outcomes)).toEqual([])
    expect(lossy(outcomes)).not.toEqual([])
  })

  it('a database that never syncs is damaged', async () => {
    const writer = createWriter('off', 0)
    expect(damaged(await cutPower(await record(writer), writer))).not.toEqual([])
  })
})
