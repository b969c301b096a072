// A stranger with one connection and 100 KB/s sends the most expensive requests that the fuzzer knows, surface by
// surface. Meanwhile others ask for /livez on new connections: p99 stays below 100 ms. The delay that the machine itself
// adds is measured on an idle server at the same time, and allowed for. Each surface is tried three times and the median
// counts: a surface that holds others up does so every time, a hiccup of the machine doesn't.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALL_SURFACES } from '../../../tools/fuzz/all.ts'
import { readCorpus } from '../../../tools/fuzz/corpus.ts'
import { render } from '../../../tools/fuzz/recipe.ts'
import type { StrangeRequest } from '../../../tools/fuzz/surface.ts'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { endWithWorker } from '../support/end-with-worker.ts'
import { askOnce, percentile } from '../support/open-loop.ts'
import { recordFigures } from '../support/record-figures.ts'

const BYTES_PER_SECOND = 100_000
const SECONDS = 3
const TRIALS = 3
const ASK_EVERY_MS = 20
const MAX_P99_MS = 100
const PATIENCE_MS = 1_000
/** Node closes a connection whose headers are longer. */
const MAX_HEAD_BYTES = 16_000

let cluster: Cluster
let idle: { url: string; process: ChildProcess }
let key: string
let worstMs = 0

beforeAll(async () => {
  cluster = await startCluster({
    nodes: 1,
    settings: { SITE_ACCESS: 'public', TRUSTED_PROXIES: '127.0.0.1', URL_KEYS: 'on' },
  })
  key = await cluster.createKey(UNLIMITED)
  idle = await startIdleServer()
})
afterAll(async () => {
  recordFigures('stranger', { worst_added_p99_ms: worstMs })
  idle?.process.kill('SIGKILL')
  await cluster?.close()
})

async function startIdleServer() {
  const script = `require('http').createServer((_, reply) => reply.end())
    .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
  const child = endWithWorker(spawn(process.execPath, ['-e', script]))
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return { url: `http://127.0.0.1:${String(port).trim()}`, process: child }
}

/** Writes the request as it is: an HTTP client would refuse some. */
function bytesOf({ method = 'GET', path, headers = {}, body = '' }: StrangeRequest): Buffer {
  const lines = Object.entries({ Host: 'localhost', ...headers, 'Content-Length': String(Buffer.byteLength(body)) })
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  return Buffer.from(head + body)
}

/** Sends the bytes again and again over one connection at a time, within the stranger's bandwidth, until aborted. */
async function sendAgain(bytes: Buffer, signal: AbortSignal): Promise<{ sent: number; statuses: Set<string> }> {
  const { hostname, port } = new URL(cluster.node(0).url)
  const statuses = new Set<string>()
  const startedAt = performance.now()
  let socket: Socket | undefined
  let sent = 0
  while (!signal.aborted) {
    const dueMs = ((sent * bytes.length) / BYTES_PER_SECOND) * 1_000 - (performance.now() - startedAt)
    if (dueMs > 0) await sleep(dueMs)
    if (socket === undefined || socket.destroyed || !socket.writable) {
      socket = connect(Number(port), hostname).on('error', () => 'we are hung up on')
    }
    socket.write(bytes)
    sent += 1
    const status = /^HTTP\/1\.1 (\d{3})/.exec(await nextData(socket))?.[1]
    if (status !== undefined) statuses.add(status)
  }
  socket?.destroy()
  return { sent, statuses }
}

/** '' if the connection is closed, or nothing comes. */
const nextData = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    const finish = (data: unknown) => {
      clearTimeout(timer)
      socket.off('data', finish).off('close', finish)
      resolve(Buffer.isBuffer(data) ? data.toString('latin1') : '')
    }
    const timer = setTimeout(finish, PATIENCE_MS)
    socket.once('data', finish).once('close', finish)
  })

