// A machine with other users: files that Bowerbird leaves on disk are accessible to its own user alone, and nothing
// that others can write is ever executed.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bowerbird, startServerProcess } from '../support/server-process.ts'

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'bb-machine-'))
  mkdirSync(join(place, 'tmp'))
  chmodSync(join(place, 'tmp'), 0o1777)
  mkdirSync(join(place, 'home'), { mode: 0o700 })
})
afterEach(() => rm(place, { recursive: true, force: true, maxRetries: 5 }))

const inPlace = () => ({ HOME: join(place, 'home'), TMPDIR: join(place, 'tmp') })
const withData = () => ({ DATA_DIR: join(place, 'data') })

/** Paths that the group or others can read or write, including sockets. */
const openPaths = (folder: string): string[] =>
  [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))].filter(
    (path) => (statSync(path).mode & 0o077) !== 0,
  )

describe('on a machine with other users', () => {
  it('no compiled code is cached where others can write', async () => {
    expect(await bowerbird(['--version'], inPlace())).toMatchObject({ code: 0 })
    expect(readdirSync(join(place, 'tmp'))).toEqual([])
    expect(readdirSync(join(place, 'home/.cache/bowerbird')).length).toBeGreaterThan(0)
  })

  it('no compiled code is cached at all if the cache in the home folder is open to others', async () => {
    mkdirSync(join(place, 'home/.cache/bowerbird'), { recursive: true })
    chmodSync(join(place, 'home/.cache/bowerbird'), 0o777)
    expect(await bowerbird(['--version'], inPlace())).toMatchObject({ code: 0 })
    expect(readdirSync(join(place, 'tmp'))).toEqual([])
    expect(readdirSync(join(place, 'home/.cache/bowerbird'))).toEqual([])
  })

  it('an instance in a folder that was open to others has nothing in it that they can open', async () => {
    mkdirSync(join(place, 'data'))
    chmodSync(join(place, 'data'), 0o755)
    const server = await startServerProcess(withData())
    try {
      expect(openPaths(join(place, 'data'))).toEqual([])
    } finally {
      await server.stop()
    }
    expect(openPaths(join(place, 'data'))).toEqual([])
  }, 120_000)

  it('an open folder with other files in it is refused, with the chmod command to run', async () => {
    mkdirSync(join(place, 'data/photos'), { recursive: true })
    chmodSync(join(place, 'data'), 0o755)
    const { code, stderr } = await bowerbird(
      ['user', 'create', 'ada', '--password-stdin'],
      withData(),
      'correct horse\n',
    )
    expect(code).toBe(1)
    expect(stderr).toContain(`Run: chmod 700 '${join(place, 'data')}'`)
  })
})
