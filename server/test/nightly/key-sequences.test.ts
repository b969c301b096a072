import { it } from 'vitest'
import { expectKeySequences } from '../../src/keys/key-sequences.test-rules.ts'

it('10,000 random sequences of creating, using, rotating and revoking keys on three nodes come to what living keys and ten new ones an hour allow', async () => {
  await expectKeySequences(10_000)
}, 1_800_000)
