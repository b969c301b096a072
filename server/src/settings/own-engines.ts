// The operator's own engines: the documents in ENGINES_DIR, read once at start, and those that administrators have stored.
// A folder or a file that anybody may write to is refused, because a document decides which server gets the queries, and its
// own key.
//
// The settings of a stored document are stored, too, and never read from the environment: whoever chooses a slug would choose
// which variable of the process is sent to an address, and `postgres` has the POSTGRES_PASSWORD.
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { DOCUMENTS } from '@bowerbird/engines/documents/all.ts'
import { engineFrom } from '@bowerbird/engines/documents/engine-from.ts'
import { type LineMistake, MAX_DOCUMENT_BYTES, readDocument } from '@bowerbird/engines/documents/read-document.ts'
import type { Engine } from '@bowerbird/engines/engine.ts'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import type { Mistake } from '../config/environment.ts'
import { codeOf } from '../errors.ts'
import { settingsOf } from './provider-configuration.ts'

const ENV = 'ENGINES_DIR'
const WRITABLE_BY_ALL = 0o002
const MAX_FILES = 200
const MAX_STORED = 50

/** `mistakes` are sentences; each begins with the file and the line. */
export type ReadFile = { ok: true; engine: Engine } | { ok: false; mistakes: string[] }

interface OwnEngines {
  engines: Engine[]
  mistakes: Mistake[]
}

export function readOwnEngines(folder: string | undefined, isInstanceSetting: (env: string) => boolean): OwnEngines {
  const read: OwnEngines = { engines: [], mistakes: [] }
  if (folder === undefined) return read
  const refuse = (message: string) => void read.mistakes.push({ env: ENV, message })
  try {
    if ((statSync(folder).mode & WRITABLE_BY_ALL) !== 0)
      refuse('can be written to by every user. Run: chmod o-w on it.')
    const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    if (names.length > MAX_FILES) refuse(`has more than ${MAX_FILES} documents.`)
    const texts = names.slice(0, MAX_FILES).map((name) => ({ name, ...textOf(join(folder, name)) }))
    const others = [...DOCUMENTS, ...texts.flatMap(({ text }) => parsed(text))]
    const used = new Set([...ALL_ENGINES, ...ALL_SOURCES].map(({ slug }) => slug))
    for (const { name, text, mistake } of texts) {
      if (mistake !== undefined) {
        refuse(mistake)
        continue
      }
      const document = readEngineText(text, { others, used, isInstanceSetting })
      if (!document.ok) for (const each of document.mistakes) refuse(`${name}, ${sentenceOf(each)}`)
      else {
        read.engines.push(document.engine)
        used.add(document.engine.slug)
      }
    }
  } catch (error) {
    refuse(`cannot be read (${codeOf(error)}).`)
  }
  return read
}

const DOCUMENT_PREFIX = 'ENGINE_DOCUMENT_'

/** Whether a setting is the document of an engine: `ENGINE_DOCUMENT_NOTES` is that of `notes`. */
export const isDocumentSetting = (name: string): boolean => /^ENGINE_DOCUMENT_[A-Z][A-Z\d]{1,30}$/.test(name)
export const documentSettingOf = (slug: string): string => DOCUMENT_PREFIX + slug.toUpperCase()
export const slugOfDocument = (name: string): string => name.slice(DOCUMENT_PREFIX.length).toLowerCase()

