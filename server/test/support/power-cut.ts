// What a disk may hold after a power cut: strace records what a process does to the files of its SQLite database, and
// any moment of the recording can be rebuilt. What was synced is there. Of the rest, each write is there, lost, or torn
// between sectors, whatever its order: more than a real disk would mix up, and all that SQLite has to survive.
// The `-shm` file is left out: SQLite rebuilds it when it opens a database that no process uses.
import { globSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Random } from './random.ts'

/** `at` and `endsAt` are seconds since 1970. `file` tells a file from an earlier one of the same path. */
export type Operation = { at: number; endsAt: number; path: string; file: number } & Change

type Change = { kind: 'create' | 'delete' | 'sync' } | ({ kind: 'write' } & Written) | { kind: 'resize'; size: number }

interface Written {
  offset: number
  bytes: Buffer
}

const SECTOR_BYTES = 512
const TORN_SHARE = 0.1
const LONGEST_WRITE_BYTES = 1_048_576
/** With some that SQLite does not use: should it begin to, reading the recording fails. */
const RECORDED_CALLS =
  'open,openat,creat,write,writev,pwrite64,pwritev,pwritev2,truncate,ftruncate,fallocate,' +
  'fsync,fdatasync,unlink,unlinkat,rename,renameat,renameat2,link,linkat,copy_file_range,sendfile'

/**
 * The command that runs another and records it. The process that it starts is the other's own (`-D`); strace keeps its
 * standard error open until the recording is complete.
 */
export function recordingCommand(database: string, recording: string): string[] {
  const format = ['-ff', '-ttt', '-T', '-y', '-xx', '-s', String(LONGEST_WRITE_BYTES), '-o', recording]
  const paths = [dirname(database), database, `${database}-wal`, `${database}-journal`]
  const filter = ['--seccomp-bpf', '-e', `trace=${RECORDED_CALLS}`, '-e', 'signal=none']
  return ['strace', '-D', ...format, ...filter, ...paths.flatMap((path) => ['-P', path])]
}

/** Of a recording that began with an empty folder. */
export async function readRecording(recording: string): Promise<Operation[]> {
  const calls: Call[] = []
  // One file a thread.
  for (const path of globSync(`${recording}.*`)) {
    let lastLine = ''
    for await (const line of (await open(path)).readLines({ encoding: 'latin1' })) {
      const call = parseCall(line)
      if (call) calls.push(call)
      lastLine = line
    }
    if (!lastLine.endsWith(' +++')) throw new Error('strace has not ended')
  }
  return toOperations(calls.toSorted((a, b) => a.at - b.at))
}

interface Call {
  name: string
  at: number
  endsAt: number
  /** Its parameters, still in strace's notation. */
  parameters: string
  result: number
}

const CALL = /^(?<at>[\d.]+) (?<name>\w+)\((?<parameters>.*)\) = (?<result>\d+)(?:<.*>)? <(?<seconds>[\d.]+)>$/

/** Undefined for a call that failed or never returned, and for what is no call. */
function parseCall(line: string): Call | undefined {
  const { at, name = '', parameters = '', result, seconds } = CALL.exec(line)?.groups ?? {}
  if (at === undefined) return undefined
  return { name, at: Number(at), endsAt: Number(at) + Number(seconds), parameters, result: Number(result) }
}

/** In order of time. */
function toOperations(calls: readonly Call[]): Operation[] {
  const files = new Map<string, number>()
  let lastFile = 0
  return calls.flatMap((call): Operation[] => {
    // A path of an open file is in angle brackets, another in quotation marks.
    const [, escaped = ''] = /(?:^|, )(?:\d+<|")((?:\\x\w\w)+)[>"]/.exec(call.parameters) ?? []
    const path = parseBytes(escaped).toString()
    const isNew = !files.has(path)
    if (isNew) files.set(path, ++lastFile)
    const operation = { at: call.at, endsAt: call.endsAt, path, file: files.get(path) ?? lastFile }
    if (call.name === 'openat' && !call.parameters.includes('O_TRUNC')) {
      return isNew && call.parameters.includes('O_CREAT') ? [{ ...operation, kind: 'create' }] : []
    }
    if (call.name === 'fsync' || call.name === 'fdatasync') return [{ ...operation, kind: 'sync' }]
    if (call.name === 'unlink') {
      files.delete(path)
      return [{ ...operation, kind: 'delete' }]
    }
    if (call.name === 'ftruncate') return [{ ...operation, kind: 'resize', size: parseLastNumber(call) }]
    if (call.name === 'pwrite64') return [{ ...operation, kind: 'write', ...parseWrite(call) }]
    throw new Error(`a power cut after ${call.name} cannot be rebuilt yet`)
  })
}

