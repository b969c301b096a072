// The format of an instant answer's table, and how it is checked. Each row is tried on all answers in order, like a real
// query, so a row that an earlier answer takes fails.
import type { AnswerStage, StageQuestion } from '../test/answer-stage.ts'
import type { Answer } from './answer.ts'

/** `lang` is a BCP 47 tag; omitted: none is requested. Client, zone and location are given only where they matter. */
type Asked = StageQuestion

export interface AnswerRow extends Asked {
  /** The exact text. */
  text?: string
  /** For random answers. Every row has `text` or `matches`. */
  matches?: RegExp
  /** Some of the other members, as serialized to JSON. */
  has?: Record<string, unknown>
}

export interface AnswerTable {
  answers: readonly AnswerRow[]
  /** Queries that this answer must leave alone; at least as many as the rows above. */
  silent: readonly (string | Asked)[]
}

/** Returns a line for each row that fails. */
export async function wrongRows(stage: AnswerStage, answer: Answer, table: AnswerTable): Promise<string[]> {
  const wrong: string[] = []
  for (const row of table.answers) {
    const fault = await outcome(stage, () => faultOf(stage, answer, row))
    if (fault !== undefined) wrong.push(`${named(row)}: ${fault}`)
  }
  for (const silent of table.silent) {
    const row = typeof silent === 'string' ? { q: silent } : silent
    const fault = await outcome(stage, async () => {
      const given = await stage.ask(row)
      return given?.answer.type === answer.slug ? `is answered: ${given.answer.text}` : undefined
    })
    if (fault !== undefined) wrong.push(`${named(row)} (silent): ${fault}`)
  }
  return wrong
}

const named = ({ q, lang, zone }: Asked): string => [q, lang && `[${lang}]`, zone].filter(Boolean).join(' ')

async function outcome(stage: AnswerStage, judge: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    const fault = await judge()
    const [bug] = stage.takeBugs()
    return bug === undefined ? fault : `has a bug: ${bug}`
  } catch (error) {
    return `threw ${String(error)}`
  }
}

async function faultOf(stage: AnswerStage, answer: Answer, row: AnswerRow): Promise<string | undefined> {
  const given = await stage.ask(row)
  if (!given) return 'is not answered'
  const { type, query, text, ...members } = JSON.parse(JSON.stringify(given.answer))
  if (type !== answer.slug) return `is answered by ${type}: ${text}`
  if (typeof text !== 'string' || text === '' || /[\r\n]/.test(text)) return `has a text that is not one line: ${text}`
  if (row.text === undefined && row.matches === undefined) return 'has neither text nor matches'
  if (row.text !== undefined && row.text !== text)
    return `says ${JSON.stringify(text)}, not ${JSON.stringify(row.text)}`
  if (row.matches && !row.matches.test(text)) return `says ${JSON.stringify(text)}, which is not like ${row.matches}`
  const judged = answer.reply.strict().safeParse(members)
  if (!judged.success) return `is not what its schema says: ${judged.error.message.replace(/\s+/g, ' ')}`
  return typeof query === 'string' ? missingMember(members, row.has ?? {}) : 'has no query'
}

function missingMember(members: Record<string, unknown>, wanted: Record<string, unknown>): string | undefined {
  for (const [name, value] of Object.entries(wanted)) {
    const [has, wants] = [JSON.stringify(members[name]), JSON.stringify(value)]
    if (has !== wants) return `has ${name} ${has}, not ${wants}`
  }
  return undefined
}
