// `npx node bench/thin.ts [--data FILE]`: what an engine that waits for the others (`ENGINE_A_WHEN=thin`) saves in calls and
// costs in quality, on judged rankings, for several rules. Without --data it measures the invented set of the repository,
// whose figures only show that the benchmark works.
import { parseArgs } from 'node:util'
import type { ThinRule } from '../server/src/search/thin.ts'
import { INVENTED_RANKINGS, type JudgedRuns, readJudgedRuns } from './judged-runs.ts'
import { measureThin, NEVER, type ThinMeasurement } from './measure-thin.ts'

const RULES: readonly (readonly [string, ThinRule])[] = [
  ['never', NEVER],
  ['thin:5:0', { results: 5, agreement: 0 }],
  ['thin:10:0', { results: 10, agreement: 0 }],
  ['thin:5:0.1', { results: 5, agreement: 0.1 }],
  ['thin', { results: 5, agreement: 0.2 }],
  ['thin:5:0.3', { results: 5, agreement: 0.3 }],
  ['thin:5:0.5', { results: 5, agreement: 0.5 }],
]

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

const row = (name: string, { saved, lost, interval: [low, high] }: ThinMeasurement): string =>
  `  ${name.padEnd(14)}${percent(saved).padStart(10)}${percent(lost).padStart(12)}   ${percent(low)} to ${percent(high)}\n`

function table(judged: JudgedRuns): string {
  const parts = (['best', 'any'] as const).map((waiting) => {
    const measured = measureThin(
      judged,
      waiting,
      RULES.map(([, rule]) => rule),
    )
    const title = waiting === 'best' ? 'The best of three engines waits' : 'Each of three engines waits in turn'
    return `\n${title}\n  rule         calls saved   nDCG@10 lost   95 % interval\n${RULES.map(([name], at) => row(name, measured[at] ?? NOTHING)).join('')}`
  })
  return `${judged.source}\n${parts.join('')}`
}

const NOTHING: ThinMeasurement = { saved: 0, lost: 0, interval: [0, 0] }

try {
  const { values } = parseArgs({ options: { data: { type: 'string', default: INVENTED_RANKINGS } } })
  process.stdout.write(table(readJudgedRuns(values.data)))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
