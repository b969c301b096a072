// Checks .github/workflows with GitHub's own language service: keys, expressions, and references to jobs, steps and
// matrices that don't exist. Works offline, so it knows no action's inputs. A step of `npm run check`.
import { globSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'

// The service imports its JSON schemas in a way that bundlers allow and Node.js does not.
registerHooks({
  load: (url, context, nextLoad) =>
    url.includes('/@actions/') && url.endsWith('.json')
      ? nextLoad(url, { ...context, importAttributes: { type: 'json' } })
      : nextLoad(url, context),
})
const { validate } = await import('@actions/languageservice')
const { TextDocument } = await import('vscode-languageserver-textdocument')

const ROOT = resolve(import.meta.dirname, '..')

/** One line for each problem, by line. `file` is the workflow's path in the repository. */
export async function workflowProblems(file: string, text: string): Promise<string[]> {
  const document = TextDocument.create(`file:///${file}`, 'yaml', 1, text)
  const found = await validate(document)
  return found
    .sort((one, other) => one.range.start.line - other.range.start.line)
    .map(({ range, message }) => {
      const said = typeof message === 'string' ? message : message.value
      return `${file}:${range.start.line + 1}: ${said}`
    })
}

if (import.meta.main) {
  const files = globSync('.github/workflows/*.{yml,yaml}', { cwd: ROOT })
  const problems = await Promise.all(
    files.map((file) => workflowProblems(file, readFileSync(resolve(ROOT, file), 'utf8'))),
  )
  process.stdout.write(
    problems
      .flat()
      .map((line) => `${line}\n`)
      .join(''),
  )
  if (files.length === 0) process.stdout.write('There is no workflow to check.\n')
  process.exitCode = files.length > 0 && problems.flat().length === 0 ? 0 : 1
}
