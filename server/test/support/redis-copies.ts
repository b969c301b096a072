// Copies keys from one Redis into another any number of times, each under a new name.
import { Redis } from 'ioredis'

const MOST_ORIGINALS = 300
const KEPT_MS = 3_600_000

export interface RedisCopies {
  /** The copy has its number in the braces of the name. */
  add: (number: number) => Promise<unknown>
  close: () => void
}

export async function openRedisCopies(
  pattern: string,
  { from, to }: { from: string; to: string },
): Promise<RedisCopies> {
  const source = new Redis(from)
  const names = (await source.keys(pattern)).slice(0, MOST_ORIGINALS)
  const dumped = await Promise.all(names.map(async (name) => ({ name, text: await source.dumpBuffer(name) })))
  source.disconnect()
  // Some may have expired meanwhile.
  const originals = dumped.filter(({ text }) => Buffer.isBuffer(text))
  const target = new Redis(to, { enableAutoPipelining: true })
  return {
    async add(number) {
      const original = originals[number % originals.length]
      if (!original) throw new Error('there is nothing to copy')
      const name = original.name.replace(/\{[^}]*/, (tag) => `{${String(number).padStart(tag.length - 1, '0')}`)
      return target.restore(name, KEPT_MS, original.text)
    },
    close: () => target.disconnect(),
  }
}
