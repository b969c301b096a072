// `bowerbird calibrate`: graded searches decide how much each engine counts. The same as Administration → Ranking, in a
// terminal. Grading takes one key for each result and needs a terminal; everything else can be piped.
import { text as readAll } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { Refusal } from '../errors.ts'
import type { BlindResult } from '../search/calibration/calibrations.ts'
import { CALIBRATED_TABS } from '../search/calibration/calibrations.ts'
import {
  PROPOSED,
  PROPOSED_LANGUAGES,
  type ProposedLanguage,
  TOPICS,
  type Topic,
} from '../search/calibration/proposed-queries.ts'
import { administer } from './administer.ts'
import type { PresentedCalibration } from './calibration-operations.ts'
import type { CliHost } from './cli-host.ts'
import {
  addExamples,
  alignLines,
  formatTimestamp,
  JSON_OPTION,
  performAndPrint,
  print,
  readId,
} from './command-parts.ts'
import type { Perform } from './operations.ts'

interface JsonOption {
  json?: boolean
}

export function addCalibrateCommand(program: Command, host: CliHost): void {
  const calibrate = program
    .command('calibrate')
    .summary('grade results, so that better engines count more')
    .description(
      'Grade the results of a few searches without knowing which engine found them, and learn how much each engine should count. Three searches are a beginning, ten tell most of it. The same is on the website, under Administration → Ranking.',
    )
  addNew(calibrate, host)
  addList(calibrate, host)
  addGrade(calibrate, host)
  addOfOne(calibrate, host)
  addUndo(calibrate, host)
  addExamples(calibrate, [
    'bowerbird calibrate new --topic everyday',
    'bowerbird calibrate grade 1',
    'bowerbird calibrate show 1',
    'bowerbird calibrate apply 1',
  ])
}

interface NewOptions extends JsonOption {
  tab: (typeof CALIBRATED_TABS)[number]
  lang?: ProposedLanguage
  topic?: Topic
}

function addNew(calibrate: Command, host: CliHost): void {
  const create = calibrate
    .command('new')
    .summary('start a calibration')
    .description(
      'Start a calibration with your own queries from standard input, one on each line, or with proposed ones. The queries are stored until you delete the calibration.',
    )
    .addOption(new Option('--tab <tab>', 'the tab whose weights are wanted').choices(CALIBRATED_TABS).default('web'))
    .addOption(new Option('--lang <language>', 'only for searches in this language').choices(PROPOSED_LANGUAGES))
    .addOption(new Option('--topic <topic>', 'use proposed queries').choices(TOPICS))
    .option(...JSON_OPTION)
    .action(async ({ json = false, tab, lang, topic }: NewOptions) => {
      const queries = topic ? PROPOSED[lang ?? 'en'][topic] : await readQueries(host)
      await performAndPrint(host, json, async (perform) => {
        const created = await perform('calibration-create', { tab, lang: lang ?? '', queries: [...queries] })
        const next = `Grade its results: bowerbird calibrate grade ${created.id}`
        return { value: created, lines: [`Calibration ${created.id} has ${created.searches} searches. ${next}`] }
      })
    })
  addExamples(create, ['bowerbird calibrate new --topic health --lang de', 'bowerbird calibrate new < queries.txt'])
}

/** More than any list of queries that is accepted. */
const MAX_INPUT_BYTES = 200_000

async function readQueries({ stdin }: CliHost): Promise<string[]> {
  if (stdin.isTTY)
    throw new Refusal('parameter_invalid', 'Give the queries on standard input, one on each line, or choose a --topic.')
  const written = await readAll(stdin)
  if (written.length > MAX_INPUT_BYTES)
    throw new Refusal('parameter_invalid', 'That is too much for a list of queries.')
  return written
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
}

