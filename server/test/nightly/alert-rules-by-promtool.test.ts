// Prometheus' own tool checks the alert rules in deploy/ and runs their tests.
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = resolve(import.meta.dirname, '../../../deploy/prometheus')
const promtool = (task: string, file: string): string =>
  execFileSync('promtool', [task, 'rules', resolve(FOLDER, file)], { encoding: 'utf8', stdio: 'pipe' })

it('promtool accepts the rules, and their tests pass', () => {
  expect(promtool('check', 'alerts.yml')).toContain('SUCCESS')
  for (const file of ['alerts.test.yml', 'service-levels.test.yml']) expect(promtool('test', file)).toContain('SUCCESS')
})
