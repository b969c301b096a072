// A start leaves behind garbage and the room that it was made in: about 35 MB, which V8 would keep until a hundred seconds
// later. So it is collected once, when nothing waits for the tenth of a second that this takes. Never again: what searches
// leave behind is V8's business (docs/decisions/0012-speed.md).
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const RETRY_MS = 2_500

/** `last-resort` also shrinks the space for new objects, which a plain collection leaves as it is. */
interface CollectionOptions {
  type: 'major'
  execution: 'sync'
  flavor: 'last-resort'
}

/** Collects as soon as no request is in flight, at the earliest when the first work after the start is done. */
export function collectAfterStart(countInFlight: () => number): void {
  const timer = setInterval(() => {
    if (countInFlight() > 0) return
    clearInterval(timer)
    collect()
  }, RETRY_MS).unref()
}

function collect(): void {
  setFlagsFromString('--expose-gc')
  // V8 gives the function to contexts that are made from then on.
  const gc = runInNewContext('gc') as (options: CollectionOptions) => void
  setFlagsFromString('--no-expose-gc')
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
