// Parses the address of Redis: one server, the Sentinels that know which server is the master, or some servers of a
// cluster. URL parsers accept only one host, so this is parsed by hand.
//
//   redis://[user:password@]host[:port][/database]
//   redis+sentinel://[user:password@]host[:port],host[:port]/master[/database]
//   redis+cluster://[user:password@]host[:port],host[:port]
//
// With TLS, each starts with `rediss`. A private CA and a client certificate are files, named by the same parameters as
// in PostgreSQL: `?sslrootcert=…&sslcert=…&sslkey=…`.
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type { RedisOptions } from 'ioredis'
import { Refusal } from '../errors.ts'

export interface RedisHost {
  host: string
  port: number
}

export interface RedisAddress {
  kind: 'single' | 'sentinel' | 'cluster'
  hosts: RedisHost[]
  /** The master's name, with Sentinels. */
  master: string
  username: string
  password: string
  database: number
  isTls: boolean
  parameters: URLSearchParams
}

export const REDIS_URL_HINT =
  'must be redis://host:port, redis+sentinel://host:port,host:port/master or redis+cluster://host:port,host:port; with TLS, rediss instead of redis.'

const FORM = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/
const HOST = /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/i
const REDIS_PORT = 6379
const SENTINEL_PORT = 26379
const PARAMETERS = ['sslrootcert', 'sslcert', 'sslkey', 'sentinel_username', 'sentinel_password']

/** Returns undefined if the address is invalid. */
export function parseRedisAddress(text: string): RedisAddress | undefined {
  const [, scheme, mode, user = '', hostList = '', path = '', query = ''] = FORM.exec(text) ?? []
  if (scheme === undefined) return undefined
  const kind = mode === 'sentinel' || mode === 'cluster' ? mode : 'single'
  const hosts = hostList.split(',').map((host) => parseHost(host, kind === 'sentinel' ? SENTINEL_PORT : REDIS_PORT))
  const [master = '', database = ''] = kind === 'sentinel' ? path.split('/') : ['', path.replace(/\/+$/, '')]
  const parameters = new URLSearchParams(query)
  const [username, password] = splitOnce(user, ':')
  const isValid =
    hosts.every((host) => host !== undefined) &&
    (kind !== 'single' || hosts.length === 1) &&
    (kind === 'sentinel') === (master !== '') &&
    /^\d{0,4}$/.test(database) &&
    (kind !== 'cluster' || Number(database) === 0) &&
    [...parameters.keys()].every((name) => PARAMETERS.includes(name))
  if (!isValid) return undefined
  try {
    return {
      kind,
      hosts: hosts.filter((host) => host !== undefined),
      master: decodeURIComponent(master),
      username: decodeURIComponent(username),
      password: decodeURIComponent(password ?? ''),
      database: Number(database),
      isTls: scheme === 'rediss',
      parameters,
    }
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

function parseHost(text: string, defaultPort: number): RedisHost | undefined {
  const [, ipv6, name, digits] = HOST.exec(text) ?? []
  const port = Number(digits ?? defaultPort)
  const host = ipv6 ?? name
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port }
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)]
}

/** Throws a refusal if a file that the address names can't be read. */
export function redisOptionsOf(address: RedisAddress): RedisOptions {
  const { kind, hosts, master, username, password, database, isTls, parameters } = address
  const tls = isTls ? readTls(parameters) : undefined
  const credentials = { ...(username !== '' && { username }), ...(password !== '' && { password }), db: database }
  if (kind !== 'sentinel') {
    const [host] = hosts
    const options = { ...credentials, ...(tls && { tls }) }
    return kind === 'single' && host ? atHost(options, host) : options
  }
  const [sentinelUsername, sentinelPassword] = [
    parameters.get('sentinel_username'),
    parameters.get('sentinel_password'),
  ]
  return {
    ...credentials,
    sentinels: hosts,
    name: master,
    ...(sentinelUsername !== null && { sentinelUsername }),
    ...(sentinelPassword !== null && { sentinelPassword }),
    ...(tls && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
  }
}

/** The same options for another server of the cluster. */
export const atHost = (options: RedisOptions, { host, port }: RedisHost): RedisOptions => ({
  ...options,
  host,
  port,
  ...(options.tls && { tls: withServerName(options.tls, host) }),
})

/** Sends the host name (SNI), for an address that serves several certificates. */
const withServerName = (tls: ConnectionOptions, host: string): ConnectionOptions =>
  isIP(host) === 0 ? { ...tls, servername: host } : tls

function readTls(parameters: URLSearchParams): ConnectionOptions {
  const read = (name: string) => {
    const path = parameters.get(name)
    if (path === null) return undefined
    try {
      return readFileSync(path)
    } catch {
      throw new Refusal('parameter_invalid', `The file that ${name} names in the address of Redis cannot be read.`)
    }
  }
  const [ca, cert, key] = [read('sslrootcert'), read('sslcert'), read('sslkey')]
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }
}
