// Members that the bodies of several compatible APIs have.
import { z } from 'zod'
import { isTooLong, MAX_DOMAINS, MAX_QUERY_LENGTH, readDomains } from '../search/read-filters.ts'

export const queryMember = z
  .string({ error: 'Send a query.' })
  .trim()
  .min(1, 'Send a query.')
  .refine((text) => !isTooLong(text), `Send at most ${MAX_QUERY_LENGTH} characters.`)

const DOMAINS = `Send at most ${MAX_DOMAINS} domains such as example.org.`

/** A body has room for thirty thousand values: they are counted before zod looks at each of them. */
const areDomains = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= MAX_DOMAINS && value.every((text) => typeof text === 'string')

/** A list, or one domain as a string. */
export const domainsMember = z
  .preprocess((value) => (typeof value === 'string' ? [value] : value), z.custom<string[]>(areDomains, DOMAINS))
  .transform((texts, context) => {
    const names = readDomains(texts)
    if (!names) context.addIssue({ code: 'custom', message: DOMAINS })
    return names?.length ? names : undefined
  })
  .optional()

/** Whether a value asks for nothing: false, or empty. */
export const isNothing = (value: unknown): boolean =>
  !value || (typeof value === 'object' && Object.keys(value).length === 0)

/** A filter that isn't offered is refused unless it filters nothing. */
export const notOfferedMember = z.unknown().refine(isNothing, 'This is not offered here. Leave it out.').optional()
