// QR codes: `qr code https://example.com`, `qr "hello"`, `qr: hello`, `qr hello`. `qr code for business cards`, `qr
// code scanner` and the like are ordinary searches and stay unanswered: the content must be an address, be in quotation
// marks, follow a colon, or be one word after `qr` that people don't search for together with it. The address is
// never visited.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { isSample, quoted } from '../lib/payload.ts'

const NAME = '(?:an?\\s+)?qr(?:[- ]?code)?(?:\\s+generator)?'
const TRIGGER = new RegExp(
  `^((?:generate|create|make)\\s+)?${NAME}(\\s+(?:of|for))?(\\s*:(?!/)\\s*|\\s+)([\\s\\S]+)$`,
  'i',
)
/** `https://example.com qr code`. */
const ADDRESS_FIRST = /^(https?:\/\/\S{3,400}) qr(?:[- ]?code)?$/i
const ADDRESS =
  /^(?:(?:https?|ftp|mailto|tel|sms|geo|otpauth|bitcoin|wifi|matmsg|magnet|market):\S+|wifi:.+|www\.\S+\.\S+)$/i
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.){1,4}[a-z]{2,24}(?:\/\S*)?$/i
const MAILBOX = /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}$/
const QUOTED = /^(?:"([\s\S]+)"|'([\s\S]+)'|“([\s\S]+)”|«([\s\S]+)»)$/
/** `qr` and one word. */
const BARE = /^qr ([\p{L}\p{M}'’-]{3,40})$/iu
/** After the full name, only what people try it with. */
const SAMPLE = /^qr[- ]?code ([a-z ]{2,12})$/i
/**
 * The beginnings of words that people search for along with `qr`: about QR codes themselves, Qatar Airways (QR) or the QR
 * decomposition of a matrix, for example.
 */
const SEARCH_WORDS =
  /^(?:code|codigo|kod|scan|read|les|lect|lector|lett|leit|lez|gener|gerad|mak|creat|creer|crear|erstell|app|monkey|tiger|stuff|menu|air|flight|flug|vol|decomp|factor|algorithm|method|matri|pay|pag|pai|bill|rechnung|zahl|pix|ticket|pass|label|etiket|sticker|tag|logo|imag|bild|foto|meaning|bedeut|signif|defin|online|free|gratis|kostenlos|gratuit|whatsapp|wi-?fi|wlan|insta|spotify|youtube|paypal|google|iphone|android|samsung|windows|mac|python|java|excel|word|react|flutter|api|librar|font|design|templat|vector|png|svg|pdf|link|login|web|was|what|que|como|how|wie|for|und|and|vs|tattoo|pin|id|art|card|karte|tarjeta|scam|fraud|betrug|history|inventor|size|format)/i
/** The quiet zone that readers need around the code, in modules. */
const BORDER = 4

export const qrCode = defineAnswer({
  slug: 'qr_code',
  title: 'QR code',
  summary:
    'A QR code, as an SVG image, for a URL, for a single word, or for any text in quotation marks or after a colon.',
  examples: [
    { q: 'qr code https://example.com' },
    { q: 'qr "hello world"' },
    { q: 'qr hello' },
    { q: 'qr code: WIFI:T:WPA;S:home;P:secret;;' },
  ],
  reply: z.object({
    content: z.string(),
    svg: z.string(),
    size: z.int().describe('Modules on each side, without the border.'),
  }),
  match({ asked, folded }) {
    if (!folded.includes('qr')) return null
    const bare = BARE.exec(asked)?.[1]
    if (bare !== undefined && !SEARCH_WORDS.test(bare)) return { content: bare }
    const sample = SAMPLE.exec(asked)?.[1] ?? ''
    if (isSample(sample)) return { content: sample }
    const address = ADDRESS_FIRST.exec(asked)?.[1]
    if (address !== undefined) return { content: address }
    const [, verb, of, separator = '', rest = ''] = TRIGGER.exec(asked) ?? []
    const plain = rest.trim()
    const inQuotes = QUOTED.exec(plain)?.slice(1).find(Boolean)
    if (inQuotes !== undefined) return { content: inQuotes }
    // `qr code web.whatsapp.com` is a search for the code on that page.
    const isDomain = (verb !== undefined || of !== undefined) && DOMAIN.test(plain)
    const isContent = separator.includes(':') || ADDRESS.test(plain) || isDomain || MAILBOX.test(plain)
    return plain !== '' && isContent ? { content: plain } : null
  },
  async answer({ content }) {
    const { svg, size } = await drawQrCode(content)
    return { text: `QR code for ${quoted(content)}, ${size} × ${size} modules`, content, svg, size }
  },
})

/** `size`: modules on each side, without the border. Throws if the content is too long for any code. */
export async function drawQrCode(content: string): Promise<{ svg: string; size: number }> {
  const { encodeQR } = await import('qr')
  // The library draws a border of at least one module; ours is wider, so strip the library's.
  const rows = encodeQR(content, 'raw', { ecc: 'medium', border: 1 })
    .slice(1, -1)
    .map((row) => row.slice(1, -1))
  return { svg: drawSvg(rows), size: rows.length }
}

/** Draws black on a white square, with one rectangle per run of dark modules in a row. */
function drawSvg(rows: readonly boolean[][]): string {
  const side = rows.length + 2 * BORDER
  const rectangles = rows.flatMap((row, y) => {
    const runs = Array.from(
      row
        .map((isDark) => (isDark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    )
    return runs.map((run) => `M${run.index + BORDER} ${y + BORDER}h${run[0].length}v1h-${run[0].length}z`)
  })
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${rectangles.join('')}"/></svg>`
  )
}
