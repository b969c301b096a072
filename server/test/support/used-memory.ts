import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/**
 * Bytes still referenced. One collection doesn't free all that isn't: what has just ended may still be in a queue or on the
 * stack, and buffers are freed in the background. So the least of several counts, with pauses between them.
 */
export async function usedMemory(): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < 3; time++) {
    await setTimeout(20)
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    least = Math.min(least, heapUsed + arrayBuffers)
  }
  return least
}
