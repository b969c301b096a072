// Matches an answer's trigger patterns, by language, against the folded query. If a language was requested, its
// patterns and the English ones apply; otherwise all do, in the order of the languages.
//
// A pattern is anchored at both ends, and its repeats are bounded where possible. Its named groups are passed to
// `read`, which parses them or returns `undefined`; then the next pattern is tried: `hoy + 3 dias` has the form of an
// English sum, and only its words show that it is Spanish.
//
// An answer with too many phrases for patterns looks them up by their first word instead (`indexByFirstWord`).

import { LANGUAGES, type Language, type Question } from '../question.ts'

export type Triggers = Readonly<Partial<Record<Language, readonly RegExp[]>>>

/** The named groups of a match; '' for a group that didn't participate. */
export type Parts = Readonly<Record<string, string>>

/** `language`, in which the answer is written, is the requested language, else that of the trigger. */
export function readTriggers<Read extends object>(
  { folded, lang }: Question,
  triggers: Triggers,
  read: (parts: Parts, spoken: Language) => Read | undefined,
): (Read & { language: Language }) | null {
  const text = withoutMarks(folded)
  for (const spoken of lang === '' ? LANGUAGES : new Set([lang, 'en' as const])) {
    for (const pattern of triggers[spoken] ?? []) {
      const found = pattern.exec(text)
      const parsed = found && read(partsOf(found.groups), spoken)
      if (parsed) return { ...parsed, language: lang || spoken }
    }
  }
  return null
}

/** Every language the query may be in: `meteo milano` is French as well as Italian. Only the requested one, if any. */
export const languagesOf = ({ folded, lang }: Question, triggers: Triggers): Language[] => {
  if (lang !== '') return [lang]
  const text = withoutMarks(folded)
  return LANGUAGES.filter((language) => triggers[language]?.some((pattern) => pattern.test(text)))
}

/** Strips the marks around a question or an exclamation, which don't matter here. */
const withoutMarks = (text: string): string => text.replace(/^[¿¡ ]{1,5}/, '').replace(/[?!. ]{1,5}$/, '')

function partsOf(groups: Record<string, string | undefined> | undefined): Parts {
  const parts: Record<string, string> = {}
  for (const name in groups) parts[name] = groups[name]?.trim() ?? ''
  return parts
}

/** A phrase that several languages may share. */
export interface Phrase {
  text: string
  languages: Language[]
}

/** If a language was requested, its phrases and the English ones apply; otherwise all do. */
export const isSpoken = ({ languages }: Phrase, lang: Language | ''): boolean =>
  lang === '' || languages.includes(lang) || languages.includes('en')

/** Indexes phrases by their first word, the longest first. Merges the languages of those that are the same. */
export function indexByFirstWord<Entry extends Phrase>(
  phrases: readonly Entry[],
  isSame: (one: Entry, other: Entry) => boolean = (one, other) => one.text === other.text,
): ReadonlyMap<string, readonly Entry[]> {
  const index = new Map<string, Entry[]>()
  for (const phrase of phrases) {
    const [first = ''] = phrase.text.split(' ')
    const same = index.get(first) ?? []
    const twin = same.find((other) => isSame(phrase, other))
    if (twin) twin.languages.push(...phrase.languages)
    else same.push(phrase)
    index.set(first, same)
  }
  for (const same of index.values()) same.sort((left, right) => right.text.length - left.text.length)
  return index
}
