// The rebuilding of files after a power cut, which the nightly test of power cuts relies on, against recordings of a few
// lines.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { type Operation, readRecording, rebuildAfterCut } from './support/power-cut.ts'
import { createRandom } from './support/random.ts'

const FOLDER = '/data'
const LOG = '/data/bowerbird.db-wal'
const SEEDS = Array.from({ length: 200 }, (_, seed) => seed)
const LATER = 100

const formatBytes = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

// Lines as strace prints them; each call takes half a second.
const line = (at: number, call: string, result: number | string = 0): string =>
  `${at}.000000 ${call} = ${result} <0.500000>`
const create = (at: number, path = LOG): string =>
  line(
    at,
    `openat(AT_FDCWD<${formatBytes('/')}>, "${formatBytes(path)}", O_RDWR|O_CREAT|O_CLOEXEC, 0644)`,
    `9<${formatBytes(path)}>`,
  )
const write = (at: number, text: string, offset = 0): string =>
  line(at, `pwrite64(9<${formatBytes(LOG)}>, "${formatBytes(text)}", ${text.length}, ${offset})`, text.length)
const resize = (at: number, size: number): string => line(at, `ftruncate(9<${formatBytes(LOG)}>, ${size})`)
const sync = (at: number, path = LOG): string => line(at, `fsync(9<${formatBytes(path)}>)`)
const remove = (at: number): string => line(at, `unlink("${formatBytes(LOG)}")`)

/** Each list of lines is what one thread did. */
const read = (...threads: string[][]): Promise<Operation[]> =>
  readUnfinished(threads.map((lines) => [...lines, '99.000000 +++ exited with 0 +++']))

async function readUnfinished(threads: string[][]): Promise<Operation[]> {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'replay-'))
  for (const [thread, lines] of threads.entries()) {
    await writeFile(join(folder, `recording.${thread}`), lines.map((one) => `${one}\n`).join(''))
  }
  return readRecording(join(folder, 'recording'))
}

/** The different contents of the log that cuts at one moment leave. */
function cutOften(operations: Operation[], cutAt: number): Set<string | undefined> {
  const contents = SEEDS.map((seed) => rebuildAfterCut(operations, cutAt, createRandom(seed)).get(LOG)?.toString())
  return new Set(contents)
}

const CREATED = [create(1), sync(2, FOLDER)]

describe('a recording', () => {
  it('is read as operations in order of time, whatever thread they ran in', async () => {
    const operations = await read([...CREATED, write(3, 'abc', 7), resize(5, 8), remove(6)], [sync(4)])
    expect(operations).toMatchObject([
      { kind: 'create', path: LOG },
      { kind: 'sync', path: FOLDER },
      { kind: 'write', path: LOG, offset: 7, bytes: Buffer.from('abc') },
      { kind: 'sync', path: LOG },
      { kind: 'resize', path: LOG, size: 8 },
      { kind: 'delete', path: LOG },
    ])
    expect(operations.map(({ at, endsAt }) => endsAt - at)).toEqual(Array(6).fill(0.5))
  })

  it('has no operation for a call that failed or never returned', async () => {
    const failed = line(3, `fsync(9<${formatBytes(LOG)}>)`, '-1 EIO (Input/output error)')
    const interrupted = `4.000000 fsync(9<${formatBytes(LOG)}> <unfinished ...>) = ?`
    expect(await read([...CREATED, failed, interrupted])).toHaveLength(2)
  })

  it('has of a short write only what was written', async () => {
    const short = line(3, `pwrite64(9<${formatBytes(LOG)}>, "${formatBytes('abc')}", 3, 0)`, 2)
    expect(await read([...CREATED, short])).toContainEqual(expect.objectContaining({ bytes: Buffer.from('ab') }))
  })

  it.each([
    ['a power cut after write cannot be rebuilt yet', `write(9<${formatBytes(LOG)}>, "${formatBytes('abc')}", 3)`],
    ['strace has cut off what was written', `pwrite64(9<${formatBytes(LOG)}>, "${formatBytes('abc')}"..., 4096, 0)`],
  ])('is refused: %s', async (message, call) => {
    await expect(read([...CREATED, line(3, call, 4096)])).rejects.toThrow(message)
  })

  it('is refused if strace has not written it to its end', async () => {
    await expect(readUnfinished([CREATED])).rejects.toThrow('strace has not ended')
  })
})

describe('after a power cut', () => {
  const before = '.'.repeat(424)
  const torn = ['.'.repeat(600), 'x'.repeat(600), 'x'.repeat(88) + '.'.repeat(512), '.'.repeat(88) + 'x'.repeat(512)]
  const replaced = [remove(5), create(6), write(7, 'new'), sync(8), sync(LATER, FOLDER)]

  /** The contents that are possible after a cut at that moment; undefined stands for a missing file. */
  it.each<[string, string[], number, (string | undefined)[]]>([
    ['what was synced is there', [...CREATED, write(3, 'old'), write(4, 'new'), sync(5)], LATER, ['new']],
    [
      'what was not synced is there, lost, or there as zeros',
      [...CREATED, write(3, 'old'), sync(4), write(5, 'new', 3)],
      LATER,
      ['old', 'oldnew', 'old\0\0\0'],
    ],
    [
      'a later write may be there without an earlier one',
      [...CREATED, write(3, '....'), sync(4), write(5, 'a'), write(6, 'b', 1)],
      LATER,
      ['....', 'a...', '.b..', 'ab..'],
    ],
    [
      'a sync that has not returned protects nothing',
      [...CREATED, write(3, 'new'), sync(5)],
      5.4,
      ['', 'new', '\0\0\0'],
    ],
    ['a sync that has returned protects', [...CREATED, write(3, 'new'), sync(5)], 5.6, ['new']],
    ['nothing is there that had not begun', [...CREATED, write(3, 'old'), sync(4), write(5, 'new')], 4.9, ['old']],
    [
      'a write may be torn, but only between sectors of the disk',
      [...CREATED, write(3, '.'.repeat(1_024)), sync(4), write(5, 'x'.repeat(600), 424)],
      LATER,
      torn.map((end) => before + end),
    ],
    [
      'a new size that was not synced may be lost',
      [...CREATED, write(3, 'long'), sync(4), resize(5, 2)],
      LATER,
      ['long', 'lo'],
    ],
    [
      'a file that shrank and grew again has none of its old content',
      [...CREATED, write(3, 'long'), resize(4, 1), write(5, 'g', 3), sync(6)],
      LATER,
      ['l\0\0g'],
    ],
    [
      'a synced file may be missing while its folder was not synced',
      [create(1), write(2, 'new'), sync(3)],
      LATER,
      [undefined, 'new'],
    ],
    [
      'a deleted file may be back with its own content',
      [...CREATED, write(3, 'old'), sync(4), ...replaced],
      LATER,
      ['old', undefined, 'new'],
    ],
    [
      'a deleted file is gone once its folder is synced',
      [...CREATED, write(3, 'old'), sync(4), ...replaced],
      LATER + 1,
      ['new'],
    ],
  ])('%s', async (_, lines, ...[cutAt, contents]) => {
    expect(cutOften(await read(lines), cutAt)).toEqual(new Set(contents))
  })

  it('a sync protects no write that another thread had not finished', async () => {
    expect(cutOften(await read([...CREATED, write(3, 'new')], [sync(3)]), LATER)).toContain('')
  })
})
