// A thread that loads a list of sites once, as an instance does that never has: fetched text, stored form, index. It tells
// the CPU time of the longest turn of its event loop meanwhile, and what the rules take when they are loaded.
import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { compileRules } from '../../src/rules/compile-rules.ts'
import { parseRules } from '../../src/rules/parse-rules.ts'
import { indexRules } from '../../src/rules/rule-index.ts'
import { readStored, storedForm } from '../../src/rules/stored-rules.ts'
import { usedMemory } from './used-memory.ts'

export interface FirstRuleLoad {
  size: number
  longestMs: number
  megabytes: number
}

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

async function longestTurn<Result>(work: () => Promise<Result>): Promise<[number, Result]> {
  const ended = new AbortController()
  const started = cpuMs()
  const running = work().finally(() => ended.abort())
  let longest = cpuMs() - started
  while (!ended.signal.aborted) {
    const before = cpuMs()
    await setImmediate()
    longest = Math.max(longest, cpuMs() - before)
  }
  return [longest, await running]
}

async function load(text: string) {
  const { rules } = await parseRules(text, 'block')
  const stored = await storedForm(rules)
  return await compileRules([{ owner: 'instance', rules: await indexRules(readStored(stored)) }])
}

const before = await usedMemory()
const [longestMs, set] = await longestTurn(() => load(workerData))
const megabytes = ((await usedMemory()) - before) / 1e6
parentPort?.postMessage({ size: set.size, longestMs, megabytes } satisfies FirstRuleLoad, [])
