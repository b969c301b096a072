// The environment that settings are read from: the process's own, and below it a file of `NAME=value` lines. The file is
// the one that `--env-file` names, or else `.env` in the working folder if there is one.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { Mistake } from './reading.ts'

const OPTION = '--env-file'
const USUAL_FILE = '.env'

export interface ReadEnvironment {
  env: NodeJS.ProcessEnv
  /** The file, if it cannot be read. */
  mistakes: Mistake[]
}

/** `argv` is everything after the name of the command. */
export function readEnvironment(argv: readonly string[], own: NodeJS.ProcessEnv): ReadEnvironment {
  const named = namedFile(argv)
  try {
    return { env: { ...parseEnv(readFileSync(named ?? USUAL_FILE, 'utf8')), ...own }, mistakes: [] }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (named === undefined && code === 'ENOENT') return { env: own, mistakes: [] }
    const message = `cannot be read (${code}).`
    return {
      env: own,
      mistakes: [named === undefined ? { env: USUAL_FILE, message } : { env: OPTION, message: `${named} ${message}` }],
    }
  }
}

function namedFile(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((argument) => argument === OPTION || argument.startsWith(`${OPTION}=`))
  const found = argv[at]
  if (found === undefined) return undefined
  return found === OPTION ? argv[at + 1] : found.slice(OPTION.length + 1)
}
