// Lists of results that were rendered before. An answer from memory comes as the same array of results as long as it is
// merged from the same pages; what was made of it for one language and one way of linking is then the same as well, until
// an age changes. The list is most of a results page, so that a popular search costs little more than its JSON.
import type { Html } from '../html.ts'

const MOST_VARIANTS = 8

export function createRenderedLists() {
  const known = new WeakMap<readonly unknown[], Map<string, Html>>()
  /** `variant` names everything besides the results that the rendering depends on. */
  return (results: readonly unknown[], variant: string, render: () => Html): Html => {
    const variants = known.get(results) ?? new Map<string, Html>()
    const list = variants.get(variant) ?? render()
    if (variants.size >= MOST_VARIANTS) variants.clear()
    known.set(results, variants.set(variant, list))
    return list
  }
}
