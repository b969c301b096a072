// A start leaves behind garbage and the room that it was made in: about 35 MB, which V8 would keep until a hundred seconds
// later. So it is collected once, when nothing waits for the tenth of a second that this takes. Never later: V8 would also
// throw away the code that it has optimised by then (docs/decisions/0012-speed.md).
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What begins with the start is done by then. */
const AFTER_MS = 2_500

/** `last-resort` also shrinks the space for new objects, which a plain collection leaves as it is. */
interface CollectionOptions {
  type: 'major'
  execution: 'sync'
  flavor: 'last-resort'
}

/** Collects once, soon after the start, unless requests are in flight already. */
export function collectAfterStart(countInFlight: () => number): void {
  setTimeout(() => {
    if (countInFlight() === 0) collect()
  }, AFTER_MS).unref()
}

function collect(): void {
  setFlagsFromString('--expose-gc')
  // V8 gives the function to contexts that are made from then on.
  const gc = runInNewContext('gc') as (options: CollectionOptions) => void
  setFlagsFromString('--no-expose-gc')
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
