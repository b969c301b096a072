// Keeps the lists in docs/operate/accounts.md current: words rejected in passwords, security events and free sign-in
// attempts. Its numbers are facts (`facts.test.ts`).
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { SERVICE_WORDS } from '../src/accounts/passwords.ts'
import { AUDIT_EVENTS } from '../src/audit/audit-event.ts'

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/operate/accounts.md'), 'utf8')

it('docs/operate/accounts.md lists every word rejected in passwords', () => {
  expect(SERVICE_WORDS.filter((word) => !PAGE.includes(`\`${word}\``))).toEqual([])
})

it('docs/operate/accounts.md lists every security event', () => {
  expect(AUDIT_EVENTS.filter((event) => !PAGE.includes(`\`${event}\``))).toEqual([])
})

it('docs/operate/accounts.md states the free sign-in attempts before rate limiting', () => {
  const source = readFileSync(resolve(import.meta.dirname, '../src/accounts/sign-in-limits.ts'), 'utf8')
  const free = [...source.matchAll(/^const \w+ = \{ free: (\d+),/gm)].map((match) => match[1] ?? '')
  const [, section = ''] = PAGE.split('## Brute-force protection')
  const written = [...section.matchAll(/^\| [^|]+ \| (\d+) \|/gm)].map((match) => match[1] ?? '')
  expect(free.length).toBeGreaterThanOrEqual(4)
  expect(new Set(written)).toEqual(new Set(free))
})
