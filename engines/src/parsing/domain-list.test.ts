import { expect, it } from 'vitest'
import { domainList } from './domain-list.ts'

it.each([
  [{}, {}],
  [{ includeDomains: [], excludeDomains: [] }, {}],
  [{ includeDomains: ['a.org'], excludeDomains: ['b.a.org'] }, { include: ['a.org'] }],
  [{ includeDomains: ['a.org', 'b.org', 'c.org'] }, {}],
  [{ excludeDomains: ['a.org', 'b.org', 'c.org'] }, { exclude: ['a.org', 'b.org'] }],
])('of %j, a provider that takes two of one kind gets %j', (bounds, list) => {
  expect(domainList(bounds, 2)).toEqual(list)
})
