// Frees the buffers that a reply was read into, soon after it proved too large. They lie outside V8's heap, which hardly
// notices their size: without this, a provider that floods us grows the process by tens of megabytes before V8 collects
// anything. One collection of the young generation takes a millisecond or two, and happens only after such a reply.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Replies of one search that are too large are so at about the same time. */
const TOGETHER_MS = 10

setFlagsFromString('--expose-gc')
// The flag adds `gc` to contexts made from then on; without it there is nothing to call and nothing breaks.
const collect = runInNewContext('globalThis.gc') as ((options: { type: 'minor' }) => void) | undefined

let isDue = false

export function freeReadBuffers(): void {
  if (isDue) return
  isDue = true
  setTimeout(() => {
    isDue = false
    collect?.({ type: 'minor' })
  }, TOGETHER_MS).unref()
}
