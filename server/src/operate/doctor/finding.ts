// Builds the findings of `bowerbird doctor`.
import type { Finding } from '../../cli/cli-host.ts'

const plain =
  (state: Finding['state']) =>
  (about: string, detail: string): Finding => ({ about, state, detail, advice: null })
const advised =
  (state: Finding['state']) =>
  (about: string, detail: string, advice: string): Finding => ({ about, state, detail, advice })

export const isFine = plain('ok')
export const isUntried = plain('not tried')
export const isDoubtful = advised('warning')
export const isBroken = advised('broken')

const CLOCK_DOUBTFUL_MS = 1_000
const CLOCK_BROKEN_MS = 30_000

export function judgeClock(about: string, aheadMs: number): Finding {
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1)
  const detail = `${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine.`
  const advice = 'Run a time service such as chrony on both machines.'
  if (Math.abs(aheadMs) > CLOCK_BROKEN_MS) return isBroken(about, detail, advice)
  if (Math.abs(aheadMs) > CLOCK_DOUBTFUL_MS) return isDoubtful(about, detail, advice)
  return isFine(about, 'It agrees with this machine.')
}
