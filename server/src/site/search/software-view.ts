// What is known of a project, a package or a question, as the page shows it: facts for the line below a result, and the
// command that installs a package.
import type { Software, WebHit } from '@bowerbird/engines/engine.ts'
import { type MergedHit, pageAddress } from '../../search/merge.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import { compactCount } from '../parts/formats.ts'
import { installLine } from './install-line.ts'
import { type ResultView, shortened } from './result-parts.ts'

const MAX_FACT_LENGTH = 40

const text = (value: string | undefined): Html | false =>
  value !== undefined && html`<bdi>${shortened(value, MAX_FACT_LENGTH)}</bdi>`

export function softwareFacts(software: Software | undefined, { software: words, locale }: ResultView): Piece[] {
  if (!software) return []
  const { isAnswered, votes, version, language, licence, stars, downloads } = software
  return [
    isAnswered && words.answered,
    votes && words.votes(compactCount(votes, locale)),
    version && words.version({ version: shortened(version, MAX_FACT_LENGTH) }),
    text(language),
    text(licence),
    stars && words.stars(compactCount(stars, locale)),
    downloads && words.downloads(compactCount(downloads, locale)),
  ]
}

export function installBox(merged: MergedHit<WebHit>, { software: words, frame }: ResultView): Html | false {
  const line = installLine(pageAddress(merged))
  return (
    line !== '' &&
    html`<p class="install"><code dir="ltr">${line}</code><button type="button" data-copy="${line}" data-copied="${frame.copied}" aria-label="${words.copy({ line })}">${frame.copy}</button></p>`
  )
}
