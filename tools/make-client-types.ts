// Makes clients/typescript/src/schema.ts, all types of the TypeScript client, from the OpenAPI document of a demo. It isn't
// committed: `npm run check` and the packing of the client make it anew.
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { startDemo } from '../server/src/demo/demo.ts'

const TYPES = resolve(import.meta.dirname, '../clients/typescript/src/schema.ts')
/** It needs its own TypeScript version. */
const GENERATOR = resolve(import.meta.dirname, 'client-generators/node_modules/openapi-typescript/bin/cli.js')

const demo = await startDemo({ port: 0 })
try {
  const document = `${demo.url}/api/v1/openapi.json`
  await promisify(execFile)(process.execPath, [GENERATOR, document, '--output', TYPES, '--export-type'])
} finally {
  await demo.close()
}
