import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, realpathSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { openCacheFolder } from './cache-folder.ts'

const NOBODY = 65_534

describe('the folder of the compile cache', () => {
  let home: string
  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(inject('temporaryFolder'), 'home-')))
  })

  it('is in the home, private to its owner, and reused', () => {
    const folder = openCacheFolder(home)
    expect(folder).toBe(join(home, '.cache/bowerbird'))
    expect(statSync(folder ?? '').mode & 0o777).toBe(0o700)
    expect(openCacheFolder(home)).toBe(folder)
  })

  it('there is none without a home, and a missing home is not created', () => {
    expect(openCacheFolder(undefined)).toBeUndefined()
    expect(openCacheFolder('')).toBeUndefined()
    expect(openCacheFolder(join(home, 'nobody'))).toBeUndefined()
    expect(existsSync(join(home, 'nobody'))).toBe(false)
  })

  it.each([0o755, 0o720, 0o777])('one that others can open is not used: %o', (mode) => {
    mkdirSync(join(home, '.cache/bowerbird'), { recursive: true })
    chmodSync(join(home, '.cache/bowerbird'), mode)
    expect(openCacheFolder(home)).toBeUndefined()
  })

  it('one whose parent others can write to is not used, since they could replace it', () => {
    mkdirSync(join(home, '.cache'))
    chmodSync(join(home, '.cache'), 0o777)
    expect(openCacheFolder(home)).toBeUndefined()
    chmodSync(join(home, '.cache'), 0o1777)
    expect(openCacheFolder(home)).toBe(join(home, '.cache/bowerbird'))
  })

  it('a symbolic link is judged by its target', () => {
    mkdirSync(join(home, 'shared/bowerbird'), { recursive: true })
    chmodSync(join(home, 'shared'), 0o777)
    chmodSync(join(home, 'shared/bowerbird'), 0o700)
    symlinkSync(join(home, 'shared'), join(home, '.cache'))
    expect(openCacheFolder(home)).toBeUndefined()
  })

  it.skipIf(process.getuid?.() !== 0)('one of another user, or in another user’s home, is not used', () => {
    mkdirSync(join(home, '.cache/bowerbird'), { recursive: true, mode: 0o700 })
    chownSync(join(home, '.cache/bowerbird'), NOBODY, NOBODY)
    expect(openCacheFolder(home)).toBeUndefined()
    chownSync(join(home, '.cache/bowerbird'), 0, 0)
    chownSync(home, NOBODY, NOBODY)
    expect(openCacheFolder(home)).toBeUndefined()
  })
})
