// A query that was never sent before, so no response to it can be cached.
import { randomUUID } from 'node:crypto'

/** Already URL-encoded; `words` stay readable in it. */
export const freshQuery = (words = 'birds'): string => encodeURIComponent(`${words} ${randomUUID().slice(0, 8)}`)
