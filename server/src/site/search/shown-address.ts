// Formats a URL for people: `example.org › guides › oak`. Escapes are decoded, unless that would give characters that
// reverse or hide the text next to them.
import { characterKind } from '@bowerbird/engines/parsing/plain-text.ts'
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import { shortened } from './shortened.ts'

const LONGEST_PATH = 80
const MOST_PARTS = 6

export function shownAddress(address: string): { host: string; path: string } {
  const host = hostOf(address)
  const plain = address.split(/[?#]/, 1)[0] ?? ''
  const start = plain.indexOf('/', plain.indexOf('//') + 2)
  if (start === -1) return { host, path: '' }
  const parts = plain.slice(start).split('/').filter(Boolean)
  const shown = parts.length > MOST_PARTS ? [...parts.slice(0, MOST_PARTS - 1), '…', parts.at(-1) ?? ''] : parts
  return { host, path: shortened(shown.map(decoded).join(' › '), LONGEST_PATH) }
}

function decoded(part: string): string {
  if (!part.includes('%')) return part
  try {
    const text = decodeURIComponent(part)
    for (let at = 0; at < text.length; at++) if (characterKind(text.charCodeAt(at)) === 'disturber') return part
    return text
  } catch {
    // Not valid UTF-8; it stays as it is.
    return part
  }
}
