import { it } from 'vitest'
import { expectKeySequences } from './key-sequences.test-rules.ts'

// `server/test/nightly/key-sequences.test.ts` runs 10,000.
it('random sequences of creating, using, rotating and revoking keys on three nodes come to what living keys and ten new ones an hour allow', async () => {
  await expectKeySequences(150)
}, 180_000)
