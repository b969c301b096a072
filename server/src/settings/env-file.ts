// Stored settings as a file of NAME=value lines, which `--env-file` reads.
import { isDocumentSetting, slugOfDocument } from './own-engines.ts'

/** `hidden`: the names of secrets that are set and not shown. */
export function envFileOf(values: Readonly<Record<string, string>>, hidden: readonly string[]): string {
  const documents = Object.entries(values).filter(([name]) => isDocumentSetting(name))
  const others = Object.entries(values).filter(([name]) => !isDocumentSetting(name))
  const lines = [
    ...others.map(([name, value]) => `${name}=${quote(value)}`),
    ...hidden.map((name) => `# ${name} is set, not shown`),
    ...documents.flatMap(([name, text]) => documentLines(name, text)),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** The environment has documents as files: these lines are comments, and the second is the content of one. */
const documentLines = (name: string, text: string): string[] => [
  `# ${name}: put this into ENGINES_DIR as ${slugOfDocument(name)}.json, without the #`,
  `# ${JSON.stringify(JSON.parse(text))}`,
]

/** As `parseEnv` of Node.js reads it. Only what needs quotes gets them, because some readers keep them. */
function quote(value: string): string {
  if (!/[#'"\\\n]/.test(value)) return value
  // No stored value contains a backtick.
  const mark = value.includes("'") ? '`' : "'"
  return mark + value + mark
}
