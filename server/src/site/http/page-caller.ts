// The callers of the website. Rules about sites are looked up when something is searched for, so every other page works
// while they can't be. The guard for secrets is a page of its own here, which asks first: `search/guard-page.ts`.
import type { SiteRule } from '../../rules/site-rules.ts'
import { Caller } from '../../search/caller.ts'
import type { SiteServices } from '../site-services.ts'

/** Someone who is signed in, or whose secret is in the address. */
export const createMember = (rules: SiteServices['rules'], userId: string): Caller =>
  new Caller({ findRules: () => rules.inForce({ userId }) })

/** Anyone else, with the rules that their browser keeps. */
export const createVisitor = (
  { rules, isPublic }: Pick<SiteServices, 'rules' | 'isPublic'>,
  readRules: () => readonly SiteRule[],
): Caller => new Caller({ isVisitor: isPublic, findRules: () => rules.inForce({ browser: readRules() }) })
