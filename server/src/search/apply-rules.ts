// Shapes merged results by the rules in force and by the domains that the request prefers. A blocked page goes, whichever of
// its addresses is blocked, and so do links and pictures of blocked sites beside other results. The rest is re-ranked by
// additions to the score, so that `explain` still adds up and sorting by score still gives the order; it never depends on
// which engine answered first. A rewritten address is only shown: the page itself stays what is compared and read.
import type { Hit, WebHit } from '@bowerbird/engines/engine.ts'
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import { doiAddress } from '@bowerbird/engines/parsing/read-paper.ts'
import { siteOf } from '../rules/site-of.ts'
import type { RuleSet, Verdict } from '../rules/site-rules.ts'
import type { Adjustment, MergedHit, Ranking } from './merge.ts'
import type { SearchRequest } from './search-request.ts'

/** By how much the score of a raised or preferred page is multiplied, and that of a lowered one. */
const RAISED = 2
const LOWERED = 0.25

export interface RuledResults {
  results: readonly MergedHit[]
  /** How many were left out. */
  blocked: number
}

/** Returns the same results if the request has no wishes, or none that concerns them. */
export function applyRules(
  results: readonly MergedHit[],
  rankings: readonly Ranking[],
  { rules, preferDomains }: { rules: RuleSet | undefined } & Pick<SearchRequest, 'preferDomains'>,
): RuledResults {
  if (!rules && !preferDomains) return { results, blocked: 0 }
  const pinned = totalWeight(rankings)
  const isBlockedPicture = rules && pictureJudge(rules)
  const preferred = new Set(preferDomains)
  const shaped: MergedHit[] = []
  let isSame = true
  for (const merged of results) {
    const verdict = rules && judge(merged, rules)
    if (verdict?.action === 'block') continue
    const own = rules && isBlockedPicture ? withRules(merged, { rules, verdict, isBlockedPicture }) : merged
    const adjustments = adjustmentsOf(merged, { verdict, pinned, preferred })
    const adjusted = adjustments.length === 0 ? own : withAdjustments(own, adjustments)
    isSame &&= adjusted === merged
    shaped.push(adjusted)
  }
  const blocked = results.length - shaped.length
  if (isSame && blocked === 0) return { results, blocked }
  // The sort is stable, so equal scores keep the order that the merge has given them.
  return { results: shaped.sort((one, other) => other.score - one.score), blocked }
}

/** More than any page can have: a rank adds less than its ranking's weight. Summed in an order of its own. */
const totalWeight = (rankings: readonly Ranking[]): number =>
  rankings
    .map(({ weight }) => weight)
    .sort((one, other) => one - other)
    .reduce((sum, weight) => sum + weight, 0)

/** What the rules say about the address that is shown, unless they block another one of the page. */
function judge({ hit, contributions }: MergedHit, rules: RuleSet): Verdict | undefined {
  let ofShown: Verdict | undefined
  for (const { url } of contributions) {
    const verdict = rules.verdictOf(url)
    if (verdict?.action === 'block') return verdict
    if (url === hit.url) ofShown = verdict
  }
  // In the images tab, the picture is the result; news and videos only have one.
  if (hit.kind !== 'image') return ofShown
  const ofPicture = [hit.thumbnailUrl, hit.imageUrl ?? ''].map((address) => rules.verdictOf(address))
  return ofPicture.find((verdict) => verdict?.action === 'block') ?? ofShown
}

/** The same hit, if rules change nothing that it shows. */
function withRules(
  merged: MergedHit,
  { rules, verdict, isBlockedPicture }: { rules: RuleSet; verdict: Verdict | undefined; isBlockedPicture: Judge },
): MergedHit {
  const hit = withAllowedParts(merged.hit, rules, isBlockedPicture)
  const rewritten = verdict?.rewritten
  if (rewritten === undefined) return hit === merged.hit ? merged : { ...merged, hit }
  // Without an icon of its own, a result would get that of the host it is shown under.
  const icon = hit.kind === 'web' && { faviconUrl: hit.faviconUrl || `https://${hostOf(hit.url)}/favicon.ico` }
  return { ...merged, hit: { ...hit, ...icon, url: rewritten }, originalUrl: hit.url }
}

type Judge = (address: string) => boolean

/** Pictures and icons are mostly those of a few hosts, so each host is looked up once. */
function pictureJudge(rules: RuleSet): Judge {
  const known = new Map([['', false]])
  return (address) => {
    const host = address === '' ? '' : hostOf(address)
    const isBlocked = known.get(host) ?? rules.verdictOf(`https://${host}/`)?.action === 'block'
    known.set(host, isBlocked)
    return isBlocked
  }
}

/** Without links and pictures of blocked sites; links are rewritten as results are. */
function withAllowedParts(hit: Hit, rules: RuleSet, isBlocked: Judge): Hit {
  if (hit.kind === 'web') return withAllowedLinks(hit, rules, isBlocked)
  if (hit.kind === 'image') return hit
  const allowed = isBlocked(hit.thumbnailUrl) ? { ...hit, thumbnailUrl: '' } : hit
  if (allowed.kind === 'news' || !isBlocked(allowed.previewUrl ?? '')) return allowed
  const { previewUrl: _, ...rest } = allowed
  return rest
}

function withAllowedLinks(hit: WebHit, { verdictOf }: RuleSet, isBlocked: Judge): WebHit {
  let allowed = hit
  const sitelinks = hit.sitelinks.flatMap((link) => {
    const verdict = verdictOf(link.url)
    if (verdict?.action === 'block') return []
    return verdict?.rewritten === undefined ? link : { ...link, url: verdict.rewritten }
  })
  if (sitelinks.length < hit.sitelinks.length || sitelinks.some((link, index) => link !== hit.sitelinks[index]))
    allowed = { ...allowed, sitelinks }
  if (isBlocked(hit.faviconUrl)) allowed = { ...allowed, faviconUrl: '' }
  if (hit.paper?.doi && verdictOf(doiAddress(hit.paper.doi))?.action === 'block') {
    const { doi: _, ...paper } = hit.paper
    allowed = { ...allowed, paper }
  }
  return allowed
}

interface Wished {
  verdict: Verdict | undefined
  /** What a pinned page gets. */
  pinned: number
  preferred: ReadonlySet<string>
}

function adjustmentsOf(
  { score, hit }: Pick<MergedHit, 'score' | 'hit'>,
  { verdict, pinned, preferred }: Wished,
): Adjustment[] {
  const adjustments: Adjustment[] = []
  const action = verdict?.action
  if (verdict && action && action !== 'block') {
    const addition = { raise: score * (RAISED - 1), lower: score * (LOWERED - 1), pin: pinned }[action]
    adjustments.push({ by: 'rule', action, pattern: verdict.pattern, owner: verdict.owner, addition })
  }
  if (preferred.size > 0) {
    const pattern = siteOf(hit.url).domains.find((domain) => preferred.has(domain))
    if (pattern !== undefined)
      adjustments.push({ by: 'prefer_domains', action: 'prefer', pattern, addition: score * (RAISED - 1) })
  }
  return adjustments
}

const withAdjustments = (merged: MergedHit, adjustments: readonly Adjustment[]): MergedHit => ({
  ...merged,
  score: adjustments.reduce((sum, { addition }) => sum + addition, merged.score),
  adjustments,
})
