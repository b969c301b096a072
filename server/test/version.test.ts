import { expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { VERSION } from '../src/config/version.ts'

it('the program reports the version of its package', () => {
  expect(VERSION).toBe(manifest.version)
})
