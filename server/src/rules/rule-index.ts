// Rules of one list, made to be looked up: a list of 200,000 hosts takes about 17 MB, is built without keeping the event loop
// for long, and answers in a microsecond. It never changes, so many sets of rules share one.
//
// Domains are in a map, and a look-up goes through the labels of a host: `a.example.org`, `example.org`, `org`. Paths are
// compared one by one, so a domain has a bounded number of them.
import { createHash } from 'node:crypto'
import { inSlices } from './in-slices.ts'
import { isPathOf, partsOf } from './rule-pattern.ts'
import type { Site } from './site-of.ts'
import type { RuleAction, SiteRule } from './site-rules.ts'

/** More would make every result of that site slow. */
export const MAX_PATHS_OF_A_DOMAIN = 2_000

export interface Finding {
  pattern: string
  /** How closely the pattern describes the address: a path beats a domain, a longer domain beats a shorter one. */
  closeness: number
  /** An action, or the host that an address is rewritten to. */
  value: string
}

export interface RuleIndex {
  /** Of the content. */
  readonly digest: string
  readonly size: number
  actionFor: (site: Site) => (Finding & { value: RuleAction }) | undefined
  rewriteFor: (site: Site) => Finding | undefined
}

interface PathRule<Value> {
  path: string
  /** The path, split at its stars. */
  parts: readonly string[]
  value: Value
}

/** A path counts more than any domain, and a domain more than any length of its path. */
const PATH_CLOSENESS = 1_000_000
const DOMAIN_CLOSENESS = 1_000

class Patterns<Value extends string> {
  readonly #domains = new Map<string, Value>()
  readonly #paths = new Map<string, PathRule<Value>[]>()

  set({ host, path }: { host: string; path: string }, value: Value): void {
    if (path === '') {
      this.#domains.set(ownCopy(host), value)
      return
    }
    const paths = this.#paths.get(host)
    const own = ownCopy(path)
    const rule = { path: own, parts: own.split('*'), value }
    if (!paths) this.#paths.set(ownCopy(host), [rule])
    else if (paths.length < MAX_PATHS_OF_A_DOMAIN) paths.push(rule)
  }

  find(site: Site): (Finding & { value: Value }) | undefined {
    for (const domain of this.#paths.size === 0 ? [] : site.domains) {
      const rule = closestPath(this.#paths.get(domain), site)
      if (rule) {
        const closeness = PATH_CLOSENESS + DOMAIN_CLOSENESS * domain.length + rule.path.length
        return { pattern: `${writtenDomain(domain)}${rule.path}`, closeness, value: rule.value }
      }
    }
    for (const domain of this.#domains.size === 0 ? [] : site.domains) {
      const value = this.#domains.get(domain)
      if (value) return { pattern: writtenDomain(domain), closeness: DOMAIN_CLOSENESS * domain.length, value }
    }
    return undefined
  }
}

/** A whole top-level domain is written `*.example`. */
const writtenDomain = (domain: string): string => (domain.includes('.') ? domain : `*.${domain}`)

/** The longest that fits; of equal ones, the later, as of equal domains. */
function closestPath<Value>(rules: readonly PathRule<Value>[] | undefined, site: Site): PathRule<Value> | undefined {
  if (!rules) return undefined
  const path = site.path()
  // Someone who blocks `example.org/shop/*` doesn't want `example.org/shop` either.
  const asFolder = path.endsWith('/') || path.includes('?') ? path : `${path}/`
  let closest: PathRule<Value> | undefined
  for (const rule of rules) {
    if (closest && rule.path.length < closest.path.length) continue
    if (isPathOf(rule.parts, path) || (asFolder !== path && isPathOf(rule.parts, asFolder))) closest = rule
  }
  return closest
}

const scratch = Buffer.alloc(512)

/** A part of a longer string keeps all of it in memory: here, the text of the whole list. Patterns are ASCII. */
const ownCopy = (text: string): string => scratch.toString('latin1', 0, scratch.write(text, 'latin1'))

/** How many rules the digest takes at once. */
const DIGESTED_AT_ONCE = 500

/** Of rules whose patterns come from `readPattern`; the last one for a pattern counts. */
export async function indexRules(rules: Iterable<SiteRule>): Promise<RuleIndex> {
  const actions = new Patterns<RuleAction>()
  const rewrites = new Patterns<string>()
  const hash = createHash('sha256')
  let undigested = ''
  let size = 0
  await inSlices(rules, ({ pattern, action, to = '' }) => {
    if (action !== 'rewrite') actions.set(partsOf(pattern), action)
    else if (to !== '') rewrites.set(partsOf(pattern), ownCopy(to))
    undigested += `${action} ${pattern} ${to}\n`
    size += 1
    if (size % DIGESTED_AT_ONCE !== 0) return
    hash.update(undigested)
    undigested = ''
  })
  const digest = hash.update(undigested).digest('base64url')
  return { digest, size, actionFor: (site) => actions.find(site), rewriteFor: (site) => rewrites.find(site) }
}
