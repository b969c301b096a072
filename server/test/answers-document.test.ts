import { ALL_ANSWERS } from '@bowerbird/answers/all.ts'
import { expect, it } from 'vitest'
import { groupOf, makeAnswersDocument } from './support/answers-document.ts'

it('docs/reference/answers.md lists every answer, and every example is answered', async () => {
  const homeless = ALL_ANSWERS.filter(({ slug }) => groupOf(slug) === undefined).map(({ slug }) => slug)
  expect(homeless, 'Add them to GROUPS in server/test/support/answers-document.ts').toEqual([])
  expect((await makeAnswersDocument()).match(/\| none \|$/gm)).toBeNull()
})
