// The operator's own engines: the documents in ENGINES_DIR, read once at start. A folder or a file that anybody may write to
// is refused, because a document decides which server gets the queries, and its own key.
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { DOCUMENTS } from '@bowerbird/engines/documents/all.ts'
import { engineFrom } from '@bowerbird/engines/documents/engine-from.ts'
import { MAX_DOCUMENT_BYTES, readDocument } from '@bowerbird/engines/documents/read-document.ts'
import type { Engine } from '@bowerbird/engines/engine.ts'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import type { Mistake } from '../config/environment.ts'

const ENV = 'ENGINES_DIR'
const WRITABLE_BY_ALL = 0o002
const MAX_FILES = 200

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
      const file = mistake === undefined ? engineIn(name, text, others) : { ok: false as const, mistakes: [mistake] }
      const clash = file.ok ? clashOf(file.engine, used, isInstanceSetting) : undefined
      if (!file.ok) for (const each of file.mistakes) refuse(each)
      else if (clash !== undefined) refuse(`${name}, line 1: ${clash}`)
      else {
        read.engines.push(file.engine)
        used.add(file.engine.slug)
      }
    }
  } catch (error) {
    refuse(`cannot be read (${codeOf(error)}).`)
  }
  return read
}

/** Settings are named after the slug. A document with another's would send that one's secret to its own address. */
function clashOf(
  { slug, settings }: Engine,
  used: ReadonlySet<string>,
  isInstanceSetting: (env: string) => boolean,
): string | undefined {
  if (used.has(slug)) return `there is another engine or data source called ${slug}.`
  const taken = Object.values(settings).find(({ env }) => isInstanceSetting(env))
  return taken && `its setting would be ${taken.env}, which is the instance's own. Choose another slug.`
}

/** One document, for a command. `used` are the slugs that it must not have. */
export function readEngineFile(
  path: string,
  used: ReadonlySet<string>,
  isInstanceSetting: (env: string) => boolean,
): ReadFile {
  const { text, mistake } = textOf(path)
  const file: ReadFile = mistake === undefined ? engineIn(path, text, DOCUMENTS) : { ok: false, mistakes: [mistake] }
  const clash = file.ok ? clashOf(file.engine, used, isInstanceSetting) : undefined
  return clash === undefined ? file : { ok: false, mistakes: [`${path}, line 1: ${clash}`] }
}

function engineIn(name: string, text: string, others: readonly unknown[]): ReadFile {
  const read = readDocument(text, others)
  if (read.ok) return { ok: true, engine: engineFrom(read.document) }
  return { ok: false, mistakes: read.mistakes.map(({ line, message }) => `${name}, line ${line}: ${message}.`) }
}

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

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
