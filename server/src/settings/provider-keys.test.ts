import { describe, expect, it } from 'vitest'
import { readConfiguration, requireConfiguration } from './configuration.ts'
import { listProviderKeys } from './provider-keys.ts'

const configure = (env: NodeJS.ProcessEnv = {}) => requireConfiguration(readConfiguration(env))

describe('keys of providers', () => {
  it('are listed once each, with where they come from, and addresses are not among them', () => {
    const keys = listProviderKeys(configure({ BRAVE_API_KEY: 'k' }), { BRAVE_API_KEY: 'other', KAGI_API_KEY: 'k' })
    const originOf = (name: string) => keys.find(({ setting }) => setting === name)?.origin
    expect(['BRAVE_API_KEY', 'KAGI_API_KEY', 'MOJEEK_API_KEY'].map(originOf)).toEqual([
      'environment',
      'database',
      undefined,
    ])
    expect(new Set(keys.map(({ setting }) => setting)).size).toBe(keys.length)
    expect(keys.filter(({ setting }) => setting.endsWith('_URL'))).toEqual([])
  })

  it('no engine has more than one, because its row has one field', () => {
    const engines = listProviderKeys(configure(), {}).flatMap(({ engine }) => engine ?? [])
    expect(new Set(engines).size).toBe(engines.length)
  })
})
