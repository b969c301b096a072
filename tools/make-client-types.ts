// Writes client/src/schema.ts anew: the types of the TypeScript client, from the OpenAPI document of a demo. With
// `--check`, as `npm run check` runs it, it only says whether the file is current.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { startDemo } from '../server/src/demo/demo.ts'

const TYPES = resolve(import.meta.dirname, '../client/src/schema.ts')
/** It needs a TypeScript of its own. */
const GENERATOR = resolve(import.meta.dirname, 'client-generators/node_modules/openapi-typescript/bin/cli.js')

const run = promisify(execFile)

async function makeTypes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-client-types-'))
  const demo = await startDemo({ port: 0, settings: { MAX_LOOP_DELAY_MS: '0' } })
  try {
    const document = await (await fetch(`${demo.url}/api/v1/openapi.json`)).text()
    await writeFile(join(folder, 'openapi.json'), document)
    await run(process.execPath, [GENERATOR, 'openapi.json', '-o', 'schema.ts', '--export-type'], { cwd: folder })
    return await readFile(join(folder, 'schema.ts'), 'utf8')
  } finally {
    await demo.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const types = await makeTypes()
if (!process.argv.includes('--check')) await writeFile(TYPES, types)
else if ((await readFile(TYPES, 'utf8')) !== types) {
  process.stdout.write('client/src/schema.ts is out of date: run npm run docs.\n')
  process.exitCode = 1
}
