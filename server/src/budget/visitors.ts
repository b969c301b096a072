// Marks work that is done for a visitor: someone who isn't signed in, on a public website. A provider is called far below
// the page, through caches and engines that needn't know whom they work for; the budget is where it matters.
import { AsyncLocalStorage } from 'node:async_hooks'

const visits = new AsyncLocalStorage<boolean>()

/** Runs `work`, and everything that it starts, for a visitor. */
export const asVisitor = <Result>(work: () => Result): Result => visits.run(true, work)

/** Runs `work` for a member who isn't signed in here, but whose secret is in the address. */
export const asMember = <Result>(work: () => Result): Result => visits.run(false, work)

export const isForVisitor = (): boolean => visits.getStore() === true
