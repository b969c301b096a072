// More than two results of one site in a row are folded into a line that opens. Nothing is left out, and nothing changes
// its place. A site is a host, without `www.`: who shares a domain isn't known here.
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import type { MergedHit } from '../../search/merge.ts'

const SHOWN_IN_A_ROW = 2

interface Row<Hit> {
  shown: MergedHit<Hit>
  /** Further results of the same site, which follow it. */
  folded: readonly MergedHit<Hit>[]
}

export function foldResults<Hit extends { url: string }>(results: readonly MergedHit<Hit>[]): Row<Hit>[] {
  const rows: Row<Hit>[] = []
  for (let at = 0; at < results.length; ) {
    const run = runFrom(results, at)
    for (const [index, shown] of run.slice(0, SHOWN_IN_A_ROW).entries())
      rows.push({ shown, folded: index === SHOWN_IN_A_ROW - 1 ? run.slice(SHOWN_IN_A_ROW) : [] })
    at += run.length
  }
  return rows
}

function runFrom<Hit extends { url: string }>(results: readonly MergedHit<Hit>[], start: number): MergedHit<Hit>[] {
  const site = hostOf(results[start]?.hit.url ?? '')
  const end = results.findIndex(({ hit }, at) => at > start && hostOf(hit.url) !== site)
  return results.slice(start, end === -1 ? undefined : end)
}
