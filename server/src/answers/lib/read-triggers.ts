// How an answer recognises its trigger: patterns by language, over the folded query. With a language asked for, its
// patterns count and the English ones; otherwise all do, in the order of the languages.
//
// A pattern is anchored at both ends and has bounded repeats only. What it takes from the query are its named groups;
// `read` makes something of them, or says `undefined`, and then the next pattern is tried: `hoy + 3 dias` has the form
// of an English sum, and only its words tell that it is Spanish.

import { LANGUAGES, type Language, type Question } from '../question.ts'

export type Triggers = Readonly<Partial<Record<Language, readonly RegExp[]>>>

/** What a pattern took out of the query; '' for a group that took no part. */
export type Parts = Readonly<Record<string, string>>

const ORDER: Readonly<Record<Language | '', readonly Language[]>> = {
  '': LANGUAGES,
  en: ['en'],
  fr: ['fr', 'en'],
  de: ['de', 'en'],
  es: ['es', 'en'],
  it: ['it', 'en'],
  pt: ['pt', 'en'],
  nl: ['nl', 'en'],
}

/** `language`, the one in which the answer is written, is the language asked for, else that of the trigger. */
export function readTriggers<Read extends object>(
  { folded, lang }: Question,
  triggers: Triggers,
  read: (parts: Parts, spoken: Language) => Read | undefined,
): (Read & { language: Language }) | null {
  const text = withoutMarks(folded)
  for (const spoken of ORDER[lang]) {
    for (const pattern of triggers[spoken] ?? []) {
      const found = pattern.exec(text)
      const meant = found && read(partsOf(found.groups), spoken)
      if (meant) return { ...meant, language: lang || spoken }
    }
  }
  return null
}

/** Every language that it may be in: `meteo milano` is French as well as Italian. One alone if it was asked for. */
export const languagesOf = ({ folded, lang }: Question, triggers: Triggers): Language[] => {
  if (lang !== '') return [lang]
  const text = withoutMarks(folded)
  return LANGUAGES.filter((language) => triggers[language]?.some((pattern) => pattern.test(text)))
}

/** Without the marks around a question or an exclamation, which mean nothing here. */
const withoutMarks = (text: string): string => text.replace(/^[¿¡ ]{1,5}/, '').replace(/[?!. ]{1,5}$/, '')

function partsOf(groups: Record<string, string | undefined> | undefined): Parts {
  const parts: Record<string, string> = {}
  for (const name in groups) parts[name] = groups[name]?.trim() ?? ''
  return parts
}
