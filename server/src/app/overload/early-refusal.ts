// What an overloaded node would refuse, refused before anything else is done for it. A refusal in the handler costs a
// fifth of a search, and with three times the load a node can bear there are two of them for every search.
//
// Only what the API's costly endpoints would refuse for certain is refused here: a request with a key that is known to be
// good, or any at all when even cheap ones are refused. All others, such as those of browsers, which get a page or need
// CORS headers, take the usual way and may be refused there. Nobody traces what is refused here.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CostlyPaths } from '../../api/api-router.ts'
import { readApiKey } from '../../api/pipeline/authenticate.ts'
import { FOR_NOBODY_ELSE } from '../../api/pipeline/serve-endpoint.ts'
import type { KeyVerifier } from '../../keys/verify-key.ts'
import type { LoadShedder, OverloadRefusal, RequestCost } from '../../limits/load-shedder.ts'
import type { RecordRequest } from '../access-log.ts'
import { DATA_POLICY, HTTPS_ONLY } from '../common-headers.ts'

interface EarlyRefusalParts {
  load: LoadShedder
  keys: Pick<KeyVerifier, 'verifyCached'>
  costlyPaths: CostlyPaths
  publicUrl: string
  /** False while the instance drains. */
  isReady: () => boolean
  record: RecordRequest
}

/** Whether the request was refused; then it is answered. */
export type RefuseEarly = (request: IncomingMessage, response: ServerResponse) => boolean

export function createEarlyRefusal(parts: EarlyRefusalParts): RefuseEarly {
  const { load, keys, costlyPaths, record } = parts
  /** There are only a few. */
  const written = new Map<OverloadRefusal, WrittenRefusal>()
  const remember = (refusal: OverloadRefusal): WrittenRefusal => {
    const text = write(refusal, parts.publicUrl)
    written.set(refusal, text)
    return text
  }

  /** The key's id, if the key is good. */
  const keyIdOf = (authorization: string | undefined): string | undefined => {
    const presented = authorization === undefined ? undefined : readApiKey(authorization)
    const verdict = presented === undefined ? undefined : keys.verifyCached(presented)
    return verdict?.ok ? verdict.key.keyId : undefined
  }

  const refuse = (response: ServerResponse, refused: { route: string; keyId?: string; cost: RequestCost }): true => {
    load.refused[refused.cost]++
    const refusal = load.refusal()
    const { status } = refusal
    const { headers, body } = written.get(refusal) ?? remember(refusal)
    const id = randomUUID()
    const connection = parts.isReady() ? [] : ['Connection', 'close']
    response.writeHead(status, [...headers, 'X-Request-Id', id, ...connection]).end(body)
    record({ id, method: 'GET', status, ms: load.delayMs, route: refused.route, keyId: refused.keyId })
    return true
  }

  return (request, response) => {
    if (!load.isOverloaded) return false
    const { url = '', method, headers } = request
    if (method !== 'GET' || headers.origin !== undefined) return false
    const query = url.indexOf('?')
    const path = costlyPaths.get(query === -1 ? url : url.slice(0, query))
    if (!path) return false
    if (load.wouldRefuse('cheap')) return refuse(response, { route: path.route, cost: 'cheap' })
    if (!load.wouldRefuse('costly') || !path.isCostly(url)) return false
    const keyId = keyIdOf(headers.authorization)
    return keyId !== undefined && refuse(response, { route: path.route, keyId, cost: 'costly' })
  }
}

interface WrittenRefusal {
  /** Names and values in turn. */
  headers: string[]
  body: string
}

function write(refusal: OverloadRefusal, publicUrl: string): WrittenRefusal {
  const body = JSON.stringify(refusal.body)
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': DATA_POLICY,
    'Cache-Control': FOR_NOBODY_ELSE,
    ...(publicUrl.startsWith('https://') && { 'Strict-Transport-Security': HTTPS_ONLY }),
    ...refusal.headers,
  }
  return { headers: Object.entries(headers).flat(), body }
}
