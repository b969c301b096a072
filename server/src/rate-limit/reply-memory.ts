// Limits the memory of large replies under way: pictures that are being fetched, and bytes that wait until their client
// takes them. A client that asks and doesn't read would otherwise fill the memory with a few dozen requests.
import { Refusal } from '../errors.ts'
import { networksOf } from './network-throttle.ts'

const MAX_BYTES = 64_000_000
/** Of one network. Two of the largest pictures, or hundreds of small ones. */
export const MAX_BYTES_PER_NETWORK = MAX_BYTES / 4

const RETRY_SECONDS = 2
/** Created once, like the one in `load-shedder.ts`. */
const REFUSAL = new Refusal('overloaded', `Too much is being sent. Try again in ${RETRY_SECONDS} seconds.`, {
  'Retry-After': String(RETRY_SECONDS),
})

/** The memory of one reply. */
export interface HeldMemory {
  /** Throws a 503 if there is no room for that many more bytes. */
  grow: (bytes: number) => void
  /** Gives all of it back. */
  release: () => void
}

export class ReplyMemory {
  #bytes = 0
  readonly #bytesByNetwork = new Map<string, number>()

  /** `address` is the client's. */
  hold(address: string): HeldMemory {
    // The widest one, as in `unfinished-requests.ts`.
    const network = networksOf(address).at(-1) ?? ''
    let held = 0
    return {
      grow: (bytes) => {
        const ofNetwork = (this.#bytesByNetwork.get(network) ?? 0) + bytes
        if (this.#bytes + bytes > MAX_BYTES || ofNetwork > MAX_BYTES_PER_NETWORK) throw REFUSAL
        this.#bytesByNetwork.set(network, ofNetwork)
        this.#bytes += bytes
        held += bytes
      },
      release: () => {
        const ofNetwork = (this.#bytesByNetwork.get(network) ?? 0) - held
        if (ofNetwork > 0) this.#bytesByNetwork.set(network, ofNetwork)
        else this.#bytesByNetwork.delete(network)
        this.#bytes -= held
        held = 0
      },
    }
  }
}
