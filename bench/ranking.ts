// `npx node bench/ranking.ts [--data FILE]... [--json]`: the quality of the merge on judged rankings, as a table or, with
// --json, as one line of ratios for each file. Without --data it measures the invented set of the repository, whose figures
// only show that the benchmark works. bench/README.md describes the file.
import { parseArgs } from 'node:util'
import { mean } from '../server/src/search/calibration/ndcg.ts'
import { INVENTED_RANKINGS, readJudgedRuns } from './judged-runs.ts'
import { measureRanking, type RankingMeasurement, ratiosOf } from './measure-ranking.ts'

const row = (name: string, value: string): string => `  ${name.padEnd(52)}${value}\n`

function table(source: string, measured: RankingMeasurement): string {
  const figure = (name: string, side: keyof RankingMeasurement) => row(name, mean(measured[side]).toFixed(4))
  return [
    `${source}\nMean nDCG@10 over all triples of runs\n\nAll topics, equal weights\n`,
    figure('best single run of the triple', 'bestSingle'),
    figure("SearXNG's formula", 'searxng'),
    figure('reciprocal rank, k = 60', 'reciprocal60'),
    figure('Bowerbird', 'product'),
    '\nRandom halves, weights from the other half\n',
    figure('the run picked on the other half', 'picked'),
    figure('the run best on this half, in hindsight', 'hindsight'),
    figure('Bowerbird, equal weights', 'equal'),
    figure('Bowerbird, calibrated weights', 'calibrated'),
    '\nRatios, with 95 % intervals over topics\n',
    ...Object.entries(ratiosOf(measured)).map(([name, { value, low, high }]) =>
      row(name, `${value.toFixed(4)}  ${low.toFixed(3)} to ${high.toFixed(3)}`),
    ),
  ].join('')
}

try {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', multiple: true, default: [INVENTED_RANKINGS] },
      json: { type: 'boolean', default: false },
    },
  })
  for (const file of values.data) {
    const judged = readJudgedRuns(file)
    const measured = measureRanking(judged)
    process.stdout.write(values.json ? `${JSON.stringify(ratiosOf(measured))}\n` : table(judged.source, measured))
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
