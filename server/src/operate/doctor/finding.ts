// Builds the findings of `bowerbird doctor`.
import type { Finding } from '../../cli/cli-host.ts'

const withoutAdvice =
  (state: Finding['state']) =>
  (about: string, detail: string): Finding => ({ about, state, detail, advice: null })
const withAdvice =
  (state: Finding['state']) =>
  (about: string, detail: string, advice: string): Finding => ({ about, state, detail, advice })

export const fine = withoutAdvice('ok')
export const untried = withoutAdvice('not tried')
export const warning = withAdvice('warning')
export const broken = withAdvice('broken')

const CLOCK_WARNING_MS = 1_000
const CLOCK_BROKEN_MS = 30_000

export function judgeClock(about: string, aheadMs: number): Finding {
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1)
  const detail = `${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine.`
  const advice = 'Run a time service such as chrony on both machines.'
  if (Math.abs(aheadMs) > CLOCK_BROKEN_MS) return broken(about, detail, advice)
  if (Math.abs(aheadMs) > CLOCK_WARNING_MS) return warning(about, detail, advice)
  return fine(about, 'It agrees with this machine.')
}
