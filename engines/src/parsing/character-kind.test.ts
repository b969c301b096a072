import { expect, it } from 'vitest'
import { characterKind, EXTRAORDINARY } from './character-kind.ts'

it('the test of a whole text agrees with that of each character', () => {
  const disagreements: string[] = []
  for (let code = 0; code <= 0xffff; code++) {
    const isOrdinary = code === 0x20 || characterKind(code) === 'ordinary'
    if (EXTRAORDINARY.test(String.fromCharCode(code)) === isOrdinary) disagreements.push(code.toString(16))
  }
  expect(disagreements).toEqual([])
})
