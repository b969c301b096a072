// Stands between an instance and the sandbox as every provider and every page at once, and hides text in each reply: in
// every text and address of JSON, XML and HTML, raw and as entities, each character that Unicode calls invisible in turn.
// Longer texts begin with `SAMPLE`, whose invisible characters are needed and must stay.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Persian, Hindi, a profession with a skin tone, a keycap and a flag. Short enough not to be cut on the website. */
export const SAMPLE = 'می‌خواهم क्‍ष क्‌ष 👩🏽‍🚀 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿'

/** Signs below and around numbers of Arabic, Syriac and Kaithi are called format characters, and are seen. */
const SEEN = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u
const HIDDEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Variation_Selector}\u2800\u{1d159}]/u

const isHidden = (character: string): boolean => HIDDEN.test(character) && !SEEN.test(character)

/** Where a text has invisible characters that aren't part of the sample. */
export const leaksIn = (text: string): string[] => {
  const rest = text.replaceAll(SAMPLE, '')
  const leaks = [...rest.matchAll(new RegExp(HIDDEN, 'gu'))].filter(([character]) => isHidden(character))
  return leaks.map(({ index }) => JSON.stringify(rest.slice(Math.max(0, index - 60), index + 60)))
}

const EVERY_CHARACTER = Array.from({ length: 0x110000 }, (_, code) => code).filter(
  (code) => code < 0xd800 || code > 0xdfff,
)
export const INVISIBLE: readonly string[] = EVERY_CHARACTER.map((code) => String.fromCodePoint(code)).filter(isHidden)

const PER_TEXT = 400
/** Addresses of more than 2,048 characters are dropped, and one of these takes twelve. */
const PER_ADDRESS = 40

/** Members whose values are texts even if they are single words. */
const TEXTS = new Set(
  'title name description snippet content text author publisher source label extract original correction'.split(' '),
)

export interface HostileUpstream {
  url: string
  /** The characters that were sent since the last time. */
  takeSent: () => ReadonlySet<string>
  close: () => Promise<void>
}

export async function startHostileUpstream(sandboxUrl: string): Promise<HostileUpstream> {
  let sent = new Set<string>()
  let next = 0
  const hidden = (count: number): string => {
    const taken = Array.from({ length: count }, () => INVISIBLE[next++ % INVISIBLE.length] ?? '')
    for (const character of taken) sent.add(character)
    return taken.join('')
  }

  const server = createServer((incoming, response) => {
    void (async () => {
      const { method = 'GET', url = '/', headers } = incoming
      const { status, type, body } = await forward(sandboxUrl + url, { method, headers, body: await buffer(incoming) })
      const spoilt = url.includes('robots.txt') ? body : spoil(type, body, hidden)
      response.writeHead(status, { 'content-type': type }).end(spoilt)
    })().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server has an address with a port
  return {
    url: `http://127.0.0.1:${port}`,
    takeSent() {
      const taken = sent
      sent = new Set()
      return taken
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

interface Forwarded {
  method: string
  headers: IncomingHttpHeaders
  body: Buffer
}

async function forward(url: string, { method, headers, body }: Forwarded) {
  const { 'accept-encoding': _, host: __, connection: ___, ...passed } = headers
  const asked = request(url, { method, headers: passed, agent: false }).end(body)
  const [response] = await once(asked, 'response')
  const type = String(response.headers['content-type'] ?? '')
  return { status: Number(response.statusCode), type, body: (await buffer(response)).toString() }
}

type Hidden = (count: number) => string

function spoil(type: string, body: string, hidden: Hidden): string {
  if (type.includes('json')) return JSON.stringify(spoilValue(JSON.parse(body), '', hidden))
  if (!/html|xml/.test(type)) return body
  return body
    .replace(/>([^<>]*\s[^<>]*)</g, (whole, text: string) =>
      text.trim() === '' ? whole : `>${spoilText(text, hidden)}<`,
    )
    .replace(/ content="([^"]*)"/g, (whole, text: string) =>
      /^\d|:\/\//.test(text) ? whole : ` content="${spoilText(text, hidden)}"`,
    )
}

function spoilValue(value: unknown, name: string, hidden: Hidden): unknown {
  if (Array.isArray(value)) return value.map((item) => spoilValue(item, name, hidden))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([member, item]) => [member, spoilValue(item, member, hidden)]))
  if (typeof value !== 'string' || value === '') return value
  if (/^https?:\/\/[^\s/]+\//.test(value)) return `${value}${value.includes('?') ? '&x=' : '/'}${hidden(PER_ADDRESS)}`
  return /\s/.test(value) || TEXTS.has(name) ? spoilText(value, hidden) : value
}

/** Between two letters of the text, where no script needs them; half of them as entities. */
function spoilText(text: string, hidden: Hidden): string {
  const raw = hidden(PER_TEXT)
  const entities = Array.from(hidden(PER_TEXT / 4), (character) => `&#x${character.codePointAt(0)?.toString(16)};`)
  const all = raw + entities.join('')
  const at = /[a-z][a-z]/i.exec(text)?.index
  const spoilt = at === undefined ? `${text} a${all}b` : `${text.slice(0, at + 1)}${all}${text.slice(at + 1)}`
  return text.split(/\s+/).length > 3 ? `${SAMPLE} ${spoilt}` : spoilt
}
