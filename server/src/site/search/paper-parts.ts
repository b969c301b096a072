// What the result of a paper shows beside its title and abstract: who wrote it, where and when it was published, its DOI, and
// how to cite it. The links to its text are links of the result, as everywhere.
import type { Paper, WebHit } from '@bowerbird/engines/engine.ts'
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import { doiAddress } from '@bowerbird/engines/parsing/read-paper.ts'
import { type MergedHit, pageAddress } from '../../search/merge.ts'
import { type Html, html } from '../http/html.ts'
import { copyable } from '../parts/notice.ts'
import { bibtexOf } from './bibtex.ts'
import { externalLink, joinNames, letterIcon, type ResultView, shortened } from './result-parts.ts'

const SHOWN_AUTHORS = 3
const MAX_NAME_LENGTH = 60
const MAX_VENUE_LENGTH = 100

/** doi.org is the address of all papers, and says nothing about this one: its journal stands there instead. */
const hasVenueAsPlace = ({ url }: WebHit, { venue = '' }: Paper): boolean => venue !== '' && hostOf(url) === 'doi.org'

/** Instead of the address line; false: that is as good. */
export const venueLine = (hit: WebHit, paper: Paper): Html | false =>
  hasVenueAsPlace(hit, paper) &&
  html`<p class="where">${letterIcon(paper.venue ?? '')}<cite dir="auto"><b>${shortened(paper.venue ?? '', MAX_VENUE_LENGTH)}</b></cite></p>`

function authorsOf({ authors = [], authorCount = 0 }: Paper, { papers, locale }: ResultView): string {
  const names = authors.slice(0, SHOWN_AUTHORS).map((name) => shortened(name, MAX_NAME_LENGTH))
  const others = authorCount - names.length
  return others > 0 ? papers.authors({ names: names.join(', '), others }) : joinNames(names, locale)
}

/** Authors, journal, year, and what else is known, in a line. */
export function paperFacts(hit: WebHit, paper: Paper, view: ResultView): Html | false {
  const { papers } = view
  const facts = [
    authorsOf(paper, view),
    !hasVenueAsPlace(hit, paper) && shortened(paper.venue ?? '', MAX_VENUE_LENGTH),
    paper.year !== undefined && String(paper.year),
    paper.citedBy !== undefined && papers.citedBy({ count: paper.citedBy }),
    paper.isOpenAccess && papers.openAccess,
  ].filter(Boolean)
  return (
    facts.length > 0 &&
    html`<p class="paper-facts">${facts.map((fact, at) => html`${at > 0 && ' · '}<bdi>${fact}</bdi>`)}</p>`
  )
}

/** A rule that shows the paper's page under another address does so here as well. */
export function doiLink(merged: MergedHit<WebHit>, { doi = '' }: Paper, view: ResultView): Html | false {
  const address = doiAddress(doi)
  const shown = pageAddress(merged) === address ? merged.hit.url : address
  const text = view.papers.doi({ doi: shortened(doi, MAX_NAME_LENGTH) })
  return address !== '' && html`<a ${externalLink(shown, view)} dir="ltr">${text}</a>`
}

/** The button that copies needs script; without it, the text can be selected. */
export function citeDetails(merged: MergedHit<WebHit>, paper: Paper, { papers, frame }: ResultView): Html {
  const { title } = merged.hit
  const bibtex = bibtexOf({ title, url: pageAddress(merged), paper })
  const name = papers.citePaper({ title: shortened(title, MAX_NAME_LENGTH) })
  return html`<details class="why cite" name="menu"><summary aria-label="${name}">${papers.cite}</summary><div>${copyable(bibtex, frame, papers.bibtex)}</div></details>`
}
