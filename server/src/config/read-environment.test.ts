import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { readEnvironment } from './read-environment.ts'

const folder = mkdtempSync(join(inject('temporaryFolder'), 'environment-'))
const path = join(folder, 'settings.env')
writeFileSync(path, '# ours\nPORT=9000\nLOG_LEVEL="warn"\n')

describe('settings from a file', () => {
  it('come from the file that --env-file names, wherever it stands', () => {
    for (const argv of [
      ['--env-file', path, 'serve'],
      ['config', `--env-file=${path}`],
    ]) {
      expect(readEnvironment(argv, {}).env).toEqual({ PORT: '9000', LOG_LEVEL: 'warn' })
    }
  })

  it('give way to the environment', () => {
    expect(readEnvironment(['--env-file', path], { PORT: '1' }).env).toEqual({ PORT: '1', LOG_LEVEL: 'warn' })
  })

  it('need no file', () => {
    expect(readEnvironment(['serve'], { PORT: '1' })).toEqual({ env: { PORT: '1' }, mistakes: [] })
  })

  it('must be readable if they are asked for', () => {
    const mistake = { env: '--env-file', message: `${path}.none cannot be read (ENOENT).` }
    expect(readEnvironment(['--env-file', `${path}.none`], {})).toEqual({ env: {}, mistakes: [mistake] })
  })
})