function addList(calibrate: Command, host: CliHost): void {
  const list = calibrate
    .command('list')
    .description('List the calibrations, the newest first.')
    .option(...JSON_OPTION)
    .action(async ({ json = false }: JsonOption) => {
      await performAndPrint(host, json, async (perform) => {
        const calibrations = await perform('calibration-list', {})
        const rows = calibrations.map((each) => [
          each.id,
          formatTimestamp(each.created_at),
          scopeText(each),
          `${each.finished} of ${each.searches}`,
          gainText(each),
        ])
        const lines = alignLines([['ID', 'STARTED (UTC)', 'FOR', 'GRADED', 'GAIN'], ...rows])
        return { value: { calibrations }, lines: rows.length > 0 ? lines : ['There are no calibrations.'] }
      })
    })
  addExamples(list, ['bowerbird calibrate list'])
}

const scopeText = ({ tab, lang }: PresentedCalibration): string => (lang === '' ? tab : `${tab}, ${lang}`)

const percent = (share: number): string => `${share > 0 ? '+' : ''}${Math.round(share * 100)} %`

const gainText = ({ gain }: PresentedCalibration): string =>
  gain ? `${percent(gain.value)} (${percent(gain.low)} to ${percent(gain.high)})` : 'too early to tell'

const VERDICTS: Readonly<Record<PresentedCalibration['verdict'], string>> = {
  few: 'Too few searches are graded to tell.',
  better: 'These weights are better than equal ones. That is enough to say so.',
  same: 'These weights make little difference. Equal weights are fine.',
  worse: 'These weights are worse than equal ones. Keep equal weights.',
  unsure: 'Not sure yet: the interval includes no difference.',
}

function describeResult(calibration: PresentedCalibration): string[] {
  const { engines, verdict, counted, wanted, gain } = calibration
  const rows = engines.map(({ engine, weight, alone }) => [engine, weight.toFixed(2), `${Math.round(alone * 100)} %`])
  return [
    `From ${counted} graded searches, for ${scopeText(calibration)}.`,
    ...(gain ? [`Gain over equal weights: ${gainText(calibration)}.`] : []),
    VERDICTS[verdict],
    ...(verdict === 'few' || verdict === 'unsure' ? [`About ${wanted} searches should be enough.`] : []),
    ...(rows.length > 0 ? ['', ...alignLines([['ENGINE', 'WEIGHT', 'ALONE'], ...rows])] : []),
  ]
}

function addOfOne(calibrate: Command, host: CliHost): void {
  const show = calibrate
    .command('show')
    .description('Show what each engine is worth, and what the merge would gain, with its 95 % interval.')
    .argument('<id>', 'the id of the calibration', readId)
    .option(...JSON_OPTION)
    .action(async (id: string, { json = false }: JsonOption) => {
      await performAndPrint(host, json, async (perform) => {
        const calibration = await perform('calibration-show', { id })
        return { value: calibration, lines: describeResult(calibration) }
      })
    })
  addExamples(show, ['bowerbird calibrate show 1', 'bowerbird calibrate show 1 --json'])

  const apply = calibrate
    .command('apply')
    .description('Use the weights that a calibration found, on every node within a second.')
    .argument('<id>', 'the id of the calibration', readId)
    .option(...JSON_OPTION)
    .action(async (id: string, { json = false }: JsonOption) => {
      await performAndPrint(host, json, async (perform) => {
        const value = await perform('calibration-apply', { id })
        const done = value.changed.length === 0 ? 'These weights are in force already.' : 'These weights are in force:'
        return { value, lines: [done, value.weights, 'To take them back, run: bowerbird calibrate undo'] }
      })
    })
  addExamples(apply, ['bowerbird calibrate apply 1'])

  const remove = calibrate
    .command('delete')
    .description('Delete a calibration with its queries and grades. Weights that are in force stay.')
    .argument('<id>', 'the id of the calibration', readId)
    .option(...JSON_OPTION)
    .action(async (id: string, { json = false }: JsonOption) => {
      await performAndPrint(host, json, async (perform) => {
        const value = await perform('calibration-delete', { id })
        return { value, lines: ['The calibration is deleted, with its queries and grades.'] }
      })
    })
  addExamples(remove, ['bowerbird calibrate delete 1'])
}

