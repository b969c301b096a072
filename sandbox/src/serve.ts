// The sandbox as a separate process: `npm run sandbox -- --port 8090`. Prints its address as one line of JSON.
import { parseArgs } from 'node:util'
import { startSandbox } from './sandbox.ts'

const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, host: { type: 'string' }, seed: { type: 'string' } },
})
const { host, seed } = values

const sandbox = await startSandbox({
  port: Number(values.port),
  ...(host !== undefined && { host }),
  ...(seed !== undefined && { seed }),
})
process.stdout.write(`${JSON.stringify({ url: sandbox.url })}\n`)

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void sandbox.close())
