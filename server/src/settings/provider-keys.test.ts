import { describe, expect, it } from 'vitest'
import { readConfiguration, requireConfiguration } from './configuration.ts'
import { editsForKey, listProviderKeys } from './provider-keys.ts'

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

  it('a key for an engine in no slot also puts it into the first free one', () => {
    expect(editsForKey('KAGI_API_KEY', 'k', configure())).toEqual({ KAGI_API_KEY: 'k', ENGINE_D: 'kagi' })
    expect(editsForKey('KAGI_API_KEY', 'k', configure({ ENGINE_D: 'exa' }))).toMatchObject({ ENGINE_E: 'kagi' })
  })

  it.each([
    ['an engine that is in a slot', 'BRAVE_API_KEY', 'k'],
    ['a key that is removed', 'KAGI_API_KEY', undefined],
  ])('%s changes no slot', (_, setting, value) => {
    expect(editsForKey(setting, value, configure())).toEqual({ [setting]: value })
  })
})