function addUndo(calibrate: Command, host: CliHost): void {
  const undo = calibrate
    .command('undo')
    .description('Take back the last change of calibrated weights. A second undo brings it back.')
    .option(...JSON_OPTION)
    .action(async ({ json = false }: JsonOption) => {
      await performAndPrint(host, json, async (perform) => {
        const value = await perform('calibration-undo', {})
        return {
          value,
          lines: [value.weights === null ? 'No calibrated weights are in force.' : `In force: ${value.weights}`],
        }
      })
    })
  addExamples(undo, ['bowerbird calibrate undo'])
}

const GRADES: Readonly<Record<string, number>> = { g: 2, '1': 2, f: 1, '2': 1, b: 0, '3': 0 }
const KEYS = 'g good  f fair  b bad  ·  u undo  s skip this search  q stop'
/** Ctrl-C and Ctrl-D, as a terminal in raw mode sends them. */
const STOP = new Set(['q', '\u0003', '\u0004'])

function addGrade(calibrate: Command, host: CliHost): void {
  const grade = calibrate
    .command('grade')
    .description(
      'Grade the results one key at a time, without knowing which engine found them. Stop whenever you like: what you have graded is stored. The searches are ordinary ones, and count against budgets.',
    )
    .argument('<id>', 'the id of the calibration', readId)
    .action(async (id: string) => {
      const { stdin } = host
      if (!stdin.isTTY)
        throw new Refusal('parameter_invalid', 'Grading needs a terminal. Run it there, or grade on the website.')
      await administer({ ...host, openAccess: host.openInstance }, (perform) => gradeAll(host, perform, id))
    })
  addExamples(grade, ['bowerbird calibrate grade 1'])
}

async function gradeAll(host: CliHost, perform: Perform, id: string): Promise<void> {
  const keys = keysOf(host.stdin)
  try {
    for (;;) {
      const turn = await perform('calibration-next', { id })
      if (turn.state === 'done') break
      if (turn.state === 'search') {
        await print(host.stdout, `\nSearching for ${plain(turn.query)} …\n`)
        await perform('calibration-search', { id })
        continue
      }
      await print(host.stdout, describeTurn(turn))
      if ((await takeKey(perform, { id, turn, keys })) === 'stop') break
    }
  } finally {
    await keys.return()
  }
  await print(host.stdout, `\n\n${describeResult(await perform('calibration-show', { id })).join('\n')}\n`)
}

const describeTurn = ({ query, result, of, title, url, description }: BlindResult): string =>
  [
    '',
    `${plain(query)}  (${result + 1} of ${of})`,
    '',
    plain(title),
    plain(url),
    plain(description),
    '',
    `${KEYS} `,
  ].join('\n')

/** What a page calls itself must not control the terminal. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ')

interface Awaiting {
  id: string
  turn: BlindResult
  keys: AsyncGenerator<string, void>
}

/** Other keys do nothing. */
async function takeKey(perform: Perform, { id, turn, keys }: Awaiting): Promise<'stop' | 'next'> {
  for (;;) {
    const { value: key, done } = await keys.next()
    if (done || key === undefined || STOP.has(key)) return 'stop'
    const grade = GRADES[key]
    if (grade !== undefined) await perform('calibration-grade', { id, place: turn.place, result: turn.result, grade })
    else if (key === 'u') await perform('calibration-back', { id })
    else if (key === 's') await perform('calibration-skip', { id, place: turn.place })
    else continue
    return 'next'
  }
}

/** Each key as it is pressed, in lower case. The terminal is as before when the generator is left. */
async function* keysOf(stdin: CliHost['stdin']): AsyncGenerator<string, void> {
  stdin.setRawMode?.(true)
  try {
    for await (const chunk of stdin) for (const key of String(chunk)) yield key.toLowerCase()
  } finally {
    stdin.setRawMode?.(false)
  }
}
