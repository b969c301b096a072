// `npx node bench/reader.ts [--data FOLDER] [--pages]`: how well the reader finds the main text of annotated pages, and
// at what cost. bench/README.md describes the folder; the pages in it belong to their publishers and aren't in the
// repository. Each page is extracted once to warm up and once for the figures.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { extractPage } from '@bowerbird/reader/extract-page.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: resolve(import.meta.dirname, '../../shared/data/articles') },
    pages: { type: 'boolean', default: false },
  },
})

interface Truth {
  articleBody: string
  url: string
}

const SHINGLE = 4

/** Sequences of four words, with how often each occurs. */
function shinglesOf(text: string): Map<string, number> {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? []
  const counts = new Map<string, number>()
  const last = Math.max(words.length > 0 ? 1 : 0, words.length - SHINGLE + 1)
  for (let at = 0; at < last; at++) {
    const shingle = words.slice(at, at + SHINGLE).join(' ')
    counts.set(shingle, (counts.get(shingle) ?? 0) + 1)
  }
  return counts
}

const total = (counts: Map<string, number>): number => counts.values().reduce((sum, count) => sum + count, 0)

function scoreOf(found: string, truth: string): { precision: number; recall: number } {
  const [predicted, wanted] = [shinglesOf(found), shinglesOf(truth)]
  const hits = predicted.entries().reduce((sum, [shingle, count]) => sum + Math.min(count, wanted.get(shingle) ?? 0), 0)
  return {
    precision: predicted.size > 0 ? hits / total(predicted) : 0,
    recall: wanted.size > 0 ? hits / total(wanted) : 1,
  }
}

async function textOf(bytes: Uint8Array, address: string): Promise<string> {
  try {
    return (await extractPage({ bytes, contentType: 'text/html; charset=utf-8', address, format: 'text' })).content
  } catch {
    // A page that could not be read counts as one without any text found.
    return ''
  }
}

async function measure(id: string, { articleBody, url }: Truth) {
  const bytes = gunzipSync(readFileSync(join(values.data, 'html', `${id}.html.gz`)))
  const address = URL.canParse(url) ? url : 'https://example.org/'
  const began = process.cpuUsage()
  const found = await textOf(bytes, address)
  const { user, system } = process.cpuUsage(began)
  return { id, cpuMs: (user + system) / 1_000, ...scoreOf(found, articleBody) }
}

const mean = (numbers: number[]): number => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
const quantile = (numbers: number[], part: number): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(part * (numbers.length - 1))] ?? Number.NaN

const truthFile = join(values.data, 'ground-truth.json')
if (!existsSync(truthFile)) {
  process.stderr.write('There are no marked pages here. Name their folder with --data; see bench/README.md.\n')
  process.exit(1)
}
const truths = Object.entries(JSON.parse(readFileSync(truthFile, 'utf8')) as Record<string, Truth>) // the benchmark's own format
for (const [id, truth] of truths) await measure(id, truth)
const measured = []
for (const [id, truth] of truths) measured.push(await measure(id, truth))

const precision = mean(measured.map((page) => page.precision))
const recall = mean(measured.map((page) => page.recall))
const cpu = measured.map((page) => page.cpuMs)
const line = (name: string, value: string) => `  ${name.padEnd(24)}${value}\n`
if (values.pages) {
  for (const { id, cpuMs, ...score } of measured.toSorted((one, other) => one.precision - other.precision)) {
    process.stdout.write(
      `${id.slice(0, 12)} P ${score.precision.toFixed(3)} R ${score.recall.toFixed(3)} ${cpuMs.toFixed(0)} ms\n`,
    )
  }
}
process.stdout.write(
  [
    `Main text of ${measured.length} marked pages, by runs of four words\n`,
    line('F1', ((2 * precision * recall) / (precision + recall)).toFixed(4)),
    line('precision', precision.toFixed(4)),
    line('recall', recall.toFixed(4)),
    line('CPU a page, p50', `${quantile(cpu, 0.5).toFixed(0)} ms`),
    line('CPU a page, p95', `${quantile(cpu, 0.95).toFixed(0)} ms`),
    line('CPU a page, mean', `${mean(cpu).toFixed(0)} ms`),
  ].join(''),
)
