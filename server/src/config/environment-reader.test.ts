import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { EnvironmentReader } from './environment-reader.ts'
import { secret, setting } from './setting.ts'

const folder = mkdtempSync(join(inject('temporaryFolder'), 'settings-'))
const file = (name: string, content: string): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const KEY = secret('BRAVE_API_KEY')

describe('a setting from a file', () => {
  it('is what the file says, without the newline at its end, and a secret stays one', () => {
    const reader = new EnvironmentReader({ BRAVE_API_KEY_FILE: file('key', 'from-a-file\n') })
    expect(reader.text(KEY)).toBe('from-a-file')
    expect(reader.isWritten('BRAVE_API_KEY')).toBe(true)
    expect(reader.shown).toEqual([{ env: 'BRAVE_API_KEY', shown: 'set', isDefault: false }])
    expect(reader.mistakes).toEqual([])
  })

  it('may be any, such as a number or one of a family', () => {
    const reader = new EnvironmentReader({ PORT_FILE: file('port', '9000'), ENGINE_D_FILE: file('engine', 'kagi') })
    expect(reader.integer(setting('PORT'), { min: 0, max: 65_535 })).toEqual({ ok: true, value: 9_000 })
    expect(reader.namesLike(/^ENGINE_[A-Z]$/)).toEqual(['ENGINE_D'])
  })

  it('is a mistake if the setting is given as well', () => {
    const reader = new EnvironmentReader({ BRAVE_API_KEY: 'x', BRAVE_API_KEY_FILE: file('both', 'hunter2') })
    reader.text(KEY)
    reader.text(KEY)
    const message = 'is set, and so is BRAVE_API_KEY. Remove one of the two.'
    expect(reader.mistakes).toEqual([{ env: 'BRAVE_API_KEY_FILE', message }])
  })

  it('is a mistake if the file cannot be read', () => {
    const reader = new EnvironmentReader({ BRAVE_API_KEY_FILE: join(folder, 'missing') })
    expect(reader.text(KEY)).toBeUndefined()
    const message = 'names a file that cannot be read (ENOENT).'
    expect(reader.mistakes).toEqual([{ env: 'BRAVE_API_KEY_FILE', message }])
  })

  it('is not looked for under a name that is no setting of ours', () => {
    const reader = new EnvironmentReader({ SSL_CERT_FILE: join(folder, 'missing') })
    reader.text(KEY)
    expect(reader.mistakes).toEqual([])
  })
})
