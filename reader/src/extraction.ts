// What comes back from the process that extracts pages. A page may have taken that process over, so its replies are
// checked like any other input.
import { z } from 'zod'
import { MAX_LINKS } from './extracted-page.ts'

const UNREADABLE_REASONS = ['too_large', 'too_complex', 'not_text', 'no_content'] as const

export const ExtractedPageSchema = z.object({
  type: z.enum(['html', 'pdf', 'json', 'text']),
  title: z.string(),
  byline: z.string(),
  siteName: z.string(),
  language: z.string(),
  published: z.string(),
  content: z.string(),
  sections: z.array(z.object({ heading: z.string(), level: z.int(), text: z.string() })).optional(),
  links: z.array(z.string()).max(MAX_LINKS).optional(),
})

const PageExtractionSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), page: ExtractedPageSchema }),
  z.object({ ok: z.literal(false), reason: z.enum(UNREADABLE_REASONS) }),
])
export type PageExtraction = z.output<typeof PageExtractionSchema>

/** undefined: not a reply that our own code writes. */
export function parseExtraction(line: string): PageExtraction | undefined {
  try {
    return PageExtractionSchema.safeParse(JSON.parse(line)).data
  } catch {
    // Not JSON.
    return undefined
  }
}
