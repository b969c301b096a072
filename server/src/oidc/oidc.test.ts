import { describe, expect, it } from 'vitest'
import { usernameOf, valuesOf } from './oidc.ts'

describe('the values of a claim', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ['groups', { groups: ['a', 'b'] }, ['a', 'b']],
    ['groups', { groups: 'a' }, ['a']],
    ['realm_access.roles', { realm_access: { roles: ['admin'] } }, ['admin']],
    ['realm_access.roles', { 'realm_access.roles': ['flat'] }, ['flat']],
    ['https://example.org/groups', { 'https://example.org/groups': ['a'] }, ['a']],
    ['groups', {}, []],
    ['groups', { groups: { admins: true } }, []],
    ['groups', { groups: [1, null, ['nested'], 'a'] }, ['a']],
    ['constructor.name', {}, []],
    ['__proto__.x', {}, []],
    ['toString', {}, []],
  ])('%s of %j', (name, claims, values) => {
    expect(valuesOf(claims, name)).toEqual(values)
  })
})

describe('the name of a new account', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ preferred_username: 'Ada.L' }, 'ada.l'],
    [{ preferred_username: 'ada@example.org', email: 'ada@example.org', email_verified: true }, 'ada'],
    [{ preferred_username: 'ada@example.org', email: 'ada@example.org', email_verified: false }, ''],
    [{ email: 'ada@example.org' }, ''],
    [{ email: 'ada@example.org', email_verified: 'true' }, ''],
    [{ email: 'a@example.org', email_verified: true }, ''],
    [{ preferred_username: { toString: 'ada' } }, ''],
    [{ name: 'Ada Lovelace', nickname: 'ada' }, ''],
    [{ preferred_username: 'ada\u0000' }, ''],
    [{}, ''],
  ])('of %j', (claims, username) => {
    expect(usernameOf(claims)).toBe(username)
  })
})
