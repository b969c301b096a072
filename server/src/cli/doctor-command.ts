// `bowerbird doctor`: checks everything that an instance depends on, and says how to fix what is wrong.
import { type Command, CommanderError } from 'commander'
import type { CliHost } from './cli-host.ts'
import { addExamples, JSON_OPTION } from './command-parts.ts'
import type { Finding } from './finding.ts'
import { printResult } from './output.ts'
import { alignLines } from './table.ts'

export function addDoctorCommand(program: Command, host: CliHost): void {
  const doctor = program
    .command('doctor')
    .summary('check everything the instance depends on')
    .description(
      'Check the settings, the database and its rights, Redis and its eviction policy, clocks, disk space, proxies and providers, and say what to do. It changes nothing, and calls only providers that cost nothing. The exit code is 1 if something is broken.',
    )
    .option(...JSON_OPTION)
    .action(async ({ json = false }: { json?: boolean }) => {
      const findings = await host.diagnose()
      const isHealthy = findings.every(({ state }) => state !== 'broken')
      await printResult(host.stdout, { json, value: { healthy: isHealthy, findings }, lines: describe(findings) })
      if (!isHealthy) throw new CommanderError(1, 'bowerbird.mistakes', '')
    })
  addExamples(doctor, ['bowerbird doctor', 'bowerbird doctor --json | jq \'.findings[] | select(.state == "broken")\''])
}

function describe(findings: readonly Finding[]): string[] {
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length
  const [broken, doubtful] = [count('broken'), count('warning')]
  const total = broken + doubtful === 0 ? 'Everything is fine.' : `${broken} broken, ${doubtful} to look at.`
  return [
    ...alignLines(
      findings.map(({ state, about, detail, advice }) => [state, about, [detail, advice].filter(Boolean).join(' ')]),
    ),
    '',
    total,
  ]
}
