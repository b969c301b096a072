// Removes what nobody sees: characters that hide text from people and show it to language models, or that change how the
// text around them is read. Pages and providers both send them. What scripts and emoji need stays.

/**
 * What Unicode calls ignorable, which includes zero-width spaces, soft hyphens, direction marks, fillers, variation
 * selectors and the tag block; control characters except white space; and controls of direction, annotations, hieroglyphs
 * and notes. Blank Braille is as good as a space.
 */
const INVISIBLE =
  /(?![\t-\r\x85])[\p{Default_Ignorable_Code_Point}\p{Cc}\u202a-\u202e\u2066-\u2069\u2800\ufff9-\ufffb\u{13430}-\u{1343f}\u{1d159}]/u

const ONE = INVISIBLE.source
/** The only flags that are written with tag characters: England, Scotland and Wales. */
const FLAG =
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}'
const FLAG_OR_INVISIBLE = new RegExp(`${FLAG}|${ONE}`, 'gu')

const LETTER_OR_MARK = /^[\p{L}\p{M}]$/u
/** Their letters aren't joined. */
const WITHOUT_JOINERS =
  /^[\p{Default_Ignorable_Code_Point}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Han}\p{sc=Hangul}]$/u
const MONGOLIAN = /^\p{sc=Mongolian}$/u
const SKIN_TONE = /^[\u{1f3fb}-\u{1f3ff}]$/u
const EMOJI_SELECTOR = '\ufe0f'
const PICTURE = /^\p{Extended_Pictographic}$/u
const EMOJI = /^\p{Emoji}$/u
const KEYCAP = /^[\d#*]$/

const isJoined = (character: string): boolean => LETTER_OR_MARK.test(character) && !WITHOUT_JOINERS.test(character)

/** Whether a script or an emoji needs the invisible character between two pieces of text. */
function isNeeded(character: string, before: string, after: string): boolean {
  const [last = '', beforeLast = ''] = Array.from(before).reverse()
  const picture = SKIN_TONE.test(last) || last === EMOJI_SELECTOR ? beforeLast : last
  const [next = ''] = after
  switch (character) {
    case '\u200d':
      return (isJoined(last) && isJoined(next)) || (PICTURE.test(picture) && PICTURE.test(next))
    case '\u200c':
      return isJoined(last) && isJoined(next)
    case '\ufe0e':
    case '\ufe0f':
      return KEYCAP.test(last) ? next === '\u20e3' : EMOJI.test(last)
    default:
      return character >= '\u180b' && character <= '\u180f' && MONGOLIAN.test(last) && !INVISIBLE.test(last)
  }
}

export const hasInvisible = (text: string): boolean => INVISIBLE.test(text)

/** White space stays as it is, line breaks included. */
export function visibleText(text: string): string {
  if (!hasInvisible(text)) return text
  return text.replace(FLAG_OR_INVISIBLE, (found: string, at: number) => {
    if (found === '\u2800') return ' '
    const end = at + found.length
    const isFlag = found.length > 2
    // An emoji with a skin tone has four units.
    return isFlag || isNeeded(found, text.slice(Math.max(0, at - 4), at), text.slice(end, end + 2)) ? found : ''
  })
}

/** For an address, which stays the same one. */
export const escapeInvisible = (address: string): string =>
  hasInvisible(address) ? address.replace(FLAG_OR_INVISIBLE, encodeURIComponent) : address
