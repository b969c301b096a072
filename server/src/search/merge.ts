// Merges the rankings of several engines into one. Two hits are the same page if they have the same canonical URL. The
// score is weighted reciprocal-rank fusion: each ranking that contains a page adds weight / (K + rank). So agreement
// counts, and so does how high each engine ranks the page, without comparing scores across engines, which would mean
// nothing. K was chosen by measurement: docs/decisions/0006-merge.md.
//
// The result never depends on which engine answered first: rankings are taken in slot order, additions are summed in
// that order (so that those shown add up to the score to the last bit), and ties are decided by the best rank, then by
// the earlier slot. The texts shown come from the engine that ranked the page best; what it omits comes from the
// next. Of the addresses, the best is shown: https before http, the page itself before its mobile or AMP address, without
// tracking and fragment.
import {
  type Hit,
  type ImageHit,
  type NewsHit,
  type Paper,
  UNKNOWN_INDEX,
  type VideoHit,
  type WebHit,
} from '@bowerbird/engines/engine.ts'
import type { RuleOwnerKind } from '../rules/site-rules.ts'
import { blemishesOf, canonicalAddress } from '../text/canonical-address.ts'
import type { WeightOrigin } from './calibration/calibrated-weights.ts'

/** The first rank is worth (K + 2) / (K + 1) times the second. */
const K = 12

/** What a ranking adds to the score of the page at this rank. */
export const additionAt = (rank: number, weight: number): number => weight / (K + rank)

export interface Ranking {
  /** Two providers of one slot are two rankings with the same slot. */
  slot: string
  /** The display name of the provider. */
  name?: string
  /** Whose index the provider shows; left out: unknown. */
  index?: string
  /** How much this slot counts relative to the others. */
  weight: number
  /** Left out: it is the default. */
  weightFrom?: WeightOrigin | undefined
  /** Best first. */
  hits: readonly Hit[]
}

/** What one ranking contributes to a page. */
export interface Contribution {
  slot: string
  /** The display name of the provider that returned it. */
  name: string
  /** Whose index the provider shows. */
  index: string
  /** From 1. */
  rank: number
  weight: number
  weightFrom: WeightOrigin
  /** What it added to the score. */
  addition: number
  /** The URL as this engine gave it. */
  url: string
}

export interface MergedHit<OneHit = Hit> {
  hit: OneHit
  /** The sum of the additions, in the order of the contributions and then of the adjustments. */
  score: number
  /** The slots that returned it, each once, in slot order. */
  slots: string[]
  /** In slot order. */
  contributions: Contribution[]
  /** What rules and preferred domains added, after the contributions; left out if nothing. */
  adjustments?: readonly Adjustment[]
  /** The address of the page, if a rule shows it under another one. */
  originalUrl?: string
}

/** What a rule, or a domain that the request prefers, adds to a score. */
export interface Adjustment {
  by: 'rule' | 'prefer_domains'
  action: 'raise' | 'lower' | 'pin' | 'prefer'
  pattern: string
  /** Whose rule it is. */
  owner?: RuleOwnerKind
  /** Negative for what is lowered. */
  addition: number
}

/** The results of one kind. Each tab finds one kind. */
export const onlyKind = <Kind extends HitKind>(results: readonly MergedHit[], kind: Kind) =>
  results.filter((merged): merged is MergedHit<HitOfKind<Kind>> => merged.hit.kind === kind)

export type HitKind = Hit['kind']
export type HitOfKind<Kind extends HitKind> = Extract<Hit, { kind: Kind }>

/** The page's own address; `hit.url` may be one that a rule put in its place. */
export const pageAddress = ({ hit, originalUrl }: Pick<MergedHit<{ url: string }>, 'hit' | 'originalUrl'>): string =>
  originalUrl ?? hit.url

interface Candidate extends Contribution {
  hit: Hit
  /** The place of its ranking in the list. The slot is not enough, because two providers may share it. */
  rankingIndex: number
}

export function mergeRankings(rankings: readonly Ranking[]): MergedHit[] {
  const merged: MergedHit[] = []
  for (const candidates of groupByPage(sortBySlot(rankings)).values()) merged.push(mergeCandidates(candidates))
  // `merged` is in order of first slot and of the rank there. The sort is stable, so ties keep that order.
  return merged.sort((a, b) => b.score - a.score || getBestRank(a) - getBestRank(b))
}

/** From `engine_a` to `engine_z`. Providers of one slot keep their order, because the sort is stable. */
const sortBySlot = (rankings: readonly Ranking[]): Ranking[] =>
  rankings.toSorted((a, b) => Number(a.slot > b.slot) - Number(a.slot < b.slot))

function groupByPage(rankings: readonly Ranking[]): Map<string, Candidate[]> {
  const byPage = new Map<string, Candidate[]>()
  for (const [rankingIndex, ranking] of rankings.entries()) {
    const { slot, name = '', index = UNKNOWN_INDEX, weight, weightFrom = 'default', hits } = ranking
    let rank = 0
    for (const hit of hits) {
      rank += 1
      const page = hit.kind === 'image' ? buildPictureKey(hit, rankingIndex, byPage) : canonicalAddress(hit.url)
      const candidates = byPage.get(page)
      // A page that appears twice in one ranking counts once, at its first place: an engine cannot agree with itself.
      if (candidates?.at(-1)?.rankingIndex === rankingIndex) continue
      const addition = additionAt(rank, weight)
      const candidate = { slot, name, index, rank, weight, weightFrom, addition, url: hit.url, hit, rankingIndex }
      if (candidates) candidates.push(candidate)
      else byPage.set(page, [candidate])
    }
  }
  return byPage
}

