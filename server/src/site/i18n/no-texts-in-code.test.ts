// Whatever people read on a page is in the JSON files, so that it can be translated: no template of the site and no
// script that it sends to browsers has words of its own.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, type TemplateLiteral, Visitor } from 'oxc-parser'
import { expect, it } from 'vitest'

const SITE = join(import.meta.dirname, '..')

/** Stands for a value in a template. */
const HOLE = '\u{fffc}'
const ATTRIBUTE = /(?:^|\s)([a-z-]+)="([^"]*)"/g
const BOOLEAN_ATTRIBUTE = /^\s(?:async|autofocus|checked|hidden|open|required|selected)\b/
const READ_ATTRIBUTES = new Set(['title', 'alt', 'label', 'placeholder', 'aria-label', 'aria-description'])
/** Properties that the parts of pages show. */
const READ_PROPERTIES = new Set(
  'title label help placeholder caption heading legend intro text optional note textContent ariaLabel'.split(' '),
)
/** Parts of pages that show what they are given. */
const PARTS = new Set(['button', 'buttonLink', 'notice', 'statePage', 'dataTable'])

const WORD = /\p{L}{2}/u
const SENTENCE = /^\p{Lu}.*\p{L} \p{L}/u

/** Names, which are the same in every language. */
const NAMES = new Set([
  'UTC',
  'MCP:',
  '/mcp',
  'llms.txt',
  'TypeScript',
  'Python',
  'OpenStreetMap',
  'Open WebUI',
  'ms',
  'UTF-8',
])
/** What the reader would type, and the body of a picture that isn't there. */
const EXEMPT = new Set(['Eiffel Tower', 'No image.'])
/** Documents for programs, and what other programs call their own settings. */
const ENGLISH_FILES = new Set(['docs/program-lines.ts', 'docs/llms-txt.ts'])

const contentOf = ({ quasis }: TemplateLiteral): string => quasis.map(({ value }) => value.cooked ?? '').join(HOLE)

/** Words of a template outside its elements, and in attributes that are shown or read aloud. */
function wordsOfTemplate(template: TemplateLiteral): string[] {
  const markup = contentOf(template)
  const attributes = [...markup.matchAll(ATTRIBUTE)].filter(([, name = '']) => READ_ATTRIBUTES.has(name))
  const text = markup
    .replace(ATTRIBUTE, '')
    .replace(BOOLEAN_ATTRIBUTE, '')
    .replace(/<[^>]*>|&\w+;/g, HOLE)
  return [...text.split(HOLE), ...attributes.flatMap(([, , value = '']) => value.split(HOLE))].filter((part) =>
    WORD.test(part),
  )
}

function textsIn(file: string): string[] {
  const source = readFileSync(join(SITE, file), 'utf8')
  const texts: string[] = []
  const forPrograms = new Set<unknown>()
  const found = (...written: string[]) => texts.push(...written.map((text) => text.trim()))
  new Visitor({
    // Error pages have words of their own for these.
    NewExpression({ callee, arguments: [, detail] }) {
      if (callee.type === 'Identifier' && callee.name === 'Refusal') forPrograms.add(detail)
    },
    CallExpression({ callee, arguments: given }) {
      if (callee.type !== 'Identifier' || !PARTS.has(callee.name)) return
      const literals = given.map((argument) => argument.type === 'Literal' && argument.value)
      found(...literals.filter((value) => typeof value === 'string').filter((value) => /^\p{Lu}/u.test(value)))
    },
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type === 'Identifier' && tag.name === 'html') found(...wordsOfTemplate(quasi))
    },
    Property({ key, value }) {
      if (key.type !== 'Identifier' || !READ_PROPERTIES.has(key.name)) return
      if (value.type === 'Literal' && typeof value.value === 'string' && WORD.test(value.value)) found(value.value)
      if (value.type === 'TemplateLiteral')
        found(
          ...contentOf(value)
            .split(HOLE)
            .filter((part) => WORD.test(part)),
        )
    },
    Literal(literal) {
      const { value } = literal
      if (typeof value === 'string' && SENTENCE.test(value) && !forPrograms.has(literal)) found(value)
    },
  }).visit(parseSync(file, source).program)
  return texts.filter((text) => !NAMES.has(text) && !EXEMPT.has(text)).map((text) => `${file}: ${text}`)
}

it('no text stands in the code of a page', () => {
  const files = globSync(['**/*.ts', 'assets/*.js'], { cwd: SITE }).filter(
    (file) => !/\.test(?:-\w+)?\.ts$/.test(file) && !ENGLISH_FILES.has(file),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(files.sort().flatMap(textsIn)).toEqual([])
})
