// What a production start loads: the service, and nothing that exists for the demo, for tests or for simulated
// providers.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { endWithWorker } from '../support/end-with-worker.ts'

const SERVER = resolve(import.meta.dirname, '../..')

it('bowerbird serve loads nothing of the sandbox, the demo or the tests', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-modules-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'modules.txt')
  const recorder = join(SERVER, 'test/support/record-modules.ts')
  const child = endWithWorker(
    spawn(process.execPath, ['--import', recorder, join(SERVER, 'src/bowerbird.ts'), 'serve'], {
      env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: join(folder, 'data'), LOADED_MODULES_FILE: file },
    }),
  )
  const [line] = await once(createInterface(child.stdout), 'line')
  const url = /http:\/\/\S+/.exec(String(line))?.[0]
  // Pages and answers load some of their modules at first use.
  for (const path of ['/', '/status', '/api/v1/openapi.json']) await (await fetch(`${url}${path}`)).text()
  child.kill('SIGTERM')
  await once(child, 'exit')

  const modules = (await readFile(file, 'utf8')).split('\n')
  const own = modules.filter(
    (module) => module.startsWith(`file://${resolve(SERVER, '..')}`) && !/node_modules/.test(module),
  )
  expect(own.length).toBeGreaterThan(300)
  expect(
    modules.filter((module) =>
      /\/sandbox\/|\/server\/src\/demo\/|\/server\/test\/|\.test(?:-\w+)?\.ts$|vitest/.test(module),
    ),
  ).toEqual([])
})
