// Keeps anonymous visitors from filling the table with events they can cause at will, and from hiding an attack behind
// them: of every minute's events, a network gets a small share, and so do the networks around it. At most half of each
// share goes to attempts at no existing account, so made-up names never crowd out a guess at a real one. The same event
// again in the same minute is left out too. What is left out is counted for the network that caused it, which becomes
// one event of its own when the minute is over.

export type AuditRateLimit = ReturnType<typeof createAuditRateLimit>

export interface Occurrence {
  /** The network it comes from, then those around it, as they are recorded. */
  networks: readonly [narrowest: string, ...wider: string[]]
  isAboutAccount: boolean
  /** The same for repetitions of an event. An event without one is always new. */
  identity?: string | undefined
}

interface LeftOut {
  /** '' if there were too many events in all. */
  network: string
  count: number
}

interface Share {
  admitted: number
  /** Of these, how many were about no account. */
  aboutNobody: number
  leftOut: number
}

const MINUTE_MS = 60_000
const MAX_IN_ALL = 600
const MAX_PER_WIDER_NETWORK = 100
const MAX_PER_NETWORK = 10

export function createAuditRateLimit(clock: () => number) {
  let minute = Number.NaN
  const shares = new Map<string, Share>()
  const identities = new Set<string>()
  let untaken: LeftOut[] = []

  function endMinuteIfOver(): void {
    const now = Math.floor(clock() / MINUTE_MS)
    if (now === minute) return
    for (const [network, { leftOut }] of shares) if (leftOut > 0) untaken.push({ network, count: leftOut })
    shares.clear()
    identities.clear()
    minute = now
  }

  return {
    /** Whether to record an event. */
    admits({ networks, isAboutAccount, identity }: Occurrence): boolean {
      endMinuteIfOver()
      const [network, ...wider] = networks
      // The widest first: an event that is left out adds no entry, so there are never more than a few thousand.
      const bounds: [name: string, bound: number][] = [
        ['', MAX_IN_ALL],
        ...wider.toReversed().map((name): [string, number] => [name, MAX_PER_WIDER_NETWORK]),
        [network, MAX_PER_NETWORK],
      ]
      const repeated = identity !== undefined && identities.has(`${network} ${identity}`) ? network : undefined
      const full = bounds.find(([name, bound]) => isFull(shares.get(name), isAboutAccount, bound))?.[0] ?? repeated
      if (full !== undefined) {
        const share = shares.get(full)
        if (share) share.leftOut++
        return false
      }
      for (const [name] of bounds) {
        const share = shares.get(name) ?? { admitted: 0, aboutNobody: 0, leftOut: 0 }
        share.admitted++
        if (!isAboutAccount) share.aboutNobody++
        shares.set(name, share)
      }
      if (identity !== undefined) identities.add(`${network} ${identity}`)
      return true
    },
    /** What was left out of the minutes that are over, by network. Returns each count once. */
    takeLeftOut(): LeftOut[] {
      endMinuteIfOver()
      const taken = untaken
      untaken = []
      return taken
    },
  }
}

const isFull = (share: Share | undefined, isAboutAccount: boolean, bound: number): boolean =>
  share !== undefined && (share.admitted >= bound || (!isAboutAccount && share.aboutNobody >= bound / 2))
