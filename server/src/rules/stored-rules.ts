// The rules of a fetched list, as they are stored: one a line, `block example.org`, already in their canonical form. They
// are read one by one, because every node reads a list of a hundred thousand after each change of it: all of them at once
// would be much work for the garbage collector, and hold up searches.
import { inSlices } from './in-slices.ts'
import type { SiteRule } from './site-rules.ts'

/** How many rules are joined at once: V8 would put off joining them, and then do all of it in one go. */
const JOINED_AT_ONCE = 500

export async function storedForm(rules: readonly SiteRule[]): Promise<string> {
  const parts: Buffer[] = []
  let text = ''
  let count = 0
  await inSlices(rules, ({ action, pattern, to }) => {
    text += to === undefined ? `${action} ${pattern}\n` : `${action} ${pattern} ${to}\n`
    count += 1
    if (count % JOINED_AT_ONCE !== 0) return
    parts.push(Buffer.from(text))
    text = ''
  })
  return Buffer.concat([...parts, Buffer.from(text)]).toString()
}

export function* readStored(text: string): Generator<SiteRule> {
  for (const line of linesOf(text)) {
    const [action, pattern = '', to] = line.split(' ')
    // Only `storedForm` writes them.
    yield { action: action as SiteRule['action'], pattern, ...(to !== undefined && { to }) }
  }
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start)
    yield text.slice(start, end)
    start = end + 1
  }
}
