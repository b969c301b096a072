// What a text asks for, by the parser of FormatJS.
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'

/** The names of its values and what each is used as, in order: `count plural, name argument`. */
export const argumentsOf = (text: string): string =>
  [...new Set(parse(text, { ignoreTag: true }).flatMap(namesIn))].sort().join(', ')

/** Whether a value is counted is up to the language; that it is a number is not. */
function namesIn(element: MessageFormatElement): string[] {
  if (element.type === TYPE.plural || element.type === TYPE.select) {
    const kind = element.type === TYPE.plural ? 'number' : 'string'
    const inside = Object.values(element.options).flatMap(({ value }) => value.flatMap(namesIn))
    return [`${element.value} ${kind}`, ...inside]
  }
  if (element.type === TYPE.number) return [`${element.value} number`]
  return element.type === TYPE.argument ? [`${element.value} string`] : []
}

/** The forms of every plural in it, at any depth. */
export const pluralsIn = (text: string): { forms: string[]; type: Intl.PluralRuleType }[] =>
  parse(text, { ignoreTag: true }).flatMap(pluralsOf)

function pluralsOf(element: MessageFormatElement): ReturnType<typeof pluralsIn> {
  if (element.type !== TYPE.plural && element.type !== TYPE.select) return []
  const inside = Object.values(element.options).flatMap(({ value }) => value.flatMap(pluralsOf))
  if (element.type === TYPE.select) return inside
  return [{ forms: Object.keys(element.options), type: element.pluralType ?? 'cardinal' }, ...inside]
}
