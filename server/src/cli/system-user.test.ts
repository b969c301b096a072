import { expect, it } from 'vitest'
import { isSystemUser, systemUserOf } from './system-user.ts'

it('names the number of the user, and who called sudo', () => {
  expect(systemUserOf(1000)).toBe('uid 1000')
  expect(systemUserOf(0, 'alice')).toBe('uid 0, alice')
  expect(systemUserOf(undefined, 'alice')).toBe('')
})

it('leaves out a name that no system would give', () => {
  for (const name of ['', 'two words', 'a\nb', '<b>', 'x'.repeat(33)]) expect(systemUserOf(0, name)).toBe('uid 0')
  for (const text of ['', 'root', 'uid 0,', 'uid 0, a b', 'uid x']) expect(isSystemUser(text)).toBe(false)
})
