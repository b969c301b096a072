// Turns the text of a paragraph, in the pieces between a page's tags, into runs: white space collapsed across tags, no
// empty runs, and pieces that look the same joined.
import type { Run } from './blocks.ts'
import { collapsed } from './clean-text.ts'

export const BREAK: Run = { text: '\n' }

const looksLike = (one: Run, other: Run): boolean =>
  one.link === other.link &&
  Boolean(one.isCode) === Boolean(other.isCode) &&
  Boolean(one.isStrong) === Boolean(other.isStrong) &&
  Boolean(one.isEmphasised) === Boolean(other.isEmphasised)

export function tidyRuns(pieces: readonly Run[]): Run[] {
  const runs: Run[] = []
  let endsInSpace = true
  for (const piece of pieces) {
    const last = runs.at(-1)
    if (piece === BREAK) {
      // Never first, and never two in a row: breaks must not draw gaps between paragraphs.
      if (last && last !== BREAK) {
        trimEnd(runs)
        runs.push(BREAK)
      }
      endsInSpace = true
      continue
    }
    let text = collapsed(piece.text)
    if (endsInSpace && text.startsWith(' ')) text = text.slice(1)
    if (text === '') continue
    endsInSpace = text.endsWith(' ')
    if (last && last !== BREAK && looksLike(last, piece)) last.text += text
    else runs.push({ ...piece, text })
  }
  trimEnd(runs)
  return runs
}

/** Removes trailing breaks and spaces. */
function trimEnd(runs: Run[]): void {
  for (let last = runs.at(-1); last; last = runs.at(-1)) {
    if (last !== BREAK) last.text = last.text.trimEnd()
    if (last !== BREAK && last.text !== '') return
    runs.pop()
  }
}
