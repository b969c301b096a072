// Loaded into a server by `--import`: writes the delay of its event loop, in milliseconds, to a file, twice a second.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const file = process.env['LOOP_DELAY_FILE']
if (file) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  setInterval(() => {
    writeFileSync(file, JSON.stringify({ p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6 }))
  }, 500).unref()
}
