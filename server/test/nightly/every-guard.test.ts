// Takes one guard after another out of a copy of the service, and expects the walks over every surface
// (`spec/every-surface.test.ts`, `every-page.test.ts`, `every-field.test.ts`) to notice: with any guard removed, or a
// surface added without one, a test there fails. A guard that moves has to be found again here.
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

const ROOT = resolve(import.meta.dirname, '../../..')
const RUN_MS = 300_000

type Walk = 'every-surface' | 'every-page' | 'every-field'

interface Mutation {
  guard: string
  walk: Walk
  file: string
  /** Exists once in the file. */
  from: string
  to: string
}

const ANYONE = `({ keyId: '1', userId: '1', username: 'ada', name: '', prefix: '', scopes: new Set(['search', 'maps', 'translate', 'answers', 'read', 'read_any']), createdAt: new Date() } as never)`
const FIRST_ROUTE = "  http.get('/livez',"

const MUTATIONS: readonly Mutation[] = [
  {
    guard: 'a request without a key',
    walk: 'every-surface',
    file: 'api/pipeline/serve-endpoint.ts',
    from: 'const key = await authenticate(request)',
    to: `const key = request.headers.authorization ? await authenticate(request) : ${ANYONE}`,
  },
  {
    guard: 'a batch without a key',
    walk: 'every-surface',
    file: 'api/batch/mount-batch.ts',
    from: 'const key = await authenticate(request)',
    to: `const key = request.headers.authorization ? await authenticate(request) : ${ANYONE}`,
  },
  {
    guard: 'an MCP message without a key',
    walk: 'every-surface',
    file: 'compat/mcp/mcp-api.ts',
    from: 'const key = await authenticate(request)',
    to: `const key = request.headers.authorization ? await authenticate(request) : ${ANYONE}`,
  },
  {
    guard: 'the secret of a key',
    walk: 'every-surface',
    file: 'keys/verify-key.ts',
    from: "if (!timingSafeEqual(hashSecret(secret), found.secretHash)) return refused('unknown')",
    to: '',
  },
  {
    guard: 'a revoked key',
    walk: 'every-surface',
    file: 'keys/verify-key.ts',
    from: "if (found.isRevoked) return refused('revoked')",
    to: '',
  },
  {
    guard: 'the key of a disabled account',
    walk: 'every-surface',
    file: 'keys/verify-key.ts',
    from: "return found.isDisabled ? refused('disabled') : undefined",
    to: 'return undefined',
  },
  {
    guard: 'the network that wrong keys come from',
    walk: 'every-surface',
    file: 'api/pipeline/authenticate.ts',
    from: 'throttle.record(address)',
    to: '',
  },
  {
    guard: 'the scope of an endpoint',
    walk: 'every-surface',
    file: 'api/pipeline/serve-endpoint.ts',
    from: 'requireScope(key, scope)',
    to: '',
  },
  {
    guard: 'the scope of an MCP tool',
    walk: 'every-surface',
    file: 'compat/mcp/mcp-server.ts',
    from: 'call.key.scopes.has(scope) && ',
    to: '',
  },
  {
    guard: 'the scope of a key in a URL',
    walk: 'every-surface',
    file: 'compat/key-location.ts',
    from: 'if (key.scopes.has(URL_KEY_SCOPE)) return key',
    to: 'return key',
  },
  {
    guard: 'the limits of a key',
    walk: 'every-surface',
    file: 'api/pipeline/admission.ts',
    from: 'if (refusal) throw refusal',
    to: '',
  },
  {
    guard: 'the limits of a batch with a bad body',
    walk: 'every-surface',
    file: 'api/batch/mount-batch.ts',
    from: 'await admit(key, reply, undefined)',
    to: '',
  },
  {
    guard: 'the size of a body whose length is declared',
    walk: 'every-surface',
    file: 'api/pipeline/read-body.ts',
    from: 'const bytes = length > maxBytes ? TOO_LARGE : await readBytes(raw, maxBytes)',
    to: 'const bytes = await readBytes(raw, maxBytes)',
  },
  {
    guard: 'the size of a body whose length is not declared',
    walk: 'every-surface',
    file: 'api/pipeline/read-body.ts',
    from: 'if (length > maxBytes) stop(TOO_LARGE)',
    to: 'if (false) stop(TOO_LARGE)',
  },
  {
    guard: 'the type of a body',
    walk: 'every-surface',
    file: 'api/pipeline/read-body.ts',
    from: '!BODY_TYPES.some((known) => known === type) || ',
    to: '',
  },
  {
    guard: 'the number of parameters',
    walk: 'every-surface',
    file: 'http/http-server.ts',
    from: 'else if (hasTooManyParams(request.url))',
    to: 'else if (false)',
  },
  {
    guard: 'the names of the instance',
    walk: 'every-surface',
    file: 'http/http-server.ts',
    from: 'parts.isAllowedHost?.(request.host) === false',
    to: 'false',
  },
  {
    guard: 'the load of the process',
    walk: 'every-surface',
    file: 'http/http-server.ts',
    from: 'if (load.isFull && ',
    to: 'if (false && ',
  },
  {
    guard: 'the token of the metrics',
    walk: 'every-surface',
    file: 'http/http-server.ts',
    from: 'if (!isAllowed(request.headers.authorization))',
    to: 'if (false)',
  },
  {
    guard: 'the methods of an endpoint',
    walk: 'every-surface',
    file: 'api/api-router.ts',
    from: "    refuseOtherMethods(http, { path: endpoint.path, methods: endpoint.post ? ['GET', 'POST'] : ['GET'] })",
    to: '',
  },
  {
    guard: 'a new route that declares nothing',
    walk: 'every-surface',
    file: 'http/http-server.ts',
    from: FIRST_ROUTE,
    to: `  http.get('/new', () => 'everything')\n${FIRST_ROUTE}`,
  },
  {
    guard: 'a new route for everyone',
    walk: 'every-surface',
    file: 'http/http-server.ts',
    from: FIRST_ROUTE,
    to: `  http.get('/new', { config: { surface: OPEN } }, () => 'everything')\n${FIRST_ROUTE}`,
  },
  {
    guard: 'a new route that says it needs a key and takes none',
    walk: 'every-surface',
    file: 'http/http-server.ts',
    from: FIRST_ROUTE,
    to: `  http.get('/new', { config: { surface: { access: 'key' } } }, () => 'everything')\n${FIRST_ROUTE}`,
  },
  {
    guard: 'who may see a page',
    walk: 'every-page',
    file: 'site/http/serve-page.ts',
    from: "if (access === 'admin' && !viewer.isAdmin) throw new PageError('forbidden')",
    to: '',
  },
  {
    guard: 'a page for people who are signed in',
    walk: 'every-page',
    file: 'site/http/serve-page.ts',
    from: "if (!viewer && access === 'searcher' && services.isPublic) return undefined",
    to: "if (!viewer && access === 'searcher') return undefined",
  },
  {
    guard: 'the token of a form',
    walk: 'every-page',
    file: 'site/http/serve-page.ts',
    from: "if (page.method === 'POST') requireToken(request, context)",
    to: '',
  },
  {
    guard: 'the site that a form comes from',
    walk: 'every-page',
    file: 'site/http/serve-page.ts',
    from: 'if (!isFromHere || ',
    to: 'if (',
  },
  {
    guard: 'confirming who it is',
    walk: 'every-page',
    file: 'site/http/serve-page.ts',
    from: 'if (confirmation) return await send(reply, context, confirmation)',
    to: '',
  },
  {
    guard: 'a second factor that is due',
    walk: 'every-page',
    file: 'site/http/serve-page.ts',
    from: 'if (viewer?.mustEnrol && !duringEnrolment) {',
    to: 'if (false) {',
  },
  {
    guard: 'the limits of a searcher',
    walk: 'every-page',
    file: 'site/http/serve-page.ts',
    from: 'if (page.quota) await consumeQuota(page.quota, context)',
    to: '',
  },
  {
    guard: 'the attempts to sign in',
    walk: 'every-page',
    file: 'accounts/sign-in-limits.ts',
    from: 'const attempt = throttle.begin([name, ...from])',
    to: 'const attempt = throttle.begin([])',
  },
  {
    guard: 'a page whose declaration lost its limit',
    walk: 'every-page',
    file: 'site/maps/maps-page.ts',
    from: "  quota: 'search',\n",
    to: '',
  },
  {
    guard: 'a form whose declaration lost its confirmation',
    walk: 'every-page',
    file: 'site/accounts/user-pages.ts',
    from: "  access: 'admin',\n  stepUp: '/admin/users/new',\n  form:",
    to: "  access: 'admin',\n  form:",
  },
  {
    guard: 'the log, of URLs',
    walk: 'every-field',
    file: 'http/access-log.ts',
    from: 'log.info({ request: id, method, route, status, ms, key: keyId })',
    to: 'log.info({ request: id, method, route, status, ms, key: keyId, url: request.url })',
  },
  {
    guard: 'the log, of what a client calls itself',
    walk: 'every-field',
    file: 'http/access-log.ts',
    from: 'log.info({ request: id, method, route, status, ms, key: keyId })',
    to: "log.info({ request: id, method, route, status, ms, key: keyId, agent: request.headers['user-agent'] })",
  },
  {
    guard: 'the names of metrics, of paths',
    walk: 'every-field',
    file: 'http/access-log.ts',
    from: 'metrics.request(route, status, ms)',
    to: 'metrics.request(request.url, status, ms)',
  },
  {
    guard: 'values in Redis, of queries',
    walk: 'every-field',
    file: 'cache/response-encryption.ts',
    from: "encrypt: (text, key) => encryption.encrypt(Buffer.from(text), key).toString('base64'),",
    to: 'encrypt: (text) => text,',
  },
]

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
  it.each(['every-surface', 'every-page', 'every-field'] as const)(
    'passes with all guards in place: %s',
    async (walk) => {
      expect(await runWalk(walk)).toEqual([])
    },
    RUN_MS,
  )

  it.each(MUTATIONS)(
    'fails without its guard: $guard',
    async ({ walk, file, from, to }) => {
      const path = join(copy, 'server/src', file)
      const source = await readFile(path, 'utf8')
      expect(source.split(from)).toHaveLength(2)
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
