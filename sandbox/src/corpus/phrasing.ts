// Composes texts about any subject from templates: {q} is the subject as typed and {Q} the same with a capital.
import { hash } from './random.ts'

/** Uses a function as the replacement, because `$&` in a query must stay `$&`. */
export const fill = (template: string, subject: string): string =>
  template.replace(/\{q\}/gi, (mark) => (mark === '{Q}' ? capitalised(subject) : subject))

export const capitalised = (text: string): string => text.replace(/^./u, (first) => first.toUpperCase())

/** The n-th item of a list, wrapping around. */
export function nth<Item>(items: readonly [Item, ...Item[]], n: number): Item {
  return items[n % items.length] ?? items[0]
}

/** Percent-encodes it for a path. */
export function slugOf(text: string): string {
  const slug = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('-')
  return slug === '' ? `topic-${hash(text)}` : encodeURIComponent(slug.toWellFormed())
}
