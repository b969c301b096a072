// A page without its markup: a list of blocks, each with runs of text. Markdown and plain text are both written from
// it, and the website shows it, so none of them can contain any of the page's own markup.
import { z } from 'zod'

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

const Runs = z.array(
  z.object({
    text: z.string(),
    isStrong: z.boolean().optional(),
    isEmphasised: z.boolean().optional(),
    isCode: z.boolean().optional(),
    link: z.string().optional(),
  }),
)

const BlockSchema: z.ZodType<Block> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('heading'), level: z.int().min(1).max(6), runs: Runs }),
    z.object({ kind: z.literal('paragraph'), runs: Runs }),
    z.object({ kind: z.literal('quote'), blocks: z.array(BlockSchema) }),
    z.object({ kind: z.literal('code'), text: z.string(), language: z.string() }),
    z.object({
      kind: z.literal('list'),
      isOrdered: z.boolean(),
      start: z.int(),
      items: z.array(z.array(BlockSchema)),
    }),
    z.object({ kind: z.literal('table'), rows: z.array(z.array(Runs)) }),
    z.object({ kind: z.literal('rule') }),
    z.object({
      kind: z.literal('picture'),
      address: z.string(),
      text: z.string(),
      width: z.int().optional(),
      height: z.int().optional(),
    }),
  ]),
)

const Blocks = z.array(BlockSchema)

/** Throws for anything that `write-blocks.ts` can't have written. */
export const parseBlocks = (content: string): Block[] => Blocks.parse(JSON.parse(content))
