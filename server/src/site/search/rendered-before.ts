// Parts of a page that were rendered before. What comes from memory comes as the same object: results as long as they are
// merged from the same pages, cards for a minute. What was made of it for one language and one way of linking is then the
// same as well, until an age changes. These parts are most of a results page.
import type { Html } from '../http/html.ts'

const MOST_VARIANTS = 8

type Rendered = Html | undefined

export function createRenderedBefore<Made extends Rendered = Html>() {
  const known = new WeakMap<object, Map<string, Made>>()
  /** `variant` names everything besides the object that the rendering depends on. */
  return (of: object, variant: string, render: () => Made): Made => {
    const variants = known.get(of) ?? new Map<string, Made>()
    if (variants.has(variant)) return variants.get(variant) as Made // It has just been found there.
    if (variants.size >= MOST_VARIANTS) variants.clear()
    const made = render()
    known.set(of, variants.set(variant, made))
    return made
  }
}
