// The `html` tagged template: everything interpolated into it is escaped, in text and in quoted attributes alike,
// unless it is already `Html`. Pages produce all their markup this way, so their safety follows from the types and
// doesn't depend on their authors' care.
//
// Two things are up to the author, and tests check them: attribute values must be in double quotes, and an external URL
// must go through `engines/src/parsing/http-address.ts` before it becomes an `href`. There are no inline scripts or styles.

/** Markup that is not escaped again. Create it with `html`; use `new` only for markup that this program generated. */
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
  for (let at = 0; at < pieces.length; at++) text += render(pieces[at]) + (strings[at + 1] ?? '')
  return new Html(text)
}

/** Joins pieces with a separator. */
export function joined(pieces: readonly Piece[], between: Piece = ''): Html {
  const separator = render(between)
  let text = ''
  for (const piece of pieces) {
    const rendered = render(piece)
    if (rendered !== '') text += text === '' ? rendered : separator + rendered
  }
  return new Html(text)
}

function render(piece: Piece): string {
  if (typeof piece === 'string') return escapeText(piece)
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'number') return String(piece)
  if (!Array.isArray(piece)) {
    // The type of a text doesn't say whether it has values.
    if (typeof piece === 'function') throw new TypeError('a text without its values')
    return ''
  }
  let text = ''
  for (const inner of piece) text += render(inner)
  return text
}

const SPECIAL = /[&<>"']/

/** Most text has nothing to escape and is returned as it is. */
function escapeText(text: string): string {
  const first = text.search(SPECIAL)
  if (first === -1) return text
  let safe = ''
  let copiedTo = 0
  for (let at = first; at < text.length; at++) {
    const entity = ENTITIES[text.charCodeAt(at)]
    if (entity === undefined) continue
    safe += text.slice(copiedTo, at) + entity
    copiedTo = at + 1
  }
  return safe + text.slice(copiedTo)
}

const ENTITIES: Record<number, string | undefined> = { 34: '&quot;', 38: '&amp;', 39: '&#39;', 60: '&lt;', 62: '&gt;' }
