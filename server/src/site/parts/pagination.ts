// Links to the previous and the next page. There is no count of pages to show, because no engine knows it.
import { type Html, html } from '../http/html.ts'
import type { FrameWords } from '../i18n/en/site.ts'

export interface PaginationParts {
  page: number
  /** undefined: there is none. */
  previous: string | undefined
  next: string | undefined
}

export function pagination({ page, previous, next }: PaginationParts, words: FrameWords): Html | false {
  if (previous === undefined && next === undefined) return false
  return html`<nav class="pagination" aria-label="${words.pagesLabel}">
${previous ? html`<a class="button button-plain" rel="prev" href="${previous}">${words.previousPage}</a>` : html`<span></span>`}
<span class="quiet" aria-current="page">${words.page(page)}</span>
${next ? html`<a class="button button-plain" rel="next" href="${next}">${words.nextPage}</a>` : html`<span></span>`}
</nav>`
}
