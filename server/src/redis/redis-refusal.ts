// Names the reason why Redis refuses, in one word that is safe to log: the code at the start of an error reply, or what
// happened to the connection. Only known words are passed on, since the rest of a reply can quote a value.

/** The server is up but unusable for now: it takes no writes, or doesn't let us in. */
const UNAVAILABLE = new Set([
  'READONLY',
  'OOM',
  'LOADING',
  'MISCONF',
  'NOAUTH',
  'WRONGPASS',
  'MASTERDOWN',
  'NOREPLICAS',
  'CLUSTERDOWN',
  'BUSY',
])
/** The server works, but not for this command. */
const OTHERS = new Set(['ERR', 'WRONGTYPE', 'NOPERM', 'MOVED', 'ASK', 'CROSSSLOT', 'NOSCRIPT', 'EXECABORT', 'NOPROTO'])

/** Redis 6 wraps the error of a command in a script in its own error. */
const IN_SCRIPT = /^ERR Error running script\b[^\n]*?: -?(?=[A-Z]+ )/
/** ioredis's messages. */
const TIMEOUT = /^(?:Command timed out$|Socket timeout)/
const SYSTEM_CODE = /^[A-Z][A-Z0-9_]{2,40}$/

/** The code of an error reply; undefined for any other error, and for a code that is not known. */
function replyCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return undefined
  const [code = ''] = error.message.replace(IN_SCRIPT, '').split(' ', 1)
  return UNAVAILABLE.has(code) || OTHERS.has(code) ? code : undefined
}

export const isUnavailable = (error: unknown): boolean => UNAVAILABLE.has(replyCode(error) ?? '')

const LASTING = new Set(['NOAUTH', 'WRONGPASS', 'NOPERM', 'MOVED'])
/** Codes of Node and OpenSSL: one side doesn't accept a certificate or a protocol. */
const OF_TLS = /CERT|SIGNATURE|^ERR_SSL_|^ERR_TLS_|^EPROTO$/

/** The reason, if Redis will refuse us until an operator changes something; undefined if it may recover by itself. */
export function lastingRefusalOf(error: Error | undefined): string | undefined {
  if (!error) return undefined
  if (isWithoutCluster(error)) return 'STANDALONE'
  const reason = reasonOf(error)
  return LASTING.has(reason) || OF_TLS.test(reason) ? reason : undefined
}

/** The address names a cluster, but the server isn't part of one. */
const isWithoutCluster = (error: Error): boolean =>
  error.name === 'ReplyError' && error.message.includes('cluster support disabled')

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = replyCode(error)
  if (code !== undefined) return code
  if (error.name === 'ReplyError') return 'refused'
  if (TIMEOUT.test(error.message)) return 'timeout'
  if ('code' in error && typeof error.code === 'string' && SYSTEM_CODE.test(error.code)) return error.code
  return 'closed'
}
