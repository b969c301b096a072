// Server-sent events, as the HTML standard has them: lines that end in any of three ways, comments, fields of several
// lines. An event that the connection's end cuts off is dropped.
import { UnexpectedReplyError } from './errors.ts'

export interface ServerSentEvent {
  event: string
  data: string
}

const LONGEST_EVENT = 16 * 1024 * 1024

export async function* serverSentEvents(body: AsyncIterable<string>): AsyncGenerator<ServerSentEvent, void, undefined> {
  let rest = ''
  let event = ''
  let data: string[] = []
  for await (const text of body) {
    rest += text
    // A carriage return at the very end may be the first half of a line's end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    const size = data.reduce((sum, line) => sum + line.length, rest.length)
    if (size > LONGEST_EVENT) throw new UnexpectedReplyError('An event of the stream is too long.')
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { event: event || 'message', data: data.join('\n') }
        event = ''
        data = []
        continue
      }
      const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
      if (field === 'event') event = value
      if (field === 'data') data.push(value)
    }
  }
}

/** Chunks of bytes as text; ending the iteration ends the download. */
export async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
