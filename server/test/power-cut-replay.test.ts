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

  it('is refused if it has a call that cannot be rebuilt', async () => {
    const lines = [...CREATED, line(3, `write(9<${formatBytes(LOG)}>, "${formatBytes('abc')}", 3)`, 3)]
    await expect(read(lines)).rejects.toThrow('a power cut after write cannot be rebuilt yet')
  })

  it('is refused if strace has cut off what was written', async () => {
    const lines = [...CREATED, line(3, `pwrite64(9<${formatBytes(LOG)}>, "${formatBytes('abc')}"..., 4096, 0)`, 4096)]
    await expect(read(lines)).rejects.toThrow('strace has cut off what was written')
  })

  it('is refused if strace has not written it to its end', async () => {
    await expect(readUnfinished([CREATED])).rejects.toThrow('strace has not ended')
  })
})

describe('after a power cut', () => {
  it('what was synced is there', async () => {
    const operations = await read([...CREATED, write(3, 'old'), write(4, 'new'), sync(5)])
    expect(cutOften(operations, LATER)).toEqual(new Set(['new']))
  })

  it('what was not synced is there, lost, or there as zeros', async () => {
    const operations = await read([...CREATED, write(3, 'old'), sync(4), write(5, 'new', 3)])
    expect(cutOften(operations, LATER)).toEqual(new Set(['old', 'oldnew', 'old\0\0\0']))
  })

  it('a later write may be there without an earlier one', async () => {
    const operations = await read([...CREATED, write(3, '....'), sync(4), write(5, 'a'), write(6, 'b', 1)])
    expect(cutOften(operations, LATER)).toEqual(new Set(['....', 'a...', '.b..', 'ab..']))
  })

  it('a sync that has not returned protects nothing', async () => {
    const operations = await read([...CREATED, write(3, 'new'), sync(5)])
    expect(cutOften(operations, 5.4)).toContain('')
    expect(cutOften(operations, 5.6)).toEqual(new Set(['new']))
  })

  it('a sync protects no write that another thread had not finished', async () => {
    const operations = await read([...CREATED, write(3, 'new')], [sync(3)])
    expect(cutOften(operations, LATER)).toContain('')
  })

  it('nothing is there that had not begun', async () => {
    const operations = await read([...CREATED, write(3, 'old'), sync(4), write(5, 'new')])
    expect(cutOften(operations, 4.9)).toEqual(new Set(['old']))
  })

  it('a write may be torn, but only between sectors of the disk', async () => {
    const operations = await read([...CREATED, write(3, '.'.repeat(1_024)), sync(4), write(5, 'x'.repeat(600), 424)])
    const [before, first, second] = ['.'.repeat(424), 'x'.repeat(88), 'x'.repeat(512)]
    expect(cutOften(operations, LATER)).toEqual(
      new Set([
        before + '.'.repeat(600),
        before + first + second,
        before + first + '.'.repeat(512),
        before + '.'.repeat(88) + second,
      ]),
    )
  })

  it('a new size that was not synced may be lost', async () => {
    const operations = await read([...CREATED, write(3, 'long'), sync(4), resize(5, 2)])
    expect(cutOften(operations, LATER)).toEqual(new Set(['long', 'lo']))
  })

  it('a file that shrank and grew again has none of its old content', async () => {
    const operations = await read([...CREATED, write(3, 'long'), resize(4, 1), write(5, 'g', 3), sync(6)])
    expect(cutOften(operations, LATER)).toEqual(new Set(['l\0\0g']))
  })

  it('a synced file may be missing while its folder was not synced', async () => {
    const operations = await read([create(1), write(2, 'new'), sync(3)])
    expect(cutOften(operations, LATER)).toEqual(new Set([undefined, 'new']))
  })

  it('a deleted file may be back with its own content, until its folder is synced', async () => {
    const replaced = [remove(5), create(6), write(7, 'new'), sync(8)]
    const operations = await read([...CREATED, write(3, 'old'), sync(4), ...replaced, sync(LATER, FOLDER)])
    expect(cutOften(operations, LATER)).toEqual(new Set(['old', undefined, 'new']))
    expect(cutOften(operations, LATER + 1)).toEqual(new Set(['new']))
  })
})
