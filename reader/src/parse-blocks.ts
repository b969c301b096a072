// Parses the blocks of a page that was read as `blocks`. They come from a cache that other nodes write, so they are
// validated.
import { z } from 'zod'
import type { Block } from './blocks.ts'

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
