// Reads the environment that settings come from: the process's variables, which override those in a file of
// `NAME=value` lines, named by `--env-file` or else `.env` in the working folder. The latter must belong to this user or
// root: a command that root runs in someone else's folder must not take its settings from there.
//
// Any setting can also come from a file, which is how containers and systemd pass secrets: BRAVE_API_KEY_FILE names the
// file that contains the BRAVE_API_KEY. The content of a file that isn't text, such as a picture, becomes a `data:` address.
import { isUtf8 } from 'node:buffer'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { codeOf } from '../errors.ts'

/** Something wrong with a setting. Never quotes a value. */
export interface Mistake {
  env: string
  /** A sentence that says what to write instead. */
  message: string
}

/** Adds mistakes to those that are reported together, in the order in which they are found. */
export type ReportMistakes = (...mistakes: Mistake[]) => void

const OPTION = '--env-file'
const DEFAULT_FILE = '.env'

/** `argv` excludes the name of the executable. */
export function readEnvironment(
  argv: readonly string[],
  processEnv: NodeJS.ProcessEnv,
): { env: NodeJS.ProcessEnv; mistakes: Mistake[] } {
  const envFile = envFileOption(argv)
  try {
    const text = envFile === undefined ? readOwn(DEFAULT_FILE) : readFileSync(envFile, 'utf8')
    if (text === undefined) return { env: processEnv, mistakes: [{ env: DEFAULT_FILE, message: SOMEONE_ELSES }] }
    return { env: { ...parseEnv(text), ...processEnv }, mistakes: [] }
  } catch (error) {
    const code = codeOf(error)
    if (envFile === undefined && code === 'ENOENT') return { env: processEnv, mistakes: [] }
    const message = `cannot be read (${code}).`
    return {
      env: processEnv,
      mistakes: [
        envFile === undefined ? { env: DEFAULT_FILE, message } : { env: OPTION, message: `${envFile} ${message}` },
      ],
    }
  }
}

const ROOT_UID = 0
const SOMEONE_ELSES = `in this folder belongs to another user, so it is not read. If you trust it, add ${OPTION} ${DEFAULT_FILE}.`

/** Undefined if the file is someone else's. */
function readOwn(path: string): string | undefined {
  const file = openSync(path, 'r')
  try {
    const { uid } = fstatSync(file)
    const isOwn = process.geteuid === undefined || uid === ROOT_UID || uid === process.geteuid()
    return isOwn ? readFileSync(file, 'utf8') : undefined
  } finally {
    closeSync(file)
  }
}

function envFileOption(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((argument) => argument === OPTION || argument.startsWith(`${OPTION}=`))
  const found = argv[at]
  if (found === undefined) return undefined
  return found === OPTION ? argv[at + 1] : found.slice(OPTION.length + 1)
}

export interface WrittenSettings {
  values: Record<string, string>
  /** The names of those that come from the database. */
  stored: ReadonlySet<string>
}

export interface EnvironmentSettings extends WrittenSettings {
  /** They are about the files that settings come from. What is wrong with the values isn't known yet. */
  mistakes: readonly Mistake[]
}

/** Adds settings from the database, where the environment sets none. */
export function addStored(written: WrittenSettings, stored: Readonly<Record<string, string>>): WrittenSettings {
  const added = Object.keys(stored).filter((name) => written.values[name] === undefined)
  return { values: { ...stored, ...written.values }, stored: new Set(added) }
}

/**
 * Collects the settings in an environment. Values are trimmed, and an empty value counts as not set: `FOO=` in an env
 * file is how people unset. Reads only the _FILE variables of settings that `isSetting` knows, because other programs
 * use that suffix too.
 */
export function readWritten(env: NodeJS.ProcessEnv, isSetting: (name: string) => boolean): EnvironmentSettings {
  const values: Record<string, string> = {}
  const mistakes: Mistake[] = []
  for (const [name, text] of Object.entries(env)) if (text?.trim() && isSetting(name)) values[name] = text.trim()
  for (const [variable, path] of Object.entries(env)) {
    const name = variable.replace(/_FILE$/, '')
    if (name === variable || !path?.trim() || !isSetting(name)) continue
    if (values[name] !== undefined) {
      mistakes.push({ env: variable, message: `is set, and so is ${name}. Remove one of the two.` })
      continue
    }
    try {
      const bytes = readFileSync(path.trim())
      const text = isUtf8(bytes) ? bytes.toString().trim() : `data:;base64,${bytes.toString('base64')}`
      if (text) values[name] = text
    } catch (error) {
      mistakes.push({ env: variable, message: `names a file that cannot be read (${codeOf(error)}).` })
    }
  }
  return { values, stored: new Set(), mistakes }
}