/** p99 of new connections, while `happening` goes on. */
async function othersWait(
  happening: (signal: AbortSignal) => Promise<unknown>,
): Promise<{ p99: number; machine: number }> {
  const over = new AbortController()
  const times = { livez: [] as number[], machine: [] as number[] }
  const urls = { livez: `${cluster.node(0).url}/livez`, machine: idle.url }
  const pending: Promise<unknown>[] = [happening(over.signal)]
  for (const endAt = performance.now() + SECONDS * 1_000; performance.now() < endAt; await sleep(ASK_EVERY_MS)) {
    for (const name of ['livez', 'machine'] as const)
      pending.push(askOnce(urls[name], {}).then(({ ms, status }) => times[name].push(status === 200 ? ms : Infinity)))
  }
  over.abort()
  await Promise.all(pending)
  return { p99: percentile(times.livez, 0.99), machine: percentile(times.machine, 0.99) }
}

/** The text in a request, shortened until Node takes the request's head. */
function fitted(
  request: (text: string) => StrangeRequest,
  textOf: (size: number) => string,
  limit: number,
): StrangeRequest {
  for (let size = limit; ; size = Math.floor(size * 0.8)) {
    const { body = '', ...head } = request(textOf(size))
    if (bytesOf(head).length <= MAX_HEAD_BYTES) return { ...head, body }
  }
}

const withKey = (request: StrangeRequest): StrangeRequest => {
  const scheme = request.path.startsWith('/api/') ? 'Api-Key' : 'Bearer'
  return { ...request, headers: { ...request.headers, Authorization: `${scheme} ${key}` } }
}

const corpus = readCorpus()
const cases = ALL_SURFACES.flatMap(({ name, when, limit, seeds, request }) => {
  const [recipe] = corpus.get(name) ?? []
  if (!request || !recipe) return []
  const strange = fitted(request, (size) => render(recipe, size, seeds), limit)
  return [{ name, bytes: () => bytesOf(when === 'with a key or session' ? withKey(strange) : strange) }]
})

/** What no parser accepts: it must be refused as cheaply. */
const MALFORMED = [
  {
    name: 'bytes above 0x7f in the URL, and spaces',
    bytes: () => Buffer.from(`GET /ü HTTP/1.1\r\nHost: a\r\nX: a${' '.repeat(60_000)}b\r\n\r\n`),
  },
  {
    name: 'a header without an end',
    bytes: () => Buffer.from(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(60_000)}`),
  },
  { name: 'many headers', bytes: () => Buffer.from(`GET /livez HTTP/1.1\r\nHost: a\r\n${'a:\r\n'.repeat(3_900)}\r\n`) },
  { name: 'noise', bytes: () => Buffer.from('\0\r\n:'.repeat(15_000)) },
]

it('the corpus has a request for every surface that strangers reach', () => {
  const reachable = ALL_SURFACES.filter(({ request }) => request)
  expect(cases.map(({ name }) => name)).toEqual(reachable.map(({ name }) => name))
})

describe.each([...cases, ...MALFORMED])('a stranger who sends $name', ({ name, bytes }) => {
  it('does not hold up others', async () => {
    const trials: { p99: number; machine: number }[] = []
    let sent = 0
    const statuses = new Set<string>()
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const waited = await othersWait(async (signal) => {
        const seen = await sendAgain(bytes(), signal)
        sent += seen.sent
        for (const status of seen.statuses) statuses.add(status)
      })
      trials.push(waited)
    }
    const added = percentile(
      trials.map(({ p99, machine }) => p99 - machine),
      0.5,
    )
    const figures = trials.map(({ p99, machine }) => `${p99.toFixed(1)} (machine ${machine.toFixed(1)})`).join(', ')
    process.stdout.write(`${name}: p99 ${figures} ms, ${sent} sent, ${[...statuses].join(' ')}\n`)
    worstMs = Math.max(worstMs, added)
    expect(sent).toBeGreaterThan(0)
    expect(added).toBeLessThan(MAX_P99_MS)
  })
})
