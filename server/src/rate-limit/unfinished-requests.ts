// Limits the requests of one network whose bodies are still arriving. Such a request isn't in flight yet
// (`load-shedder.ts`), because waiting for bytes is no work. But what has arrived of it is in memory, and without a
// limit one client could fill that with requests that it never finishes.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '../errors.ts'
import { networksOf } from './network-throttle.ts'

/** Bodies arrive within milliseconds, so even a company behind one address seldom has more than a few at a time. */
export const MAX_UNFINISHED_PER_NETWORK = 64

/** Created once, like the one in `load-shedder.ts`. */
export const TOO_MANY_UNFINISHED = new Refusal(
  'rate_limited',
  'Your network is sending too many requests at once. Try again in 2 seconds.',
  // The rest of the body won't be read.
  { 'Retry-After': '2', Connection: 'close' },
)

export class UnfinishedRequests {
  readonly #byNetwork = new Map<string, Set<IncomingMessage>>()

  /** Returns false if the network has as many as it may. One that is answered before its body has come is over, too. */
  add(request: IncomingMessage, response: ServerResponse, address: string): boolean {
    // The widest one: a client that has many IPv6 networks of 64 bits mustn't have as many times the limit.
    const network = networksOf(address).at(-1) ?? ''
    const unfinished = this.#byNetwork.get(network) ?? new Set()
    if (unfinished.size >= MAX_UNFINISHED_PER_NETWORK) removeComplete(unfinished)
    if (unfinished.size >= MAX_UNFINISHED_PER_NETWORK) return false
    unfinished.add(request)
    this.#byNetwork.set(network, unfinished)
    const remove = () => {
      unfinished.delete(request)
      if (unfinished.size === 0 && this.#byNetwork.get(network) === unfinished) this.#byNetwork.delete(network)
    }
    request.once('end', remove).once('close', remove)
    response.once('close', remove)
    return true
  }
}

/** Some have arrived, and only wait for their key to be checked. */
function removeComplete(requests: Set<IncomingMessage>): void {
  for (const request of requests) if (request.complete) requests.delete(request)
}
