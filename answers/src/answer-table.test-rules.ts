// Reads the tables of the instant answers, `*.answers.txt`, and tries their rows. docs/contribute/add-an-answer.md describes
// the format. Each row is tried on all answers in order, like a real query, so a row that an earlier answer takes fails.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { AnswerStage, StageQuestion } from '../test/answer-stage.ts'
import type { Answer } from './answer.ts'

const ENDING = '.answers.txt'
const ARROW = ' → '

export interface AnswerRow {
  /** File and line, such as `answers/src/time/timer.answers.txt:12`. */
  place: string
  question: StageQuestion
  /** The exact text, or a pattern between slashes. Undefined in a row that must stay silent. */
  text: string | undefined
  /** Some of the other members, as serialized to JSON. */
  members: Record<string, unknown>
}

/** Returns the rows of every table, by the slug of its answer. */
export function readAnswerTables(): Map<string, AnswerRow[]> {
  const tables = new Map<string, AnswerRow[]>()
  for (const file of globSync(`**/*${ENDING}`, { cwd: import.meta.dirname })) {
    const content = readFileSync(join(import.meta.dirname, file), 'utf8')
    tables.set(basename(file, ENDING).replaceAll('-', '_'), parseTable(file, content))
  }
  return tables
}

function parseTable(file: string, content: string): AnswerRow[] {
  const rows: AnswerRow[] = []
  let isSilent = false
  for (const [index, line] of content.split('\n').entries()) {
    const place = `answers/src/${file}:${index + 1}`
    if (line === '' || line.startsWith('# ')) continue
    if (line === 'silent:') {
      isSilent = true
    } else if (line.startsWith('  {')) {
      Object.assign(rows.at(-1) ?? {}, { members: JSON.parse(line) })
    } else {
      const [question = '', ...rest] = line.split(ARROW)
      const text = rest.length > 0 ? rest.join(ARROW) : undefined
      if (isSilent !== (text === undefined))
        throw new Error(`${place}: a row is "query${ARROW}text", or silent: ${line}`)
      rows.push({ place, question: parseQuestion(question), text, members: {} })
    }
  }
  return rows
}

/** Reads `[de-CH zone=Europe/Zurich point=47.4,8.5 ip=8.8.8.8] query`, in which everything but the query may be missing. */
function parseQuestion(text: string): StageQuestion {
  const [, options = '', q = text] = /^\[([^\]]+)\] (.+)$/.exec(text) ?? []
  const question: StageQuestion = { q }
  for (const option of options.split(' ').filter(Boolean)) {
    const [name, value = ''] = option.split('=')
    if (value === '') question.lang = option
    else if (name === 'zone') question.zone = value
    else if (name === 'ip') question.client = { ip: value }
    else if (name === 'point') {
      const [latitude = Number.NaN, longitude = Number.NaN] = value.split(',').map(Number)
      question.point = { latitude, longitude }
    } else throw new Error(`unknown option ${option}: ${text}`)
  }
  return question
}

/** Returns a line for each row that fails. */
export async function findWrongRows(stage: AnswerStage, answer: Answer, rows: readonly AnswerRow[]): Promise<string[]> {
  const wrong: string[] = []
  for (const row of rows) {
    let fault: string | undefined
    try {
      fault = await findFault(stage, answer, row)
    } catch (error) {
      fault = `threw ${String(error)}`
    }
    const [bug] = stage.takeBugs()
    if (bug !== undefined) fault = `has a bug: ${bug}`
    if (fault !== undefined) wrong.push(`${row.place}: ${row.question.q}: ${fault}`)
  }
  return wrong
}

async function findFault(stage: AnswerStage, answer: Answer, row: AnswerRow): Promise<string | undefined> {
  const given = await stage.ask(row.question)
  if (row.text === undefined)
    return given?.answer.type === answer.slug ? `is answered: ${given.answer.text}` : undefined
  if (!given) return 'is not answered'
  const { type, query, text, ...members } = JSON.parse(JSON.stringify(given.answer))
  if (type !== answer.slug) return `is answered by ${type}: ${text}`
  if (typeof text !== 'string' || text === '' || /[\r\n]/.test(text)) return `has a text that is not one line: ${text}`
  const [, pattern] = /^\/(.+)\/$/.exec(row.text) ?? []
  const written = writeSpaces(text)
  if (pattern === undefined ? row.text !== written : !new RegExp(pattern).test(text))
    return `says ${written}, not ${row.text}`
  const judged = answer.reply.strict().safeParse(members)
  if (!judged.success) return `is not what its schema says: ${judged.error.message.replace(/\s+/g, ' ')}`
  if (typeof query !== 'string') return 'has no query'
  for (const [name, value] of Object.entries(row.members)) {
    const [has, wants] = [JSON.stringify(members[name]), JSON.stringify(value)]
    if (has !== wants) return `has ${name} ${has}, not ${wants}`
  }
  return undefined
}

/** Writes no-break spaces as `\u00a0` and `\u202f`, as the tables do: in a text of its own none can be told from a space. */
function writeSpaces(text: string): string {
  return text.replace(/[^\S ]/g, (space) => `\\u${space.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
