// Clients generated from the OpenAPI document of a running instance by the two most used generators compile strictly,
// with the types a client needs, and work against the demo.
import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { UNHURRIED } from '../support/site-pages.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
/** They need their own TypeScript version. */
const GENERATORS = join(ROOT, 'tools/client-generators/node_modules')
const OPENAPI_TYPESCRIPT = join(GENERATORS, 'openapi-typescript/bin/cli.js')
const HEY_API = join(GENERATORS, '@hey-api/openapi-ts/bin/run.js')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const PATIENCE_MS = 240_000

const TSCONFIG = {
  compilerOptions: {
    target: 'esnext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    module: 'nodenext',
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
  },
  include: ['**/*.ts'],
}

/** A program using openapi-fetch; each line under @ts-expect-error must not compile. */
const WITH_OPENAPI_FETCH = `
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.ts'

const [, , baseUrl = '', key = ''] = process.argv
const client = createClient<paths, 'application/json'>({ baseUrl, headers: { Authorization: \`Api-Key \${key}\` } })

type Reply = components['schemas']['InstantReply']
type Calculation = components['schemas']['CalculatorAnswer']
const isCalculation = (reply: Reply | undefined): reply is Calculation => reply?.type === 'calculator'

const web = await client.GET('/api/v1/web/', { params: { query: { q: 'climate', page: 2, safe: 'on' } } })
const bad = await client.GET('/api/v1/web/', { params: { query: { q: 'climate', page: 51 } } })
const instant = await client.GET('/api/v1/instant/', { params: { query: { q: '6 * 7' } } })
const nothing = await client.GET('/api/v1/instant/', { params: { query: { q: 'climate' } } })
const places = await client.GET('/api/v1/maps/', { params: { query: { lat: 51.4779, lon: 5e-7 } } })
const translation = await client.POST('/api/v1/translate/', { body: { q: 'hello', target: 'fr', source: 'auto' } })
const status = await client.GET('/api/v1/status/')
// @ts-expect-error: q is required
await client.GET('/api/v1/suggest/', { params: { query: {} } })
// @ts-expect-error: it is a string
const title: number | undefined = web.data?.results[0]?.title
const state: 'up' | 'down' | 'unknown' | undefined = status.data?.providers[0]?.state

process.stdout.write(JSON.stringify({
  tab: web.data?.tab satisfies 'web' | undefined,
  title,
  refused: bad.error,
  calculation: isCalculation(instant.data) ? instant.data.text : undefined,
  nothing: nothing.data,
  places: places.response.status,
  target: translation.data?.target,
  state,
}))
`

const WITH_HEY_API = `
import { client } from './hey/client.gen.ts'
import { instant, maps, status, suggest, translatePost, webSearch } from './hey/sdk.gen.ts'
import type { CalculatorAnswer, InstantReply } from './hey/types.gen.ts'

const [, , baseUrl = '', key = ''] = process.argv
client.setConfig({ baseUrl, auth: \`Api-Key \${key}\` })

const isCalculation = (reply: InstantReply | undefined): reply is CalculatorAnswer => reply?.type === 'calculator'

const web = await webSearch({ query: { q: 'climate', page: 2, safe: 'on' } })
const bad = await webSearch({ query: { q: 'climate', page: 51 } })
const calculated = await instant({ query: { q: '6 * 7' } })
const nothing = await instant({ query: { q: 'climate' } })
const places = await maps({ query: { lat: 51.4779, lon: 5e-7 } })
const translation = await translatePost({ body: { q: 'hello', target: 'fr', source: 'auto' } })
const providers = await status()
// @ts-expect-error: q is required
await suggest({ query: {} })
// @ts-expect-error: it is a string
const title: number | undefined = web.data?.results[0]?.title
const state: 'up' | 'down' | 'unknown' | undefined = providers.data?.providers[0]?.state

process.stdout.write(JSON.stringify({
  tab: web.data?.tab satisfies 'web' | undefined,
  title,
  refused: bad.error,
  calculation: isCalculation(calculated.data) ? calculated.data.text : undefined,
  nothing: nothing.data,
  places: places.response?.status,
  target: translation.data?.target,
  state,
}))
`

/** With the file extension that Node needs to run the files unchanged. */
const HEY_API_CONFIG = `
export default { input: 'openapi.json', output: { path: 'hey', module: { extension: '.ts' } } }
`

const run = promisify(execFile)
let demo: Demo
let folder: string

const node = (...args: string[]) => run(process.execPath, args, { cwd: folder })

beforeAll(async () => {
  folder = join(inject('temporaryFolder'), 'generated-clients')
  await mkdir(folder)
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  demo = await startDemo({ port: 0, settings: UNHURRIED })
  const document = await (await fetch(`${demo.url}/api/v1/openapi.json`)).text()
  await writeFile(join(folder, 'openapi.json'), document)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
})
afterAll(() => demo.close())

/** Returns the compiler's output: empty on success. */
const compile = () =>
  node(TSC, '-p', '.').then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  )

const CLIENTS = [
  {
    by: 'openapi-typescript and openapi-fetch',
    generator: [OPENAPI_TYPESCRIPT, 'openapi.json', '-o', 'schema.ts'],
    file: 'fetch.ts',
    program: WITH_OPENAPI_FETCH,
  },
  { by: '@hey-api/openapi-ts', generator: [HEY_API, '-f', 'hey.config.ts'], file: 'hey.ts', program: WITH_HEY_API },
]

describe.each(CLIENTS)('a client by $by', ({ generator, file, program }) => {
  it(
    'compiles strictly and works',
    async () => {
      await writeFile(join(folder, 'hey.config.ts'), HEY_API_CONFIG)
      await node(...generator)
      await writeFile(join(folder, file), program.replace('@ts-expect-error: q is required', ''))
      expect(await compile()).toMatch(/error TS\d+/)
      await writeFile(join(folder, file), program)
      expect(await compile()).toBe('')
      const { stdout } = await node(file, demo.url, demo.key)
      expect(JSON.parse(stdout)).toEqual({
        tab: 'web',
        title: expect.stringMatching(/\w/),
        refused: { page: ['Send a whole number from 1 to 50.'] },
        calculation: '6 × 7 = 42',
        nothing: null,
        places: 200,
        target: 'fr',
        state: expect.stringMatching(/^(?:up|unknown)$/),
      })
    },
    PATIENCE_MS,
  )
})
