// Renders the blocks of a third-party page as our own markup. All text is escaped, only the elements below occur, and
// pictures are loaded through this site or not at all.

import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import type { Block, Run } from '@bowerbird/reader/blocks.ts'
import { type Html, html } from '../http/html.ts'
import type { Pictures } from '../pictures.ts'

interface BlockViewOptions {
  pictures: Pictures | undefined
  /** Links open in a new tab. */
  newTab: boolean
  /** Accessible names for the regions that scroll. */
  words: { table: string; code: string }
}

export const blockView = (blocks: readonly Block[], options: BlockViewOptions): Html =>
  new BlockWriter(options).renderAll(blocks)

const MAX_HEADING_LEVEL = 6

class BlockWriter {
  readonly #options: BlockViewOptions
  /** The level of the last heading; the page's title is level 1. */
  #level = 1

  constructor(options: BlockViewOptions) {
    this.#options = options
  }

  renderAll(blocks: readonly Block[]): Html {
    return html`${blocks.map((block) => this.#render(block))}`
  }

  #render(block: Block): Html {
    switch (block.kind) {
      case 'heading':
        return this.#heading(block)
      case 'paragraph':
        return html`<p>${this.#inline(block.runs)}</p>`
      case 'quote':
        return html`<blockquote>${this.renderAll(block.blocks)}</blockquote>`
      case 'code':
        return html`<pre tabindex="0" dir="ltr" role="region" aria-label="${this.#options.words.code}"><code>${block.text}</code></pre>`
      case 'list':
        return this.#list(block)
      case 'table':
        return this.#table(block.rows)
      case 'picture':
        return this.#picture(block)
      case 'rule':
      default:
        return html`<hr>`
    }
  }

  /** At most one level below the previous heading, so that no level is skipped for readers who navigate by headings. */
  #heading({ level, runs }: Extract<Block, { kind: 'heading' }>): Html {
    this.#level = Math.min(Math.max(level, 2), this.#level + 1, MAX_HEADING_LEVEL)
    const inside = this.#inline(runs)
    switch (this.#level) {
      case 2:
        return html`<h2>${inside}</h2>`
      case 3:
        return html`<h3>${inside}</h3>`
      case 4:
        return html`<h4>${inside}</h4>`
      case 5:
        return html`<h5>${inside}</h5>`
      default:
        return html`<h6>${inside}</h6>`
    }
  }

  #list({ isOrdered, start, items }: Extract<Block, { kind: 'list' }>): Html {
    const listItems = items.map((blocks) => html`<li>${this.#item(blocks)}</li>`)
    return isOrdered ? html`<ol start="${start}">${listItems}</ol>` : html`<ul>${listItems}</ul>`
  }

  /** The first paragraph of an item needs no `<p>`. */
  #item(blocks: readonly Block[]): Html {
    const [first, ...others] = blocks
    if (first?.kind !== 'paragraph') return this.renderAll(blocks)
    return html`${this.#inline(first.runs)}${this.renderAll(others)}`
  }

  #table(rows: readonly Run[][][]): Html {
    const [header = [], ...others] = rows
    const cell = (runs: Run[]) => html`<td>${this.#inline(runs)}</td>`
    const head = (runs: Run[]) => (runs.length > 0 ? html`<th scope="col">${this.#inline(runs)}</th>` : cell(runs))
    return html`<div class="read-table" tabindex="0" role="region" aria-label="${this.#options.words.table}"><table>
<thead><tr>${header.map(head)}</tr></thead><tbody>${others.map((cells) => html`<tr>${cells.map(cell)}</tr>`)}</tbody></table></div>`
  }

  #picture({ address, text, width, height }: Extract<Block, { kind: 'picture' }>): Html {
    const source = this.#options.pictures?.signedPath(address, 'picture') ?? ''
    if (source === '') return html``
    const size = width && height && html` width="${width}" height="${height}"`
    return html`<figure><img src="${source}" alt="${text}"${size} loading="lazy"></figure>`
  }

  /** Joins adjacent runs of the same link into one link. */
  #inline(runs: readonly Run[]): Html {
    const pieces: Html[] = []
    for (let at = 0; at < runs.length; ) {
      const link = runs[at]?.link
      let end = at + 1
      while (end < runs.length && runs[end]?.link === link) end += 1
      pieces.push(this.#linked(runs.slice(at, end), link))
      at = end
    }
    return html`${pieces}`
  }

  #linked(runs: readonly Run[], link: string | undefined): Html {
    const words = html`${runs.map(runView)}`
    const address = httpAddress(link)
    if (address === '' || runs.every(({ text }) => text.trim() === '')) return words
    return html`<a href="${address}" rel="noopener noreferrer nofollow"${this.#options.newTab && html` target="_blank"`}>${words}</a>`
  }
}

function runView({ text, isCode, isStrong, isEmphasised }: Run): Html {
  if (text === '\n') return html`<br>`
  const plain = isCode ? html`<code>${text}</code>` : html`${text}`
  const emphasised = isEmphasised ? html`<em>${plain}</em>` : plain
  return isStrong ? html`<strong>${emphasised}</strong>` : emphasised
}
