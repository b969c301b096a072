// The ordinary searches, each with the language of its section.
import { readFileSync } from 'node:fs'
import type { Language } from './question.ts'

export interface OrdinaryQuery {
  q: string
  lang: Language
}

const HEADINGS: Readonly<Record<string, Language>> = {
  English: 'en',
  French: 'fr',
  German: 'de',
  Spanish: 'es',
  Italian: 'it',
  Portuguese: 'pt',
  Dutch: 'nl',
}

const linesOf = (file: string): string[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')

export function readOrdinaryQueries(): OrdinaryQuery[] {
  const queries: OrdinaryQuery[] = []
  let lang: Language = 'en'
  for (const line of linesOf('ordinary-queries.txt')) {
    if (line.startsWith('# ')) lang = HEADINGS[/^# (\w+)/.exec(line)?.[1] ?? ''] ?? lang
    else queries.push({ q: line, lang })
  }
  return queries
}

/** The exceptions that may be answered: query, type of answer and reason, separated by tabs. */
export const readJustified = (): { q: string; type: string; why: string }[] =>
  linesOf('ordinary-queries-answered.txt')
    .filter((line) => !line.startsWith('# '))
    .map((line) => {
      const [q = '', type = '', why = ''] = line.split('\t')
      return { q, type, why }
    })
