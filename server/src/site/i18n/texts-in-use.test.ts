// The compiler knows the names of the texts, and a wrong one is a type error, but not which of them have values. So the
// pages are read here: a text is given the values that one of its name has, and one with values is never shown bare.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Argument, type Expression, type ObjectExpression, parseSync, Visitor } from 'oxc-parser'
import { expect, it } from 'vitest'
import { argumentsOf } from './message-format.test-harness.ts'
import { readTexts, type TextTree } from './messages.ts'

const SITE = join(import.meta.dirname, '..')

/** A text under another name, and what is no text. */
const OTHERS = new Set(['label', 'version.lang', 'readPage'])

const namesOfValues = (text: string): string[] =>
  argumentsOf(text)
    .split(', ')
    .flatMap((value) => value.split(' ', 1))

/** `foundBy` → `engines`: the values of the texts of that name; '' for one without. */
const valuesByName = new Map<string, Set<string>>()
function collect(texts: TextTree): void {
  for (const [name, text] of Object.entries(texts)) {
    if (typeof text === 'object') collect(text)
    else valuesByName.set(name, (valuesByName.get(name) ?? new Set()).add([...new Set(namesOfValues(text))].join(' ')))
  }
}
collect(readTexts('en'))

const lastName = (expression: Expression): string => {
  if (expression.type === 'Identifier') return expression.name
  return expression.type === 'MemberExpression' && !expression.computed && 'name' in expression.property
    ? expression.property.name
    : ''
}

const keysOf = ({ properties }: ObjectExpression): string =>
  properties
    .map((property) => (property.type === 'Property' && property.key.type === 'Identifier' ? property.key.name : '…'))
    .sort()
    .join(' ')

function faultsIn(file: string): { faults: string[]; calls: number } {
  const source = readFileSync(join(SITE, file), 'utf8')
  const written = ({ start, end }: { start: number; end: number }) => source.slice(start, end)
  const faults: string[] = []
  let calls = 0
  new Visitor({
    CallExpression({ callee, arguments: [given, ...more] }) {
      const values = valuesByName.get(lastName(callee))
      if (!values || !isObject(given) || more.length > 0 || OTHERS.has(written(callee))) return
      if (values.size === 1 && values.has('')) return
      calls += 1
      if (!values.has(keysOf(given))) faults.push(`${file}: ${written(callee)}(${written(given)})`)
    },
    TemplateLiteral({ expressions }) {
      for (const expression of expressions) {
        const values = expression.type === 'MemberExpression' && valuesByName.get(lastName(expression))
        if (values && !values.has('') && !OTHERS.has(written(expression)))
          faults.push(`${file}: ${written(expression)}`)
      }
    },
  }).visit(parseSync(file, source).program)
  return { faults, calls }
}

const isObject = (argument: Argument | undefined): argument is ObjectExpression => argument?.type === 'ObjectExpression'

it('every text is used with its values', () => {
  const files = globSync('**/*.ts', { cwd: SITE }).filter((file) => !/\.test(?:-\w+)?\.ts$/.test(file))
  const found = files.sort().map(faultsIn)
  expect(found.flatMap(({ faults }) => faults)).toEqual([])
  expect(found.reduce((sum, { calls }) => sum + calls, 0)).toBeGreaterThan(200)
})
