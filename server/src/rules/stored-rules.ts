// The rules of a fetched list, as they are stored: one a line, `block example.org`, already in their canonical form. They
// are read in slices, because every node reads a list of a hundred thousand after each change of it.
import { inSlices } from './in-slices.ts'
import type { SiteRule } from './site-rules.ts'

export async function storedForm(rules: readonly SiteRule[]): Promise<string> {
  let text = ''
  await inSlices(rules, ({ action, pattern, to }) => {
    text += to === undefined ? `${action} ${pattern}\n` : `${action} ${pattern} ${to}\n`
  })
  return text
}

export async function readStored(text: string): Promise<SiteRule[]> {
  const rules: SiteRule[] = []
  await inSlices(linesOf(text), (line) => {
    const [action, pattern = '', to] = line.split(' ')
    // Only `storedForm` writes them.
    rules.push({ action: action as SiteRule['action'], pattern, ...(to !== undefined && { to }) })
  })
  return rules
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start)
    yield text.slice(start, end)
    start = end + 1
  }
}
