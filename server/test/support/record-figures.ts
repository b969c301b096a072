// Prints what a nightly test has measured, and stores it for `bench/record.ts`, which compares it with earlier nights.
import { appendFileSync } from 'node:fs'

export function recordFigures(name: string, measured: Record<string, number>): void {
  const figures = Object.fromEntries(
    Object.entries(measured).map(([figure, value]) => [figure, Number(value.toFixed(2))]),
  )
  process.stdout.write(`${name}: ${JSON.stringify(figures)}\n`)
  const file = process.env['FIGURES_FILE']
  if (file) appendFileSync(file, `${JSON.stringify({ name, figures })}\n`)
}
