// A paper as a BibTeX entry. Title, names and journal are other people's text, and BibTeX counts braces even after a
// backslash, so none of theirs may stay: all that means something to BibTeX or LaTeX is written as a command.
import type { Paper } from '@bowerbird/engines/engine.ts'

const COMMANDS: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
}

const written = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/[\\{}~^&%$#_]/g, (character) => COMMANDS[character] ?? `\\${character}`)

/** Addresses are written as they are, for `\url`; braces have no place in one. */
const address = (text: string): string => text.replace(/[\s{}\\]/g, encodeURIComponent)

/** In braces, a name is one: `and` would begin another, and a second comma makes no sense. */
const nameOf = (name: string): string => {
  const text = written(name)
  return /\band\b|^others$|,.*,/i.test(text) ? `{${text}}` : text
}

const letters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase()
    .slice(0, 20)

/** `lovelace2026heat`: the first author's family name, the year, and the first long word of the title. */
function keyOf(title: string, { authors: [author = ''] = [], year }: Paper): string {
  const family = author.includes(',') ? author.split(',', 1)[0] : author.split(' ').at(-1)
  const words = title.split(/[\s-]+/).map(letters)
  const word = words.find(({ length }) => length > 3) ?? words.find(Boolean) ?? ''
  return `${letters(family ?? '')}${year ?? ''}${word}` || 'paper'
}

export function bibtexOf({ title, url, paper }: { title: string; url: string; paper: Paper }): string {
  const { authors = [], authorCount = 0, venue = '', year, doi = '' } = paper
  const names = authors.map(nameOf).filter(Boolean)
  if (authorCount > authors.length) names.push('others')
  const fields = {
    author: names.join(' and '),
    title: written(title),
    journal: written(venue),
    year: String(year ?? ''),
    doi: address(doi),
    url: doi === '' ? address(url) : '',
  }
  const lines = Object.entries(fields).flatMap(([name, value]) => (value === '' ? [] : `  ${name} = {${value}}`))
  return `@${venue === '' ? 'misc' : 'article'}{${keyOf(title, paper)},\n${lines.join(',\n')}\n}`
}
