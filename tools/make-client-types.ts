// Regenerates what the clients take from the OpenAPI document of a demo: clients/typescript/src/schema.ts, all types of
// the TypeScript client, and the names that the Python client accepts in a batch. With `--check`, as in `npm run
// check`, it only reports whether the files are current.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { startDemo } from '../server/src/demo/demo.ts'

const TYPES = 'clients/typescript/src/schema.ts'
const BATCH_ENDPOINTS = 'clients/python/src/bowerbird/batch_endpoint.py'
const ROOT = resolve(import.meta.dirname, '..')
/** It needs its own TypeScript version. */
const GENERATOR = resolve(import.meta.dirname, 'client-generators/node_modules/openapi-typescript/bin/cli.js')

const run = promisify(execFile)

async function makeTypes(): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-client-types-'))
  const demo = await startDemo({ port: 0 })
  try {
    const document = await (await fetch(`${demo.url}/api/v1/openapi.json`)).text()
    await writeFile(join(folder, 'openapi.json'), document)
    await run(process.execPath, [GENERATOR, 'openapi.json', '-o', 'schema.ts', '--export-type'], { cwd: folder })
    return { [TYPES]: await readFile(join(folder, 'schema.ts'), 'utf8'), [BATCH_ENDPOINTS]: batchEndpoints(document) }
  } finally {
    await demo.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function batchEndpoints(document: string): string {
  // The server's own document always has this shape.
  const { requests } = JSON.parse(document).components.schemas.BatchRequest.properties
  const names: string[] = requests.items.properties.endpoint.enum
  const lines = names.map((name) => `    "${name}",\n`).join('')
  return (
    '"""What can be in a batch. Generated from the OpenAPI document: run npm run docs."""\n\n' +
    `from typing import Literal\n\nBatchEndpoint = Literal[\n${lines}]\n`
  )
}

for (const [file, text] of Object.entries(await makeTypes())) {
  const path = join(ROOT, file)
  if (!process.argv.includes('--check')) await writeFile(path, text)
  else if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
    process.stdout.write(`${file} is out of date: run npm run docs.\n`)
    process.exitCode = 1
  }
}
