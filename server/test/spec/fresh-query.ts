// A query that nobody has asked before, so that no answer of it can come from a cache.
import { randomUUID } from 'node:crypto'

/** Encoded already; `words` stay readable in it. */
export const freshQuery = (words = 'birds'): string => encodeURIComponent(`${words} ${randomUUID().slice(0, 8)}`)
