import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../src/errors.ts'
import { withErrorCodes } from './support/errors-document.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const PAGE = readFileSync(resolve(ROOT, 'docs/api/errors.md'), 'utf8')
const CODES = Object.keys(ERROR_CODES)

describe('docs/api/errors.md', () => {
  it('is current: npm run docs writes the same text', () => {
    expect(PAGE).toBe(withErrorCodes(PAGE))
  })

  it('lists exactly the codes of the source', () => {
    const [, table = ''] = PAGE.split(/<!-- (?:codes.*|end) -->/)
    expect([...table.matchAll(/^\| `([a-z_]+)` \| \d{3} \|/gm)].map((match) => match[1])).toEqual(CODES)
  })
})

it('every code is sent somewhere', () => {
  const sources = globSync('server/src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts', '**/*.test-*.ts'] })
    .filter((path) => !path.endsWith('src/errors.ts'))
    .map((path) => readFileSync(resolve(ROOT, path), 'utf8'))
    .join('')
  // errors.ts itself sends those of the framework's errors.
  const ofFramework = ['url_too_long', 'content_type_unsupported', 'request_malformed']
  expect(CODES.filter((code) => !ofFramework.includes(code) && !sources.includes(`'${code}'`))).toEqual([])
})
