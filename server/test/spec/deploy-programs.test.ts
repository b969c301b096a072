// systemd validates its unit in deploy/. A program that isn't installed is reported.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const DEPLOY = resolve(import.meta.dirname, '../../../deploy')
const execute = promisify(execFile)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bb-deploy-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function isInstalled(program: string): boolean {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  if (folders.some((path) => existsSync(join(path, program)))) return true
  process.stderr.write(`Skipped: no ${program} here.\n`)
  return false
}

/** The file, with this machine's paths replaced by those of the test. */
async function prepared(path: string, replacements: [RegExp, string][]): Promise<string> {
  let text = await readFile(join(DEPLOY, path), 'utf8')
  for (const [pattern, replacement] of replacements) text = text.replaceAll(pattern, replacement)
  const copy = join(folder, path.split('/').at(-1) ?? '')
  await writeFile(copy, text)
  return copy
}

it.skipIf(!isInstalled('systemd-analyze'))('systemd accepts its unit', async () => {
  // The program isn't installed where the unit expects it.
  const path = await prepared('systemd/bowerbird.service', [
    [/^ExecStart=\/usr\/bin\/node/gm, `ExecStart=${process.execPath}`],
  ])
  const { stdout, stderr } = await execute('systemd-analyze', ['verify', '--man=no', path])
  expect(stdout + stderr).not.toContain('bowerbird.service')
})
