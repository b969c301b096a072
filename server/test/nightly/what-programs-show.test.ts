// What clients from npm hand to their programs, in the situations of `docs/connect/what-programs-show.md`: the page says
// exactly that. `spec/compat-situations.test.ts` has the programs that are replayed.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { installClients } from '../support/installed-clients.ts'
import { askedIn, asWritten, documented, openStage, SITUATIONS } from '../support/situations.ts'

const PATIENCE_MS = 240_000
const run = promisify(execFile)

let stage: Awaited<ReturnType<typeof openStage>>
let folder: string

beforeAll(async () => {
  ;[folder, stage] = await Promise.all([installClients(inject('temporaryFolder')), openStage()])
}, PATIENCE_MS)
afterAll(() => stage?.close())
afterEach(() => {
  stage.server.sandbox.reset()
})

describe('what clients from npm hand to their programs', () => {
  it.each(SITUATIONS)(
    '$name',
    async (situation) => {
      const { ask, url, key, query, domain } = await askedIn(stage, situation)
      const args = ['situations.mjs', ask, url, key, query, domain]
      const { stdout } = await run(process.execPath, args, { cwd: folder, timeout: PATIENCE_MS / 2 })
      const shown = Object.entries<string>(JSON.parse(stdout)).map(([name, told]) => [name, asWritten(told)])
      expect(Object.fromEntries(shown)).toEqual(documented(situation.name, { isReplayed: false }))
    },
    PATIENCE_MS,
  )
})
