// Takes one guard after another out of a copy of the service, and expects the walks over every surface
// (`spec/every-surface.test.ts`, `every-page.test.ts`, `every-field.test.ts`) to notice: with any guard removed, or a
// surface added without one, a test there fails. `support/guards.ts` lists the guards.
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { GUARDS, type Walk } from '../support/guards.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const RUN_MS = 300_000

const Report = z.object({
  numTotalTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
      message: z.string(),
    }),
  ),
})

let copy: string

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'bowerbird-guards-'))
  await cp(join(ROOT, 'server'), join(copy, 'server'), {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  })
  for (const file of ['package.json', 'tsconfig.json', 'vitest.config.ts']) await cp(join(ROOT, file), join(copy, file))
  // The libraries are those of the original.
  for (const folder of ['node_modules', 'engines', 'answers', 'reader', 'sandbox', 'clients', 'docs'])
    await symlink(join(ROOT, folder), join(copy, folder))
})
afterAll(() => rm(copy, { recursive: true, force: true }))

/** Returns the names of the tests that fail; the message instead if none could run. */
async function runWalk(walk: Walk): Promise<string[]> {
  const report = join(copy, 'report.json')
  const test = `server/test/spec/${walk}.test.ts`
  const args = ['run', '--project', 'spec', test, '--bail=1', '--reporter=json', `--outputFile=${report}`]
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const options = { cwd: copy, timeout: RUN_MS, env: { ...process.env, VITEST: '' } }
  await new Promise((ended) => {
    execFile(process.execPath, [vitest, ...args], options, ended)
  })
  const { testResults } = Report.parse(JSON.parse(await readFile(report, 'utf8')))
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
  return failed.length > 0 ? failed : testResults.map(({ message }) => message).filter(Boolean)
}

describe('a walk over every surface', () => {
  it.each(['every-surface', 'every-page', 'every-field', 'audiences'] as const)(
    'passes with all guards in place: %s',
    async (walk) => {
      expect(await runWalk(walk)).toEqual([])
    },
    RUN_MS,
  )

  it.each(GUARDS)(
    'fails without its guard: $name',
    async ({ walk, file, from, to }) => {
      const path = join(copy, 'server/src', file)
      const source = await readFile(path, 'utf8')
      await writeFile(path, source.replace(from, to))
      try {
        const failed = await runWalk(walk)
        process.stdout.write(`  ${failed[0] ?? 'nothing failed'}\n`)
        expect(failed).not.toEqual([])
      } finally {
        await writeFile(path, source)
      }
    },
    RUN_MS,
  )
})
