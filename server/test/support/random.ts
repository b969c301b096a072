// Reproducible randomness: the same seed gives the same numbers.

export interface Random {
  /** At least 0, less than 1. */
  next: () => number
  /** An integer in the range, both ends inclusive. */
  between: (from: number, to: number) => number
  shuffle: <Item>(items: readonly Item[]) => Item[]
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    // A linear congruential generator, with its weak low bits mixed away.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    shuffle(items) {
      const shuffled = [...items]
      for (let i = shuffled.length - 1; i > 0; i--) {
        const j = Math.floor(next() * (i + 1))
        const [one, other] = [shuffled[i], shuffled[j]]
        // Both indices are within the list.
        shuffled[i] = other as (typeof shuffled)[number]
        shuffled[j] = one as (typeof shuffled)[number]
      }
      return shuffled
    },
  }
}
