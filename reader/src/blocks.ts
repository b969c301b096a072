// A page without its markup: a list of blocks, each with runs of text. Markdown and plain text are both written from
// it, and the website shows it, so none of them can contain any of the page's own markup.

export interface Run {
  text: string
  isStrong?: boolean | undefined
  isEmphasised?: boolean | undefined
  isCode?: boolean | undefined
  /** Absolute http(s) address. */
  link?: string | undefined
}

export type Block =
  | { kind: 'heading'; level: number; runs: Run[] }
  /** A line break is a run with the text '\n'. */
  | { kind: 'paragraph'; runs: Run[] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'code'; text: string; language: string }
  | { kind: 'list'; isOrdered: boolean; start: number; items: Block[][] }
  /** Every row has as many cells as the first, which is the header. */
  | { kind: 'table'; rows: Run[][][] }
  | { kind: 'rule' }
  /** Only if requested: Markdown and plain text have none. Width and height are as the page claims. */
  | { kind: 'picture'; address: string; text: string; width?: number | undefined; height?: number | undefined }
