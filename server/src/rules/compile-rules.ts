// The rules in force for one search, from several owners. The instance's blocks come first: nobody can bring back a site
// that the operator has blocked. Then what the key says, then the person, then the rest of the instance's. Of one owner's
// rules the one that describes an address most closely counts, whichever of its lists it is in.
import { hash } from 'node:crypto'
import { type Finding, indexRules, type RuleIndex } from './rule-index.ts'
import { type Site, siteOf } from './site-of.ts'
import type { RuleAction, RuleOwnerKind, RuleSet, SiteRule, Verdict } from './site-rules.ts'

/** One list of an owner, who may have several: as rules, or as an index of them that other sets share. */
export interface OwnedRules {
  owner: RuleOwnerKind
  rules: readonly SiteRule[] | RuleIndex
}

export async function compileRules(lists: readonly OwnedRules[]): Promise<RuleSet> {
  const layers: Layer[] = []
  // One after the other: the slices of several at once would add up.
  for (const { owner, rules } of lists)
    layers.push({ owner, index: 'digest' in rules ? rules : await indexRules(rules) })
  return layerRules(layers.filter(({ index }) => index.size > 0))
}

interface Layer {
  owner: RuleOwnerKind
  index: RuleIndex
}

function layerRules(layers: readonly Layer[]): RuleSet {
  const of = (owner: RuleOwnerKind) => layers.filter((layer) => layer.owner === owner).map(({ index }) => index)
  const instance = of('instance')
  const others = (['key', 'person'] as const).map((owner) => ({ owner, indexes: of(owner) }))
  const inOrder = [...others, { owner: 'instance' as const, indexes: instance }].filter(
    ({ indexes }) => indexes.length > 0,
  )

  const actionFor = (site: Site): Judged<RuleAction> | undefined => {
    const byInstance = closest(instance, (index) => index.actionFor(site))
    if (byInstance?.value === 'block') return { ...byInstance, owner: 'instance' }
    for (const { owner, indexes } of others) {
      const found = closest(indexes, (index) => index.actionFor(site))
      if (found) return { ...found, owner }
    }
    return byInstance && { ...byInstance, owner: 'instance' }
  }

  const rewriteFor = (site: Site): Judged<string> | undefined => {
    for (const { owner, indexes } of inOrder) {
      const found = closest(indexes, (index) => index.rewriteFor(site))
      if (found) return { ...found, owner }
    }
    return undefined
  }

  return {
    id: hash('sha256', layers.map(({ owner, index }) => `${owner} ${index.digest}\n`).join(''), 'base64url'),
    size: layers.reduce((sum, { index }) => sum + index.size, 0),
    verdictOf(address): Verdict | undefined {
      const site = siteOf(address)
      const action = actionFor(site)
      const rewrite = action?.value === 'block' ? undefined : rewriteFor(site)
      const decided = action ?? rewrite
      if (!decided) return undefined
      return {
        action: action?.value,
        pattern: decided.pattern,
        owner: decided.owner,
        rewritten: rewrite && withHost(address, rewrite.value),
      }
    },
  }
}

type Judged<Value> = Finding & { owner: RuleOwnerKind; value: Value }

/** Of equally close ones, that of the earlier list. */
function closest<Found extends Finding>(
  indexes: readonly RuleIndex[],
  find: (index: RuleIndex) => Found | undefined,
): Found | undefined {
  let best: Found | undefined
  for (const index of indexes) {
    const found = find(index)
    if (found && (!best || found.closeness > best.closeness)) best = found
  }
  return best
}

function withHost(address: string, host: string): string | undefined {
  const url = URL.parse(address)
  if (!url) return undefined
  url.port = ''
  url.host = host
  return url.href
}
