// `npm run check`: types, format, lint, unused code, architecture, retired words, regular expressions and workflows, in
// parallel. Prints only failures.
import { spawn } from 'node:child_process'

const CHECKS: Record<string, string[]> = {
  types: ['tsc', '--noEmit'],
  'client types': ['tsc', '--noEmit', '-p', 'clients/typescript'],
  format: ['biome', 'ci', '--log-level=warn', '.'],
  lint: ['oxlint', '--type-aware', '--quiet'],
  unused: ['knip', '--no-progress'],
  architecture: ['vitest', 'run', '--reporter=dot', 'server/test/architecture.test.ts'],
  words: ['node', 'tools/check-words.ts'],
  patterns: ['node', 'tools/check-patterns.ts'],
  workflows: ['node', 'tools/check-workflows.ts'],
}

const run = (name: string, [command = '', ...args]: string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const started = performance.now()
    const child = spawn(command, args, { env: { ...process.env, FORCE_COLOR: '0' } })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.on('close', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(13)} ${seconds} s\n`)
      if (code !== 0) process.stdout.write(`${output}\n`)
      resolve(code === 0)
    })
  })

// Types, lint and unused code need the client's types, which aren't committed.
const hasClientTypes = await run('client schema', ['node', 'tools/make-client-types.ts'])
const results = await Promise.all(Object.entries(CHECKS).map(([name, command]) => run(name, command)))
process.exitCode = hasClientTypes && results.every(Boolean) ? 0 : 1
