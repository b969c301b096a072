// Connects through the operator's HTTP proxy: a CONNECT request for a tunnel to the target, and then TLS in it, if the
// target has any. The proxy resolves the name of the target; we don't.
//
// undici's ProxyAgent does the same, but reports a refusal of the proxy and a broken handshake with the target alike. An
// operator must be able to tell one from the other, so the two steps are taken here, with undici's CONNECT.
import type { Socket } from 'node:net'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { buildConnector, Pool } from 'undici'

export interface OutgoingProxy {
  /** Scheme, host and port. May be a private address, since the operator named it. */
  origin: string
  /** The `Proxy-Authorization` header, which is a secret; undefined: none. */
  authorization: string | undefined
}

/** Reads `http://user:password@host:port`, or the same with https; undefined if it's anything else. */
export function parseOutgoingProxy(text: string): OutgoingProxy | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') return undefined
  if (url.username === '' && url.password === '') return { origin: url.origin, authorization: undefined }
  try {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    return { origin: url.origin, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
  } catch {
    // A percent sign that encodes nothing.
    return undefined
  }
}

/** The proxy answers once it has reached the target, so this is longer than a connection of our own may take. */
const ANSWER_TIMEOUT_MS = 5_000

/** `timeoutMs` limits the connection to the proxy, and then the TLS handshake with the target. */
export function tunnelConnector(proxy: OutgoingProxy, timeoutMs: number): buildConnector.connector {
  const { origin, authorization } = proxy
  const connect = buildConnector({ allowH2: false, timeout: timeoutMs })
  const proxies = new Pool(origin, {
    // undici takes the name in the certificate from the Host header, which is the target's.
    connect: (options, callback) => connect({ ...options, servername: '' }, callback),
    allowH2: false,
    headersTimeout: ANSWER_TIMEOUT_MS,
  })
  return (target, callback) => {
    const { host = target.hostname, port, protocol } = target
    const authority = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host
    const headers = { host: authority, ...(authorization !== undefined && { 'proxy-authorization': authorization }) }
    proxies.connect({ path: authority, headers }, (error, { statusCode, socket }) => {
      if (error) callback(proxyFault('The outgoing proxy did not answer.', error), null)
      else if (statusCode < 200 || statusCode > 299) {
        socket.on('error', () => undefined).destroy()
        callback(refusal(statusCode), null)
      } else {
        // Declared as any duplex stream, but it is the socket to the proxy.
        const tunnel = socket as Socket
        if (protocol === 'https:') connect({ ...target, httpSocket: tunnel }, callback)
        else callback(null, tunnel)
      }
    })
  }
}

const proxyFault = (message: string, cause?: unknown): UpstreamError =>
  new UpstreamError('unreachable', message, { isProxyFault: true, cause })

function refusal(status: number): UpstreamError {
  if (status === 407) return proxyFault('The outgoing proxy wants other credentials (status 407).')
  const verb = status >= 500 ? 'could not' : 'refused to'
  return proxyFault(`The outgoing proxy ${verb} connect to the provider (status ${status}).`)
}
