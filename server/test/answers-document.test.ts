import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ALL_ANSWERS } from '@bowerbird/answers/all.ts'
import { describe, expect, it } from 'vitest'
import { groupOf, makeAnswersDocument } from './support/answers-document.ts'

describe('docs/reference/answers.md', () => {
  it('is current: npm run docs writes the same text', async () => {
    const page = readFileSync(resolve(import.meta.dirname, '../../docs/reference/answers.md'), 'utf8')
    expect(page).toBe(await makeAnswersDocument())
  })

  it('lists every answer, and every example is answered', () => {
    const homeless = ALL_ANSWERS.filter(({ slug }) => groupOf(slug) === undefined).map(({ slug }) => slug)
    expect(homeless, 'Add them to GROUPS in server/test/support/answers-document.ts').toEqual([])
    const page = readFileSync(resolve(import.meta.dirname, '../../docs/reference/answers.md'), 'utf8')
    expect(page.match(/\| none \|$/gm)).toBeNull()
  })
})
