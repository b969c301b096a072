// The `html` tagged template: everything interpolated into it is escaped, in text and in quoted attributes alike,
// unless it is already `Html`. That is the only way to produce markup, so a page is safe by its types and not by its
// author's care.
//
// Two things are up to the author, and tests check them: attribute values must be in double quotes, and an external URL
// must go through `engines/src/parsing/http-address.ts` before it becomes an `href`. There are no inline scripts or styles.

/** Markup that is not escaped again. Create it with `html`; by hand only for text that this program itself wrote. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * What a template accepts. `false`, `null` and `undefined` render nothing, so that `isOpen && html`…`` reads well.
 */
export type Piece = Html | string | number | false | null | undefined | readonly Piece[]

export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  let text = strings[0] ?? ''
  for (let at = 0; at < pieces.length; at++) text += rendered(pieces[at]) + (strings[at + 1] ?? '')
  return new Html(text)
}

/** Joins pieces with a separator. */
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

/** Most text has nothing to escape and is returned as it is. */
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
