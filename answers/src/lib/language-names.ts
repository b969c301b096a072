// Language names in seven languages: `french`, `Französisch`, `het frans`. Names come from Intl and are indexed on
// first use; German and Dutch have several forms.
import { fold, LANGUAGES, type Language } from '../question.ts'

/** Languages that translation backends are likely to support; the backend has the final say. */
const CODES =
  'af ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk kn ko ky lt lv mk ml mn mr ms mt nb ne nl no pa pl pt ro ru sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh'.split(
    ' ',
  )

const ALIASES: Readonly<Record<string, string>> = {
  mandarin: 'zh',
  mandarino: 'zh',
  castilian: 'es',
  castellano: 'es',
  filipino: 'tl',
  tagalog: 'tl',
  farsi: 'fa',
  flemish: 'nl',
  hollandais: 'nl',
  olandese: 'nl',
  'brazilian portuguese': 'pt',
}

let index: ReadonlyMap<string, string> | undefined

/** Returns the code of a language by its name, or `undefined`. `name` is folded. */
export function readLanguageName(name: string): string | undefined {
  index ??= indexNames()
  return index.get(name)
}

function indexNames(): ReadonlyMap<string, string> {
  const names = new Map(Object.entries(ALIASES))
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames(language, { type: 'language', fallback: 'none' })
    for (const code of CODES) {
      const name = fold(display.of(code) ?? '')
      if (name === '' || names.has(name)) continue
      names.set(name, code)
      // German also has `ins Französische`.
      if (language === 'de') names.set(`${name}e`, code)
    }
  }
  return names
}

export const languageName = (code: string, locale: Language): string =>
  new Intl.DisplayNames(locale, { type: 'language', fallback: 'code' }).of(code) ?? code