/**
 * Pictures of one page share its URL. The second picture in a ranking gets a key of its own (no URL ends in a space), so
 * that it is no duplicate of the first, and is merged with the second picture that another engine has of this page.
 */
function buildPictureKey(hit: ImageHit, rankingIndex: number, byPage: ReadonlyMap<string, Candidate[]>): string {
  let key = canonicalAddress(hit.url)
  for (;;) {
    const last = byPage.get(key)?.at(-1)
    if (last?.rankingIndex !== rankingIndex || !isAnotherPicture(last.hit, hit)) return key
    key += ' '
  }
}

const isAnotherPicture = (a: Hit, b: ImageHit): boolean => a.kind === 'image' && a.thumbnailUrl !== b.thumbnailUrl

function mergeCandidates(candidates: Candidate[]): MergedHit {
  const slots: string[] = []
  let score = 0
  for (const { slot, addition } of candidates) {
    score += addition
    if (slots.at(-1) !== slot) slots.push(slot)
  }
  return { hit: buildShownHit(candidates), score, slots, contributions: candidates }
}

function buildShownHit(candidates: readonly Candidate[]): Hit {
  const [first] = candidates
  if (first && candidates.length === 1) return first.hit
  const hits = candidates.toSorted((a, b) => a.rank - b.rank).map(({ hit }) => hit)
  return { ...hits.reduce(completeHit), url: pickBestUrl(hits.map(({ url }) => url)) }
}

function pickBestUrl(urls: readonly string[]): string {
  const [first = '', ...others] = new Set(urls)
  return others.reduce((best, url) => (blemishesOf(url) < blemishesOf(best) ? url : best), first)
}

const getBestRank = ({ contributions }: MergedHit): number =>
  contributions.reduce((best, { rank }) => Math.min(best, rank), Number.POSITIVE_INFINITY)

/** The better-ranked hit, with what it lacks from the other. */
export function completeHit(best: Hit, other: Hit): Hit {
  if (best.kind === 'web' && other.kind === 'web') return completeWeb(best, other)
  if (best.kind === 'image' && other.kind === 'image') return completeImage(best, other)
  if (best.kind === 'news' && other.kind === 'news') return completeNews(best, other)
  if (best.kind === 'video' && other.kind === 'video') return completeVideo(best, other)
  return best
}

const completePaper = (best: WebHit, other: WebHit): Pick<WebHit, 'paper' | 'sitelinks'> => {
  const titles = new Set(best.sitelinks.map(({ title }) => title))
  return {
    // A description serves as the abstract only if no engine has one.
    paper: { ...describePaper(other), ...describePaper(best), ...other.paper, ...best.paper },
    // One engine may know the PDF, and the other the publisher's page.
    sitelinks: [...best.sitelinks, ...other.sitelinks.filter(({ title }) => !titles.has(title))],
  }
}

/** What an engine without data about papers says about this one. */
const describePaper = ({ paper, description }: WebHit): Paper =>
  paper === undefined && description !== '' ? { abstract: description } : {}

const completeWeb = (best: WebHit, other: WebHit): WebHit => ({
  ...other,
  ...best,
  title: best.title || other.title,
  description: best.description || other.description,
  faviconUrl: best.faviconUrl || other.faviconUrl,
  publishedAt: best.publishedAt ?? other.publishedAt,
  sitelinks: best.sitelinks.length > 0 ? best.sitelinks : other.sitelinks,
  ...((best.paper || other.paper) && completePaper(best, other)),
  ...((best.software || other.software) && { software: { ...other.software, ...best.software } }),
})

/** Two engines may show two pictures of one page. Without two different full-size URLs, both are taken for the same picture. */
const completeImage = (best: ImageHit, other: ImageHit): ImageHit => {
  const title = best.title || other.title
  const isSamePicture = !best.imageUrl || !other.imageUrl || best.imageUrl === other.imageUrl
  return isSamePicture ? { ...other, ...best, title } : { ...best, title }
}

const completeNews = (best: NewsHit, other: NewsHit): NewsHit => ({
  ...other,
  ...best,
  title: best.title || other.title,
  description: best.description || other.description,
  publishedAt: best.publishedAt ?? other.publishedAt,
  publisher: best.publisher || other.publisher,
  thumbnailUrl: best.thumbnailUrl || other.thumbnailUrl,
})

const completeVideo = (best: VideoHit, { previewUrl, ...other }: VideoHit): VideoHit => ({
  ...other,
  // A preview is a larger form of its own engine's thumbnail, so it only goes with that one.
  ...(best.thumbnailUrl === '' && previewUrl !== undefined && { previewUrl }),
  ...best,
  title: best.title || other.title,
  publishedAt: best.publishedAt ?? other.publishedAt,
  publisher: best.publisher || other.publisher,
  durationSeconds: best.durationSeconds ?? other.durationSeconds,
  thumbnailUrl: best.thumbnailUrl || other.thumbnailUrl,
})
