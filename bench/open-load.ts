// Open-loop load, in a separate process that can be pinned to the other core. Controlled by messages: { port, paths,
// headers, perSecond, seconds } → the milliseconds of every reply, and the failures.
import { sendSteadily } from '../server/test/support/open-loop.ts'

export interface OpenLoadOrder {
  port: number
  paths: string[]
  headers: Record<string, string>
  perSecond: number
  seconds: number
}

export interface OpenLoadResult {
  ms: number[]
  /** Replies other than 200. */
  errors: number
}

async function run({ port, paths, headers, ...rate }: OpenLoadOrder): Promise<OpenLoadResult> {
  const path = (turn: number) => paths[turn % paths.length] ?? '/'
  const replies = await sendSteadily({ url: `http://127.0.0.1:${port}`, headers, path }, rate)
  return { ms: replies.map(({ ms }) => ms), errors: replies.filter(({ status }) => status !== 200).length }
}

process.on('message', (order: OpenLoadOrder) => {
  void run(order).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())
