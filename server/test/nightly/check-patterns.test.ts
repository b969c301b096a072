// tools/check-patterns.ts, as `npm run check` runs it, on sources of our own.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const TOOL = resolve(import.meta.dirname, '../../../tools/check-patterns.ts')
const SOURCE = 'engines/src/sample.ts'
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bowerbird-patterns-'))
  for (const path of ['engines/src', 'tools']) await mkdir(join(folder, path), { recursive: true })
  await writeFile(join(folder, 'tools/checked-patterns.txt'), '')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** What the check complains about. */
async function faultsIn(source: string, ...options: string[]): Promise<string[]> {
  await writeFile(join(folder, SOURCE), source)
  const { stdout, code } = await promisify(execFile)(process.execPath, [TOOL, ...options, folder]).then(
    (ended) => ({ ...ended, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  )
  const faults = stdout.split('\n').filter(Boolean)
  expect(code).toBe(faults.length === 0 ? 0 : 1)
  return faults
}

describe('a regular expression', () => {
  it('a regular expression that is new fails the check until it has been decided', async () => {
    const source = 'export const isWord = (text: string) => /^[a-z]+$/.test(text)\n'
    expect(await faultsIn(source)).toEqual([
      expect.stringMatching(/^engines\/src\/sample\.ts:1: not decided yet.*\[a-z\]/),
    ])
    expect(await faultsIn(source, '--write')).toEqual([])
    expect(await faultsIn(source)).toEqual([])
  })

  it('a regular expression that takes more than linear time on some text fails, literal or constructed', async () => {
    const source =
      'export const SLOW = /^(?:a+)+$/\nconst LETTERS = "[a-z]*"\nexport const SQUARE = new RegExp(LETTERS + "a$")\n'
    const slow = [`${SOURCE}:1: exponential: /^(?:a+)+$/`, `${SOURCE}:3: degree 2: /[a-z]*a$/`]
    expect((await faultsIn(source, '--write')).toSorted()).toEqual(slow)
    expect((await faultsIn(source)).toSorted()).toEqual(slow)
  })

  it('a regular expression that is constructed later than when its file is loaded fails', async () => {
    const source = 'export const finds = (word: string, text: string) => new RegExp(word).test(text)\n'
    expect(await faultsIn(source)).toEqual([
      expect.stringMatching(/^engines\/src\/sample\.ts:1: .* so it isn't checked$/),
    ])
  })
})
