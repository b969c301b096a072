import { chownSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { readEnvironment, readWritten } from './environment.ts'

const folder = mkdtempSync(join(inject('temporaryFolder'), 'environment-'))
const path = join(folder, 'settings.env')
writeFileSync(path, '# ours\nPORT=9000\nLOG_LEVEL="warn"\n')

describe('settings from a file', () => {
  it('come from the file that --env-file names, anywhere on the command line', () => {
    for (const argv of [
      ['--env-file', path, 'serve'],
      ['config', `--env-file=${path}`],
    ]) {
      expect(readEnvironment(argv, {}).env).toEqual({ PORT: '9000', LOG_LEVEL: 'warn' })
    }
  })

  it('are overridden by the environment', () => {
    expect(readEnvironment(['--env-file', path], { PORT: '1' }).env).toEqual({ PORT: '1', LOG_LEVEL: 'warn' })
  })

  it('need no file', () => {
    expect(readEnvironment(['serve'], { PORT: '1' })).toEqual({ env: { PORT: '1' }, mistakes: [] })
  })

  it('come from .env in the working folder if it belongs to this user or root, and not from anyone else’s', () => {
    const home = mkdtempSync(join(folder, 'home-'))
    const file = join(home, '.env')
    writeFileSync(file, 'PORT=9000\n')
    const before = process.cwd()
    process.chdir(home)
    try {
      expect(readEnvironment(['doctor'], {})).toEqual({ env: { PORT: '9000' }, mistakes: [] })
      // Only root can give a file away.
      if (process.geteuid?.() !== 0) return
      chownSync(file, 12_345, 12_345)
      const message = 'in this folder belongs to another user, so it is not read. If you trust it, add --env-file .env.'
      expect(readEnvironment(['doctor'], {})).toEqual({ env: {}, mistakes: [{ env: '.env', message }] })
      expect(readEnvironment(['--env-file', '.env'], {})).toEqual({ env: { PORT: '9000' }, mistakes: [] })
    } finally {
      process.chdir(before)
    }
  })

  it('are a mistake if the named file cannot be read', () => {
    const mistake = { env: '--env-file', message: `${path}.none cannot be read (ENOENT).` }
    expect(readEnvironment(['--env-file', `${path}.none`], {})).toEqual({ env: {}, mistakes: [mistake] })
  })
})

describe('a setting from a file', () => {
  const file = (name: string, content: string): string => {
    const named = join(folder, name)
    writeFileSync(named, content)
    return named
  }
  const read = (env: Record<string, string>) => readWritten(env, (name) => name === 'BRAVE_API_KEY')

  it('is the content of the file without the trailing newline', () => {
    const { values, mistakes } = read({ BRAVE_API_KEY_FILE: file('key', 'from-a-file\n') })
    expect({ values, mistakes }).toEqual({ values: { BRAVE_API_KEY: 'from-a-file' }, mistakes: [] })
  })

  it('is not set if the file is empty', () => {
    expect(read({ BRAVE_API_KEY_FILE: file('empty', '\n') })).toMatchObject({ values: {}, mistakes: [] })
  })

  it('is a mistake if the setting is given as well', () => {
    const message = 'is set, and so is BRAVE_API_KEY. Remove one of the two.'
    const { mistakes } = read({ BRAVE_API_KEY: 'x', BRAVE_API_KEY_FILE: file('both', 'hunter2') })
    expect(mistakes).toEqual([{ env: 'BRAVE_API_KEY_FILE', message }])
  })

  it('is a mistake if the file cannot be read', () => {
    const message = 'names a file that cannot be read (ENOENT).'
    const { values, mistakes } = read({ BRAVE_API_KEY_FILE: join(folder, 'missing') })
    expect({ values, mistakes }).toEqual({ values: {}, mistakes: [{ env: 'BRAVE_API_KEY_FILE', message }] })
  })

  it('is not read for a name that is not a setting', () => {
    expect(read({ SSL_CERT_FILE: join(folder, 'missing') }).mistakes).toEqual([])
  })
})

describe('white space', () => {
  it('around a value does not count, and an empty value counts as not set', () => {
    expect(readWritten({ PORT: ' 9000 ', HOST: ' ' }, () => true).values).toEqual({ PORT: '9000' })
  })
})
