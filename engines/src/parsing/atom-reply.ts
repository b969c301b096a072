// Reads an Atom feed with plain string searches, in time linear in the body: only elements by name and link attributes.
// Text keeps its markup and entities, which the readers of titles and descriptions remove.

import type { ProviderReply } from '../engine.ts'
import { UpstreamError } from '../upstream-error.ts'
import { statusError } from './status-error.ts'

const LINK = '<link '
const LONGEST_LINK = 3000

/** The contents of every element with this name, in order. */
export function elementsIn(xml: string, name: string): string[] {
  const found: string[] = []
  let at = 0
  for (;;) {
    const start = xml.indexOf(`<${name}`, at)
    const opened = start === -1 ? -1 : xml.indexOf('>', start)
    if (opened === -1) return found
    at = opened + 1
    if (!/[\s>]/.test(xml.charAt(start + name.length + 1))) continue
    if (xml.charAt(opened - 1) === '/') continue
    const end = xml.indexOf(`</${name}>`, at)
    if (end === -1) return found
    found.push(xml.slice(at, end))
    at = end
  }
}

function attributeIn(attributes: string, name: string): string {
  const [, value = ''] = ` ${attributes}`.split(` ${name}="`, 2)
  return value.slice(0, Math.max(0, value.indexOf('"'))).replaceAll('&amp;', '&')
}

/** The URL of the first link with this title, or ''. */
export function linkIn(xml: string, title: string): string {
  for (let start = xml.indexOf(LINK); start !== -1; ) {
    const end = xml.indexOf('>', start)
    if (end === -1) return ''
    const attributes = xml.slice(start + LINK.length, Math.min(end, start + LONGEST_LINK))
    if (attributeIn(attributes, 'title') === title) return attributeIn(attributes, 'href')
    start = xml.indexOf(LINK, end)
  }
  return ''
}

/** Returns the feed's entries. Throws UpstreamError for an error status or a body that isn't a complete feed. */
export function atomEntries(reply: ProviderReply, { now }: { now: number }): string[] {
  if (reply.status < 200 || reply.status > 299) throw statusError(reply, now)
  const body = reply.body.trim()
  if (!/^(?:<\?xml[^>]{0,200}>\s*)?<feed[\s>]/.test(body) || !body.endsWith('</feed>')) {
    throw new UpstreamError('malformed', 'The provider answered with something that is not a whole feed.')
  }
  return elementsIn(body, 'entry')
}
