// Works through many things without keeping the event loop from others: after a few milliseconds it lets them go first.
import { setImmediate } from 'node:timers/promises'

const SLICE_MS = 5
/** Reading the clock for each would cost more than the work. */
const BETWEEN_LOOKS = 64

export async function inSlices<Item>(items: Iterable<Item>, use: (item: Item) => void): Promise<void> {
  let started = performance.now()
  let untilLook = BETWEEN_LOOKS
  for (const item of items) {
    use(item)
    untilLook -= 1
    if (untilLook > 0) continue
    untilLook = BETWEEN_LOOKS
    if (performance.now() - started < SLICE_MS) continue
    await setImmediate()
    started = performance.now()
  }
}
