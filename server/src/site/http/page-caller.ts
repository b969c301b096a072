// The callers of the website. Rules about sites are looked up when something is searched for, so every other page works
// while they can't be. The guard for secrets is a page of its own here, which asks first: `search/guard-page.ts`.
import type { RuleBook, SiteRule } from '../../rules/site-rules.ts'
import { Caller } from '../../search/caller.ts'

/** Someone who is signed in, or whose secret is in the address. */
export const createMember = (rules: RuleBook, userId: string): Caller =>
  new Caller({ findRules: () => rules.inForce({ userId }) })

/** Anyone else, with the rules that their browser keeps. */
export const createVisitor = (
  rules: RuleBook,
  { isPublic, readRules }: { isPublic: boolean; readRules: () => readonly SiteRule[] },
): Caller => new Caller({ isVisitor: isPublic, findRules: () => rules.inForce({ browser: readRules() }) })
