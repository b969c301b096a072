// The name under which an engine's page is kept: a hash of the normalised query and of everything else that changes the
// answer. A hash because names are seen by whoever looks into Redis; a query is nobody's business.
//
// Queries that every engine understands alike share a name: case and white space do not count. Case does count beside an
// operator in capitals, because `cats OR dogs` and `cats or dogs` are two questions.
import { hash } from 'node:crypto'
import type { DateRange } from '../providers/engine.ts'
import type { PageOf } from './page-shape.ts'

/** Names pages of one type, which only the type checker sees. */
export type PageKey<Page> = string & { readonly pages?: Page }

interface KeyParts<Kind extends keyof PageOf> {
  tab: Kind
  text: string
  /** What is left out is what a completion has not got. */
  page?: number
  safe?: boolean
  date?: DateRange | undefined
  lang: string
}

const OPERATOR = /(?:^|[\s(])(?:OR|AND|NOT|NEAR)(?=[\s)]|$)/
/** 132 bits: enough that nobody finds two queries with one name. */
const KEY_LENGTH = 22

export function pageKey<Kind extends keyof PageOf>(parts: KeyParts<Kind>): PageKey<PageOf[Kind]> {
  const { tab, text, page = 0, safe = false, date = '', lang } = parts
  // The query holds no line break any more, so no two lists of parts make the same lines.
  const lines = `${tab}\n${page}\n${safe}\n${date}\n${normalised(text)}\n${lang.toLowerCase()}`
  return hash('sha256', lines, 'base64url').slice(0, KEY_LENGTH)
}

function normalised(text: string): string {
  const plain = text.normalize('NFC').trim().replace(/\s+/g, ' ')
  const lower = plain.toLowerCase()
  if (lower === plain || OPERATOR.test(plain)) return plain
  return lower.normalize('NFC')
}
