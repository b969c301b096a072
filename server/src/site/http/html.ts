// The `html` tagged template: everything put into it is escaped, in text and in quoted attributes alike, unless it is
// `Html` already. That is the only way to markup, so a page is safe by its types and not by the care of its author.
//
// Two things are the author's duty, and tests hold them: an attribute's value stands in double quotes, and an address of
// somebody else's has been through `text/http-address.ts` before it becomes an `href`. There is no inline script or style.

/** Markup that is meant as such. Made by `html`; made by hand only around text that this program itself wrote. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What may stand in a template. `false`, `null` and `undefined` are nothing, so that `isOpen && html`…`` reads well. */
export type Piece = Html | string | number | false | null | undefined | readonly Piece[]

export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  let text = strings[0] ?? ''
  for (let at = 0; at < pieces.length; at++) text += rendered(pieces[at]) + (strings[at + 1] ?? '')
  return new Html(text)
}

/** Pieces side by side, with something between them. */
export function joined(pieces: readonly Piece[], between: Piece = ''): Html {
  const separator = rendered(between)
  let text = ''
  for (const piece of pieces) {
    const one = rendered(piece)
    if (one !== '') text += text === '' ? one : separator + one
  }
  return new Html(text)
}

function rendered(piece: Piece): string {
  if (typeof piece === 'string') return escaped(piece)
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'number') return String(piece)
  if (!Array.isArray(piece)) return ''
  let text = ''
  for (const one of piece) text += rendered(one)
  return text
}

const SPECIAL = /[&<>"']/

/** Most text has nothing to escape, and is then given back as it is. */
function escaped(text: string): string {
  const first = text.search(SPECIAL)
  if (first === -1) return text
  let safe = ''
  let kept = 0
  for (let at = first; at < text.length; at++) {
    const entity = ENTITIES[text.charCodeAt(at)]
    if (entity === undefined) continue
    safe += text.slice(kept, at) + entity
    kept = at + 1
  }
  return safe + text.slice(kept)
}

const ENTITIES: Record<number, string | undefined> = { 34: '&quot;', 38: '&amp;', 39: '&#39;', 60: '&lt;', 62: '&gt;' }
