import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, inject, it } from 'vitest'
import { installedPglite, type PreparedIndex, unpackPreparedDatabase } from './prepared-database.ts'

const newFolder = async () => join(await mkdtemp(join(inject('temporaryFolder'), 'prepared-')), 'postgres')

/** A prepared file of the test's own. */
async function prepare(index: Omit<PreparedIndex, 'pglite'>, bytes: Buffer, pglite?: string): Promise<string> {
  const line = JSON.stringify({ pglite: pglite ?? (await installedPglite()), ...index })
  const file = `${await newFolder()}.br`
  await writeFile(file, brotliCompressSync(Buffer.concat([Buffer.from(`${line}\n`), bytes])))
  return file
}

const INDEX = {
  folders: ['base', 'base/1'],
  files: [
    { path: 'PG_VERSION', bytes: 3 },
    { path: 'base/1/empty', bytes: 0 },
    { path: 'base/1/large', bytes: 300_000 },
  ],
}
const LARGE = Buffer.concat([Buffer.alloc(200_000), Buffer.alloc(50_000, 'x'), Buffer.alloc(50_000)])
const BYTES = Buffer.concat([Buffer.from('18\n'), LARGE])

describe('the prepared database', () => {
  it('was made by the PGlite that is installed: run tools/make-pglite-database.ts after an upgrade', async () => {
    const folder = await newFolder()
    await unpackPreparedDatabase(folder)
    expect(await readdir(folder)).toContain('PG_VERSION')
    expect((await stat(folder)).mode & 0o077).toBe(0)
  })

  it('is unpacked as it was, for its owner alone', async () => {
    const folder = await newFolder()
    await unpackPreparedDatabase(folder, await prepare(INDEX, BYTES))
    expect(await readFile(join(folder, 'PG_VERSION'), 'utf8')).toBe('18\n')
    expect(await readFile(join(folder, 'base/1/empty'), 'utf8')).toBe('')
    expect((await readFile(join(folder, 'base/1/large'))).equals(LARGE)).toBe(true)
    for (const path of ['', 'PG_VERSION', 'base/1/large']) expect((await stat(join(folder, path))).mode & 0o077).toBe(0)
  })

  it('never touches a database that is there', async () => {
    const folder = await newFolder()
    await mkdir(folder)
    await writeFile(join(folder, 'PG_VERSION'), 'mine')
    await unpackPreparedDatabase(folder, await prepare(INDEX, BYTES))
    expect(await readdir(folder)).toEqual(['PG_VERSION'])
    expect(await readFile(join(folder, 'PG_VERSION'), 'utf8')).toBe('mine')
  })

  it('of another version is left alone, and so is one that is missing', async () => {
    const folder = await newFolder()
    await unpackPreparedDatabase(folder, await prepare(INDEX, BYTES, '0.0.1'))
    await unpackPreparedDatabase(folder, `${folder}.missing`)
    expect([existsSync(folder), existsSync(`${folder}.new`)]).toEqual([false, false])
  })

  it('a start that was interrupted, or a file that is cut off, leaves no part of it in place', async () => {
    const folder = await newFolder()
    await expect(unpackPreparedDatabase(folder, await prepare(INDEX, BYTES.subarray(0, 1_000)))).rejects.toThrow(
      'ends too early',
    )
    expect(existsSync(folder)).toBe(false)
    await unpackPreparedDatabase(folder, await prepare(INDEX, BYTES))
    expect((await readdir(folder)).sort()).toEqual(['PG_VERSION', 'base'])
  })
})
