// A cron expression in words, with its next runs: `cron */5 * * * *`, `0 9 * * 1-5`, `crontab @daily`. A bare
// expression has five or six fields without names of days or months, and at least one star. Must not
// answer: `cron job not running`, `1 2 3 4 5`, `5 * 5`. Names need a trigger such as `cron`.
import { createRequire } from 'node:module'
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { dateLocale, writeDate } from '../lib/dates.ts'

const NEXT_RUNS = 3
const FIELD = '[\\d*/,L#W?-]{1,30}'
const WORDY_FIELD = '[\\da-z*/,#?-]{1,30}'
const BARE = new RegExp(`^(${FIELD}(?: ${FIELD}){4,5})(?: (?:cron|crontab|cron expression|meaning))?$`)
const TRIGGERED = new RegExp(
  `^(?:(?:what does |explain |next run )?(?:cron expression|cron schedule|cron job|cron|crontab|cronjob|cron-ausdruck|expression cron|expresion cron)[: ]|what does |explain )(${WORDY_FIELD}(?: ${WORDY_FIELD}){4,5}?|@(?:yearly|annually|monthly|weekly|daily|midnight|hourly))(?: mean(?: in cron)?)?$`,
)
const MAX_QUERY_LENGTH = 120
/** `2 * 3 * 4` is a product. */
const PRODUCT = /^\d{1,9} \* \d{1,9} \* \d/
const NICKNAMES: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

export const cron = defineAnswer({
  slug: 'cron',
  title: 'Cron expression',
  summary: 'What a cron expression means, and when it runs next (UTC).',
  examples: [{ q: 'cron */5 * * * *' }, { q: '0 9 * * 1-5' }, { q: 'cron 30 4 1 jan,jul *', lang: 'de' }],
  reply: z.object({
    expression: z.string(),
    description: z.string(),
    next_runs: z.array(z.string()).describe('In UTC; empty when it never runs'),
  }),
  match({ folded }): { expression: string } | null {
    if (folded.length > MAX_QUERY_LENGTH || !/[*@]/.test(folded)) return null
    const bare = PRODUCT.test(folded) ? undefined : BARE.exec(folded)?.[1]
    const expression = bare ?? TRIGGERED.exec(folded)?.[1]
    return expression === undefined ? null : { expression: NICKNAMES[expression] ?? expression.toUpperCase() }
  },
  async answer({ expression }, { question, now }) {
    const description = describe(expression, question.lang || 'en')
    const next = description === undefined ? undefined : await nextRuns(expression, now)
    if (description === undefined || !next) return null
    const locale = dateLocale(question, question.lang || 'en')
    const [first] = next
    const nextRun =
      first &&
      ` → ${writeDate(first.slice(0, 10), 'full', locale)}, ${writeDate(first.slice(0, 19), 'clock', locale)} UTC`
    return { text: `${expression}: ${description}${nextRun ?? ''}`, expression, description, next_runs: next }
  },
})

interface Cronstrue {
  toString(expression: string, options: { locale: string; use24HourTimeFormat: boolean }): string
}

const require = createRequire(import.meta.url)

/** `undefined`: not a cron expression after all. */
function describe(expression: string, language: string): string | undefined {
  // The package is CommonJS. The default export of an `import` differs between environments; `require` returns the same
  // everywhere.
  const cronstrue: Cronstrue = require('cronstrue/i18n.js')
  try {
    return cronstrue.toString(expression, { locale: language === 'pt' ? 'pt_PT' : language, use24HourTimeFormat: true })
  } catch {
    // It throws a string for anything it can't read.
    return undefined
  }
}

async function nextRuns(expression: string, now: number): Promise<string[] | undefined> {
  const { Cron } = await import('croner')
  try {
    const job = new Cron(expression, { timezone: 'UTC', paused: true })
    return job.nextRuns(NEXT_RUNS, new Date(now)).map((run) => `${run.toISOString().slice(0, 19)}Z`)
  } catch {
    // croner is stricter than cronstrue about the contents of a field.
    return undefined
  }
}
