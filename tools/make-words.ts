// Writes the type of the website's texts (`server/src/site/i18n/words.ts`) from the English ones: `npm run docs`. A text
// with values is a function of them: a number where the text counts it or writes it as one, otherwise a string too.
// With --check, only says whether the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { hasValues, readTexts, type TextTree } from '../server/src/site/i18n/messages.ts'

const FILE = new URL('../server/src/site/i18n/words.ts', import.meta.url)
/** Looked up by names that come from elsewhere, of which some may have no text. */
const OPEN = new Set([
  'answers.credits',
  'answers.members',
  'answers.partsOfSpeech',
  'maps.kinds',
  'services.fields',
  'services.secrets',
  'settings.usage.kinds',
  'settings.usage.windows',
  'status.advice',
  'status.groups',
  'status.troubles',
])

const nameOf = (area: string): string => `${area.charAt(0).toUpperCase()}${area.slice(1)}Words`
const quoted = (name: string): string => (/^[\w$]+$/.test(name) ? name : `'${name}'`)

function typeOf(value: string | TextTree, path: string): string {
  if (typeof value === 'string') return hasValues(value) ? `(values: { ${argumentsOf(value)} }) => string` : 'string'
  if (OPEN.has(path)) return `Readonly<Record<string, ${typeOf(Object.values(value)[0] ?? '', `${path}.*`)}>>`
  const members = Object.entries(value).map(([name, part]) => `${quoted(name)}: ${typeOf(part, `${path}.${name}`)}`)
  return `{\n${members.join('\n')}\n}`
}

function argumentsOf(text: string): string {
  const types = new Map<string, string>()
  for (const [, name = '', kind] of text.matchAll(/\{(\w+)\s*(?:,\s*(\w+)|\})/g))
    types.set(name, kind === undefined || kind === 'select' ? (types.get(name) ?? 'string | number') : 'number')
  return [...types].map(([name, type]) => `${name}: ${type}`).join('; ')
}

const english = readTexts('en')
const areas = Object.entries(english).map(([area, texts]) => `export type ${nameOf(area)} = ${typeOf(texts, area)}\n`)
const all = Object.keys(english).map((area) => `${area}: ${nameOf(area)}`)
const source = `// Generated from en/*.json by \`npm run docs\`; not edited by hand.\n\n${areas.join('\n')}\nexport interface Words {\n${all.join('\n')}\n}\n`
const written = indented(source)
if (process.argv.includes('--check')) {
  if (readFileSync(FILE, 'utf8') !== written) {
    process.stderr.write('server/src/site/i18n/words.ts is out of date: run npm run docs.\n')
    process.exitCode = 1
  }
} else writeFileSync(FILE, written)

function indented(lines: string): string {
  let depth = 0
  return lines.replaceAll(/^.*$/gm, (line) => {
    if (line.startsWith('}')) depth -= 1
    const out = line === '' ? '' : '  '.repeat(depth) + line
    if (line.endsWith('{')) depth += 1
    return out
  })
}
