// How texts about any subject are composed from templates: {q} is the subject as typed and {Q} the same with a capital.
import { hash } from './random.ts'

/** A function as replacement, because `$&` in a query must stay `$&`. */
export const fill = (template: string, subject: string): string =>
  template.replace(/\{q\}/gi, (mark) => (mark === '{Q}' ? capitalised(subject) : subject))

export const capitalised = (text: string): string => text.replace(/^./u, (first) => first.toUpperCase())

/** The n-th of a list that begins anew when it ends. */
export function nth<Item>(items: readonly [Item, ...Item[]], n: number): Item {
  return items[n % items.length] ?? items[0]
}

/** Percent-encoded, for a path. */
export function slugOf(text: string): string {
  const slug = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('-')
  return slug === '' ? `topic-${hash(text)}` : encodeURIComponent(slug.toWellFormed())
}
