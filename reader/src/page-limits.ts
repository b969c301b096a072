// Refuses a page that would take too long, before its tree is built. The time to build a tree grows with the square of
// its depth, so a hundred kilobytes of nested tags would keep a CPU busy for minutes. Counting needs a single pass of
// the same parser, and stops at the first tag too many. Real pages are at most 51 levels deep.
import { Parser } from 'htmlparser2'
import { UnreadablePage } from './unreadable-page.ts'

const DEEPEST = 100
const MOST_ELEMENTS = 20_000

/** Throws UnreadablePage. */
export function requireModestPage(html: string): void {
  let depth = 0
  let elements = 0
  const parser = new Parser({
    onopentagname() {
      depth += 1
      elements += 1
      if (depth > DEEPEST || elements > MOST_ELEMENTS) throw new UnreadablePage('too_complex')
    },
    onclosetag() {
      depth -= 1
    },
  })
  parser.write(html)
  parser.end()
}
