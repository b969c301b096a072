// The same commit makes the same release, byte for byte, so that anyone can repeat one and compare. Packs two clones of
// this repository's last commit, which differ in everything that shouldn't matter: folder, time zone, file modes, time.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { cloneTo } from '../support/own-clone.ts'

const PACK_MS = 900_000
const INSTALL = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
const execute = promisify(execFile)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bb-reproducible-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns the checksums of every file of the release, by name. */
async function pack(name: string, { modes, zone }: { modes: string; zone: string }): Promise<Record<string, string>> {
  const home = join(folder, name)
  await mkdir(home)
  const cwd = await cloneTo(home)
  await execute('chmod', ['--recursive', modes, cwd])
  const options = { cwd, env: { ...process.env, TZ: zone }, maxBuffer: 50_000_000 }
  await execute('npm', INSTALL, options)
  await execute(process.execPath, ['tools/make-release.ts'], options)
  const lines = await readFile(join(cwd, `release/bowerbird-${manifest.version}.sha256`), 'utf8')
  return Object.fromEntries(
    lines
      .trim()
      .split('\n')
      .map((line) => line.split('  ').toReversed()),
  )
}

it('two clones of a commit make the same release', { timeout: PACK_MS }, async () => {
  const first = await pack('one', { modes: 'go-w', zone: 'UTC' })
  const second = await pack('another-and-longer-name', { modes: 'g+w', zone: 'Asia/Tokyo' })
  expect(Object.keys(first)).toHaveLength(6)
  expect(second).toEqual(first)
})
