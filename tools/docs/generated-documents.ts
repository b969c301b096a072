// Every document that is generated, whole or in part, by its path from the root. `npm run docs` writes them, and
// `server/test/generated-documents.test.ts` fails if one on the disk is another.
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { makeAnswersDocument } from './answers-document.ts'
import { makeCommandsDocument } from './commands-document.ts'
import { connectDocuments, connectTable } from './connect-documents.ts'
import { makeEngineDocumentSchema } from './engine-document-schema.ts'
import { makeEnginesDocument } from './engines-document.ts'
import { errorTable } from './errors-document.ts'
import { withFacts } from './facts.ts'
import { makeMetricsDocument } from './metrics-document.ts'
import { makeSettingsDocument } from './settings-document.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const PAGES = ['*.md', 'docs/**/*.md', 'sandbox/*.md', 'clients/*/*.md']
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8')

/** The page with this table between its two comments. */
function withTable(path: string, comment: string, table: string): string {
  const [before, rest = ''] = read(path).split(`<!-- ${comment} -->\n\n`)
  const end = rest.indexOf('\n\n<!-- end -->')
  if (end === -1) throw new Error(`${path} lacks the comments around its table, "${comment}" and "end".`)
  return `${before}<!-- ${comment} -->\n\n${table}${rest.slice(end)}`
}

export async function generateDocuments(): Promise<Map<string, string>> {
  const documents = new Map([
    ['docs/reference/answers.md', await makeAnswersDocument()],
    ['docs/reference/commands.md', makeCommandsDocument()],
    ['docs/reference/engine-document.schema.json', makeEngineDocumentSchema()],
    ['docs/reference/engines.md', makeEnginesDocument()],
    ['docs/reference/metrics.md', makeMetricsDocument()],
    ['docs/reference/settings.md', makeSettingsDocument()],
    ['docs/api/errors.md', withTable('docs/api/errors.md', 'codes: written by npm run docs', errorTable())],
    ['docs/connect/README.md', withTable('docs/connect/README.md', 'programs', connectTable())],
  ])
  for (const [name, text] of connectDocuments()) documents.set(`docs/connect/${name}`, text)
  for (const path of globSync(PAGES, { cwd: ROOT })) {
    const text = documents.get(path) ?? read(path)
    if (text.includes('<!-- fact') || text.includes('<!-- /fact')) documents.set(path, withFacts(path, text))
  }
  return documents
}
