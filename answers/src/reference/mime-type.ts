// Media types: `mime type of pdf`, `.webp mime type`, `mime type application/json`. `mime artist`, `mime type sniffing`
// and a bare `text/html` are ordinary searches and stay unanswered.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'

const TYPE = '[a-z]{4,11}/[a-z\\d][a-z\\d.+-]{0,80}'
const WHAT = `(\\.?[a-z\\d][a-z\\d_+-]{0,14}|${TYPE})`
const NAME = '(?:mime|media|content)[- ]?types?'
const TYPE_OF = new RegExp(`^(?:what is )?(?:the )?${NAME} (?:(?:of|for) )?(?:an? )?${WHAT}(?: files?)?\\??$`)
const AFTER = new RegExp(`^${WHAT} (?:file )?${NAME}$`)
const SHORT = /^mime (\.[a-z\d]{2,14})$/
const EXTENSION_OF = new RegExp(`^(?:what is )?(?:the )?(?:file )?extension (?:of|for) (${TYPE})$`)
/** Extensions that are also words used with media types. */
const WORDS = new Set(['list', 'def', 'in', 'log', 'text', 'class', 'so', 'es', 'it', 'ac', 'pre', 'of', 'for', 'see'])

export const mimeType = defineAnswer({
  slug: 'mime_type',
  title: 'Media type',
  summary: 'The media (MIME) type for a file extension, and the extensions for a media type.',
  examples: [{ q: 'mime type of pdf' }, { q: '.webp mime type' }, { q: 'mime type application/json' }],
  reply: z.object({
    types: z.array(z.string()).describe('The usual one first.'),
    extensions: z.array(z.string()).describe('Of the first type, the usual one first.'),
  }),
  match({ folded }) {
    if (!/type|extension|^mime \./.test(folded)) return null
    const wanted = (TYPE_OF.exec(folded) ?? AFTER.exec(folded) ?? EXTENSION_OF.exec(folded) ?? SHORT.exec(folded))?.[1]
    return wanted === undefined || WORDS.has(wanted) ? null : { wanted }
  },
  async answer({ wanted }) {
    const { default: database } = await import('mime-db')
    if (wanted.includes('/')) {
      const entry = Object.hasOwn(database, wanted) ? database[wanted] : undefined
      if (!entry) return null
      const extensions = [...(entry.extensions ?? [])]
      const files = extensions.map((extension) => `.${extension}`).join(', ')
      return { text: `${wanted}: ${files || 'a registered type without an extension'}`, types: [wanted], extensions }
    }
    byExtension ??= indexByExtension(database)
    const extension = wanted.replace(/^\./, '')
    const types = byExtension.get(extension)
    if (types?.[0] === undefined) return null
    return {
      text: `.${extension}: ${types.join(', ')}`,
      types,
      extensions: [...(database[types[0]]?.extensions ?? [])],
    }
  },
})

type MimeDatabase = typeof import('mime-db')['default']

/** Built on first use: there are 2,500 types. */
let byExtension: Map<string, string[]> | undefined

function indexByExtension(database: MimeDatabase): Map<string, string[]> {
  const index = new Map<string, string[]>()
  for (const [type, { extensions = [] }] of Object.entries(database)) {
    for (const extension of extensions) index.set(extension, [...(index.get(extension) ?? []), type])
  }
  /** Higher is better: a preferred type, then one registered with IANA, then one whose main extension this is. */
  const rankOf = (type: string, extension: string): number => {
    const { source, extensions } = database[type] ?? {}
    return (PREFERRED.has(type) ? 4 : 0) + (source === 'iana' ? 2 : 0) + (extensions?.[0] === extension ? 1 : 0)
  }
  for (const [extension, types] of index) {
    types.sort((one, other) => rankOf(other, extension) - rankOf(one, extension))
  }
  return index
}

/** Where two types are registered, the one that current standards recommend. */
const PREFERRED = new Set(['text/javascript', 'audio/mpeg', 'application/xml', 'video/mp4', 'audio/mp4', 'font/ttf'])
