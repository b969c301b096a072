import { expect, it } from 'vitest'
import { createBulkhead } from './bulkhead.ts'

it('a bulkhead admits as many calls as it holds, and one more for each that leaves', () => {
  const bulkhead = createBulkhead(2)
  expect([bulkhead.enter(), bulkhead.enter(), bulkhead.enter()]).toEqual([true, true, false])
  bulkhead.leave()
  expect([bulkhead.enter(), bulkhead.enter()]).toEqual([true, false])
})
