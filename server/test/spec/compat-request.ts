// Sends a request over HTTP as the clients of a compatible API do.

export interface CompatReply {
  status: number
  headers: Headers
  text: string
}

interface CompatRequest {
  key: string
  /** Sent as a POST, as JSON unless it is a string; without a body the request is a GET. */
  body?: unknown
  scheme?: 'Bearer' | 'Api-Key'
}

export async function sendTo(url: string, path: string, { key, body, scheme }: CompatRequest): Promise<CompatReply> {
  const isPosted = body !== undefined
  const response = await fetch(url + path, {
    method: isPosted ? 'POST' : 'GET',
    headers: {
      authorization: `${scheme ?? 'Bearer'} ${key}`,
      accept: 'application/json, text/event-stream',
      ...(isPosted && { 'content-type': 'application/json' }),
    },
    ...(isPosted && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
