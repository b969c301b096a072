// Every guard that the walks over all surfaces protect, as the text whose removal takes it away.
// `secure-code.test.ts` finds each in its file with every change, so that a guard that moves is noticed the same day;
// `nightly/every-guard.test.ts` takes one after another out, and expects a walk to fail.
export type Walk = 'every-surface' | 'every-page' | 'every-field' | 'audiences'

export interface Guard {
  name: string
  walk: Walk
  /** In server/src. */
  file: string
  /** Exists once in the file. */
  from: string
  to: string
}

const ANYONE = `({ keyId: '1', userId: '1', username: 'ada', name: '', prefix: '', scopes: new Set(['search', 'maps', 'translate', 'answers', 'read', 'read_any']), createdAt: new Date() } as never)`
const FIRST_ROUTE = "  http.get('/livez',"

export const GUARDS: readonly Guard[] = [
  {
    name: 'a request without a key',
    walk: 'every-surface',
    file: 'api/pipeline/serve-endpoint.ts',
    from: 'const key = await authenticate(request)',
    to: `const key = request.headers.authorization ? await authenticate(request) : ${ANYONE}`,
  },
  {
    name: 'an MCP message without a key',
    walk: 'every-surface',
    file: 'compat/mcp/mcp-api.ts',
    from: 'const key = await authenticate(request)',
    to: `const key = request.headers.authorization ? await authenticate(request) : ${ANYONE}`,
  },
  {
    name: 'the secret of a key',
    walk: 'every-surface',
    file: 'keys/verify-key.ts',
    from: "if (!timingSafeEqual(hashSecret(secret), found.secretHash)) return refused('unknown')",
    to: '',
  },
  {
    name: 'a service that has a password',
    walk: 'every-page',
    file: 'accounts/sign-in.ts',
    from: "    .where('is_service', '=', false)\n",
    to: '',
  },
  {
    name: 'the keys of people before administrators',
    walk: 'every-page',
    file: 'site/accounts/service-account-pages.ts',
    from: "  if (!user.isService) throw new PageError('notFound')\n",
    to: '',
  },
  {
    name: 'a revoked key',
    walk: 'every-surface',
    file: 'keys/verify-key.ts',
    from: "if (found.isRevoked) return refused('revoked')",
    to: '',
  },
  {
    name: 'the key of a disabled account',
    walk: 'every-surface',
    file: 'keys/verify-key.ts',
    from: "if (found.isDisabled) return refused('disabled')",
    to: '',
  },
  {
    name: 'the network that wrong keys come from',
    walk: 'every-surface',
    file: 'api/pipeline/authenticate.ts',
    from: 'throttle.record(address)',
    to: '',
  },
  {
    name: 'the scope of an endpoint',
    walk: 'every-surface',
    file: 'api/pipeline/serve-endpoint.ts',
    from: 'requireScope(key, scope)',
    to: '',
  },
  {
    name: 'the scope of what a body asks of Firecrawl',
    walk: 'every-surface',
    file: 'compat/firecrawl/firecrawl-api.ts',
    from: 'requireScope(call.key, scope)',
    to: '',
  },
  {
    name: 'the scope of an MCP tool',
    walk: 'every-surface',
    file: 'compat/mcp/mcp-server.ts',
    from: 'call.key.scopes.has(scope) && ',
    to: '',
  },
  {
    name: 'the scope of a key in a URL',
    walk: 'every-surface',
    file: 'compat/key-location.ts',
    from: 'if (key.scopes.has(URL_KEY_SCOPE)) return key',
    to: 'return key',
  },
  {
    name: 'the limits of a key',
    walk: 'every-surface',
    file: 'api/pipeline/admission.ts',
    from: 'if (refusal) throw refusal',
    to: '',
  },
  {
    name: 'the size of a body whose length is declared',
    walk: 'every-surface',
    file: 'api/pipeline/read-body.ts',
    from: 'const bytes = length > maxBytes ? TOO_LARGE : await readBytes(request, maxBytes)',
    to: 'const bytes = await readBytes(request, maxBytes)',
  },
  {
    name: 'the size of a body whose length is not declared',
    walk: 'every-surface',
    file: 'api/pipeline/read-body.ts',
    from: 'if (length > maxBytes) stop(TOO_LARGE)',
    to: 'if (false) stop(TOO_LARGE)',
  },
  {
    name: 'the bounds of a form for OAuth',
    walk: 'every-surface',
    file: 'compat/mcp/mcp-oauth.ts',
    from: 'if (fields instanceof Refusal) throw fields',
    to: '',
  },
  {
    name: 'the bounds of what an OAuth client says of itself',
    walk: 'every-surface',
    file: 'compat/mcp/mcp-oauth.ts',
    from: 'if (body instanceof Refusal) throw body',
    to: '',
  },
  {
    name: 'the type of a body',
    walk: 'every-surface',
    file: 'api/pipeline/read-body.ts',
    from: '!BODY_TYPES.some((known) => known === type) || ',
    to: '',
  },
  {
    name: 'the number of parameters',
    walk: 'every-surface',
    file: 'http/http-server.ts',
    from: 'else if (hasTooManyParams(request.url))',
    to: 'else if (false)',
  },
  {
    name: 'the names of the instance',
    walk: 'every-surface',
    file: 'http/http-server.ts',
    from: 'parts.isAllowedHost?.(request.host) === false',
    to: 'false',
  },
  {
    name: 'the load of the process',
    walk: 'every-surface',
    file: 'http/http-server.ts',
    from: 'if (load.isFull && ',
    to: 'if (false && ',
  },
  {
    name: 'the token of the metrics',
    walk: 'every-surface',
    file: 'http/http-server.ts',
    from: 'if (!isAllowed(request.headers.authorization))',
    to: 'if (false)',
  },
  {
    name: 'the methods of an endpoint',
    walk: 'every-surface',
    file: 'api/api-router.ts',
    from: "    refuseOtherMethods(http, { path, methods: post ? ['GET', 'POST'] : ['GET'] })",
    to: '',
  },
  {
    name: 'a new route that declares nothing',
    walk: 'every-surface',
    file: 'http/http-server.ts',
    from: FIRST_ROUTE,
    to: `  http.get('/new', () => 'everything')\n${FIRST_ROUTE}`,
  },
  {
    name: 'a new route for everyone',
    walk: 'every-surface',
    file: 'http/http-server.ts',
    from: FIRST_ROUTE,
    to: `  http.get('/new', { config: { surface: OPEN } }, () => 'everything')\n${FIRST_ROUTE}`,
  },
  {
    name: 'a new route that says it needs a key and takes none',
    walk: 'every-surface',
    file: 'http/http-server.ts',
    from: FIRST_ROUTE,
    to: `  http.get('/new', { config: { surface: { access: 'key' } } }, () => 'everything')\n${FIRST_ROUTE}`,
  },
  {
    name: 'who may see a page',
    walk: 'every-page',
    file: 'site/http/serve-page.ts',
    from: "if (access === 'admin' && !viewer.isAdmin) throw new PageError('forbidden')",
    to: '',
  },
  {
    name: 'a page for people who are signed in',
    walk: 'every-page',
    file: 'site/http/serve-page.ts',
    from: "if (!viewer && access === 'searcher' && isPublic) return undefined",
    to: "if (!viewer && access === 'searcher') return undefined",
  },
  {
    name: 'the token of a form',
    walk: 'every-page',
    file: 'site/http/serve-page.ts',
    from: "if (page.method === 'POST') requireToken(request, body, context)",
    to: '',
  },
  {
    name: 'the site that a form comes from',
    walk: 'every-page',
    file: 'site/http/serve-page.ts',
    from: 'if (!isFromHere || ',
    to: 'if (',
  },
  {
    name: 'confirming who it is',
    walk: 'every-page',
    file: 'site/http/serve-page.ts',
    from: 'if (confirmation) return await send(reply, context, confirmation)',
    to: '',
  },
  {
    name: 'a second factor that is due',
    walk: 'every-page',
    file: 'site/http/serve-page.ts',
    from: 'if (viewer?.mustEnrol && !duringEnrolment) {',
    to: 'if (false) {',
  },
  {
    name: 'the limits of a searcher',
    walk: 'every-page',
    file: 'site/http/serve-page.ts',
    from: 'if (page.quota) await consumeQuota(frame, page.quota, context)',
    to: '',
  },
  {
    name: 'the attempts to sign in',
    walk: 'every-page',
    file: 'accounts/sign-in-limits.ts',
    from: 'const attempt = throttle.begin([own, ...shared])',
    to: 'const attempt = throttle.begin([])',
  },
  {
    name: 'a page whose declaration lost its limit',
    walk: 'every-page',
    file: 'site/maps/maps-page.ts',
    from: "  quota: 'search',\n",
    to: '',
  },
  {
    name: 'a form whose declaration lost its confirmation',
    walk: 'every-page',
    file: 'site/accounts/user-pages.ts',
    from: "    access: 'admin',\n    stepUp: '/admin/users/new',\n    form:",
    to: "    access: 'admin',\n    form:",
  },
  {
    name: 'the log, of URLs',
    walk: 'every-field',
    file: 'http/access-log.ts',
    from: 'log.info({ request: id, method, route, status, ms, key: keyId })',
    to: 'log.info({ request: id, method, route, status, ms, key: keyId, url: request.url })',
  },
  {
    name: 'the log, of what a client calls itself',
    walk: 'every-field',
    file: 'http/access-log.ts',
    from: 'log.info({ request: id, method, route, status, ms, key: keyId })',
    to: "log.info({ request: id, method, route, status, ms, key: keyId, agent: request.headers['user-agent'] })",
  },
  {
    name: 'the names of metrics, of paths',
    walk: 'every-field',
    file: 'http/access-log.ts',
    from: 'metrics.request(route, status, ms)',
    to: 'metrics.request(request.url, status, ms)',
  },
  {
    name: 'values in Redis, of queries',
    walk: 'every-field',
    file: 'cache/response-encryption.ts',
    from: "encrypt: (text, key) => encryption.encrypt(Buffer.from(text), key).toString('base64'),",
    to: 'encrypt: (text) => text,',
  },
  {
    name: 'the key of an answer, of rules about sites',
    walk: 'audiences',
    file: 'search/caller.ts',
    from: "`${isRelayed ? 'relayed ' : ''}${rules?.id ?? ''}`",
    to: "`${isRelayed && rules ? '' : ''}`",
  },
]
