// `node tools/count-tokens.ts [folder]`: how much code there is, in tokens of the TypeScript scanner, which neither long
// lines nor comments change. Source and tests apart, by top folder. A file is a test if its name has `.test.` or
// `.test-`, or if a folder above it is `test`.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SyntaxKind } from 'typescript/unstable/ast'
import { createScanner } from 'typescript/unstable/ast/scanner'

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'))
const CODE = /\.(?:ts|js|mjs|cjs)$/
const TEST = /\.test[.-]|(?:^|\/)test\//

/** After one of these a slash divides; after anything else it begins a regular expression. */
const OPERANDS = new Set<SyntaxKind>([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
])

function countTokens(text: string): number {
  const scanner = createScanner(true)
  scanner.setText(text)
  /** For each open brace, whether it is the beginning of a value in a template. */
  const braces: boolean[] = []
  let [count, previous] = [0, SyntaxKind.Unknown]
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFile; kind = scanner.scan()) {
    if (kind === SyntaxKind.SlashToken && !OPERANDS.has(previous)) kind = scanner.reScanSlashToken()
    if (kind === SyntaxKind.CloseBraceToken && braces.pop()) kind = scanner.reScanTemplateToken(false)
    if (kind === SyntaxKind.OpenBraceToken) braces.push(false)
    if (kind === SyntaxKind.TemplateHead || kind === SyntaxKind.TemplateMiddle) braces.push(true)
    count += 1
    previous = kind
  }
  return count
}

const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
const counts = new Map<string, { source: number; tests: number }>()
for (const file of files.filter((name) => CODE.test(name))) {
  const folder = file.split('/', 1)[0] ?? ''
  const count = counts.get(folder) ?? { source: 0, tests: 0 }
  count[TEST.test(file) ? 'tests' : 'source'] += countTokens(readFileSync(join(root, file), 'utf8'))
  counts.set(folder, count)
}

const print = (name: string, { source, tests }: { source: number; tests: number }) =>
  process.stdout.write(`${name.padEnd(12)}${String(source).padStart(10)}${String(tests).padStart(10)}\n`)
process.stdout.write(`${''.padEnd(12)}${'source'.padStart(10)}${'tests'.padStart(10)}\n`)
for (const [folder, count] of counts) print(folder, count)
const all = [...counts.values()]
const sum = (kind: 'source' | 'tests') => all.reduce((total, count) => total + count[kind], 0)
print('all', { source: sum('source'), tests: sum('tests') })
