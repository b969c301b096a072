// What the readers of the several formats make of a line.
import type { SiteRule } from './site-rules.ts'

/** A rule, or an exception to what the same list blocks. */
export type ListedRule = SiteRule | { pattern: string; action: 'unblock' }

/** The rules of a line, [] for one that has none, or a sentence about what is wrong with it. */
export type ReadLine = (line: string) => readonly ListedRule[] | string

export const NO_EXPRESSIONS = 'Regular expressions and other conditions are not supported. Write the domain instead.'
export const NO_SITE =
  'This names no site. Write a domain such as example.org, or one with a path such as example.org/shop/*.'
