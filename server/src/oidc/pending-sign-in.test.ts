import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createPendingSignIns } from './pending-sign-in.ts'

let now = Date.UTC(2026, 10, 17)
const parts = { instanceSecret: 'the secret of the instance', randomBytes, clock: () => now }
const pendings = createPendingSignIns(parts)
const SECRETS = { state: 'a state', nonce: 'a nonce', verifier: 'a verifier' }
const INTENT = { purpose: 'sign-in', next: `/${'x'.repeat(999)}` } as const
const sealed = pendings.seal('company', { ...SECRETS, intent: INTENT })

it('comes back as it was, on any node, and fits into a cookie', () => {
  expect(createPendingSignIns(parts).open('company', sealed)).toMatchObject({ ...SECRETS, intent: INTENT })
  expect(sealed.length).toBeLessThan(3_000)
  expect(sealed).toMatch(/^[\w-]+$/)
})

it('is worth nothing for another provider, on another instance, or changed', () => {
  expect(pendings.open('club', sealed)).toBeUndefined()
  const other = createPendingSignIns({ ...parts, instanceSecret: 'another secret' })
  expect(other.open('company', sealed)).toBeUndefined()
  for (const wrong of ['', 'x', sealed.slice(1), `${sealed.slice(0, -4)}AAAA`, 'A'.repeat(5_000)])
    expect(pendings.open('company', wrong)).toBeUndefined()
})

it('is good for ten minutes', () => {
  now += 599_000
  expect(pendings.open('company', sealed)).toBeDefined()
  now += 1_000
  expect(pendings.open('company', sealed)).toBeUndefined()
})