const parseBytes = (escaped: string): Buffer => Buffer.from(escaped.replaceAll('\\x', ''), 'hex')
const parseLastNumber = ({ parameters }: Call): number => Number(parameters.slice(parameters.lastIndexOf(' ')))

function parseWrite(call: Call): Written {
  const from = call.parameters.indexOf('"') + 1
  const bytes = parseBytes(call.parameters.slice(from, call.parameters.indexOf('"', from)))
  if (bytes.length < call.result) throw new Error('strace has cut off what was written')
  return { offset: parseLastNumber(call), bytes: bytes.subarray(0, call.result) }
}

/** What is in the folder after a power cut: the content of each file by its path. */
export function rebuildAfterCut(operations: readonly Operation[], cutAt: number, random: Random): Map<string, Buffer> {
  const begun = operations.filter(({ at }) => at <= cutAt)
  const disk = createDisk(begun, cutAt, random)
  const changesByFile = Map.groupBy(begun, ({ file }) => file)
  const files = [...rebuildNames(begun, disk)]
  return new Map(files.map(([path, file]) => [path, rebuildContent(changesByFile.get(file) ?? [], disk)]))
}

interface Disk {
  /** Whether a file, or the folder of this path, was synced after a change had ended. */
  isSynced: (change: Operation, by: number | string) => boolean
  /** Decides about one change that was not synced. */
  survives: () => boolean
  random: Random
}

function createDisk(begun: readonly Operation[], cutAt: number, random: Random): Disk {
  const lastSyncs = new Map<number | string, number>()
  for (const { kind, path, file, at, endsAt } of begun) {
    if (kind === 'sync' && endsAt <= cutAt) lastSyncs.set(path, at).set(file, at)
  }
  // One cut in three loses all that it can; the others lose anything from most of it to nearly nothing.
  const survivingShare = Math.max(0, random.next() * 1.5 - 0.5)
  return {
    isSynced: ({ endsAt }, by) => endsAt <= (lastSyncs.get(by) ?? 0),
    survives: () => random.next() < survivingShare,
    random,
  }
}

function rebuildNames(begun: readonly Operation[], disk: Disk): Map<string, number> {
  const files = new Map<string, number>()
  for (const change of begun) {
    if (change.kind !== 'create' && change.kind !== 'delete') continue
    // File systems keep the order of these.
    if (!disk.isSynced(change, dirname(change.path)) && !disk.survives()) break
    if (change.kind === 'create') files.set(change.path, change.file)
    else files.delete(change.path)
  }
  return files
}

function rebuildContent(changes: readonly Operation[], disk: Disk): Buffer {
  const content = Buffer.alloc(changes.reduce((most, change) => Math.max(most, getEnd(change)), 0))
  let size = 0
  for (const change of changes) {
    const isWhole = disk.isSynced(change, change.file) || disk.survives()
    if (change.kind === 'resize' && isWhole) {
      content.fill(0, change.size)
      size = change.size
    }
    if (change.kind !== 'write') continue
    for (const { offset, bytes } of isWhole ? [change] : pickSurvivingSectors(change, disk.random)) {
      bytes.copy(content, offset)
      size = Math.max(size, offset + bytes.length)
    }
    // A file may have grown without its new content.
    if (disk.survives()) size = Math.max(size, getEnd(change))
  }
  return content.subarray(0, size)
}

/** Of a write that is not there as a whole: usually none. */
function pickSurvivingSectors(write: Written, random: Random): Written[] {
  if (random.next() >= TORN_SHARE) return []
  return splitIntoSectors(write).filter(() => random.next() < 0.5)
}

function getEnd(change: Operation): number {
  if (change.kind === 'write') return change.offset + change.bytes.length
  return change.kind === 'resize' ? change.size : 0
}

function splitIntoSectors({ offset, bytes }: Written): Written[] {
  const sectors = []
  for (let from = 0; from < bytes.length; ) {
    const to = from + SECTOR_BYTES - ((offset + from) % SECTOR_BYTES)
    sectors.push({ offset: offset + from, bytes: bytes.subarray(from, to) })
    from = to
  }
  return sectors
}