/** The engines whose documents are among stored settings. `known` are all others. */
export function readStoredEngines(
  stored: Readonly<Record<string, string>>,
  known: readonly Engine[],
  isInstanceSetting: (env: string) => boolean,
): OwnEngines {
  const read: OwnEngines = { engines: [], mistakes: [] }
  const used = slugsOf(known)
  const names = Object.keys(stored).filter(isDocumentSetting).toSorted()
  const [surplus] = names.slice(MAX_STORED)
  if (surplus) read.mistakes.push({ env: surplus, message: `is one too many: there can be ${MAX_STORED} documents.` })
  for (const env of names.slice(0, MAX_STORED)) {
    const document = readEngineText(stored[env] ?? '', { others: DOCUMENTS, used, isInstanceSetting })
    const refuse = (message: string) => void read.mistakes.push({ env, message })
    if (!document.ok) for (const each of document.mistakes) refuse(sentenceOf(each))
    else if (documentSettingOf(document.engine.slug) !== env) refuse(`is the document of ${document.engine.slug}.`)
    else {
      read.engines.push(document.engine)
      used.add(document.engine.slug)
    }
  }
  return read
}

/** The slugs that a new engine must not have. */
const slugsOf = (engines: readonly Engine[]): Set<string> =>
  new Set([...engines, ...ALL_SOURCES].map(({ slug }) => slug))

/** Settings are named after the slug. A document with another's would send that one's secret to its own address. */
function clashOf(
  { slug, settings }: Engine,
  used: ReadonlySet<string>,
  isInstanceSetting: (env: string) => boolean,
): string | undefined {
  if (used.has(slug)) return `there is another engine or data source called ${slug}`
  const names = Object.values(settings).map(({ env }) => env)
  const own = names.find(isInstanceSetting)
  if (own !== undefined) return `its setting would be ${own}, which is the instance's own. Choose another slug`
  const taken = settingsOf([...ALL_ENGINES, ...ALL_SOURCES].filter((provider) => provider.slug !== slug))
  const others = names.find((env) => taken.has(env))
  return others && `its setting would be ${others}, which another provider has. Choose another slug`
}

/** One document, for a command. `used` are the slugs that it must not have. */
export function readEngineFile(
  path: string,
  used: ReadonlySet<string>,
  isInstanceSetting: (env: string) => boolean,
): ReadFile {
  const { text, mistake } = textOf(path)
  if (mistake !== undefined) return { ok: false, mistakes: [mistake] }
  const document = readEngineText(text, { others: DOCUMENTS, used, isInstanceSetting })
  if (document.ok) return document
  return { ok: false, mistakes: document.mistakes.map((each) => `${path}, ${sentenceOf(each)}`) }
}

interface Surroundings {
  /** The documents that it may extend. */
  others: readonly unknown[]
  /** The slugs that it must not have. */
  used: ReadonlySet<string>
  isInstanceSetting: (env: string) => boolean
}

function readEngineText(
  text: string,
  { others, used, isInstanceSetting }: Surroundings,
): { ok: true; engine: Engine } | { ok: false; mistakes: LineMistake[] } {
  const read = readDocument(text, others)
  if (!read.ok) return read
  const engine = engineFrom(read.document)
  const clash = clashOf(engine, used, isInstanceSetting)
  return clash === undefined ? { ok: true, engine } : { ok: false, mistakes: [{ line: 1, message: clash }] }
}

const sentenceOf = ({ line, message }: LineMistake): string => `line ${line}: ${message}.`

/** Doesn't wait for a pipe, and looks only at the file that it has opened. */
function textOf(path: string): { text: string; mistake?: string } {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = fstatSync(file)
    if (!stat.isFile()) return { text: '', mistake: `${path} is not a file.` }
    if ((stat.mode & WRITABLE_BY_ALL) !== 0) return { text: '', mistake: `${path} can be written to by every user.` }
    if (stat.size > MAX_DOCUMENT_BYTES) return { text: '', mistake: `${path} is larger than 64 kB.` }
    return { text: readFileSync(file, 'utf8') }
  } catch (error) {
    return { text: '', mistake: `${path} cannot be read (${codeOf(error)}).` }
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** What others may extend; a text that isn't JSON is reported where it is read. */
function parsed(text: string): unknown[] {
  const read = text === '' ? { ok: false } : readDocument(text, [])
  return 'document' in read ? [read.document] : []
}
