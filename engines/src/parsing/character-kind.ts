// Classifies characters by their effect on the text around them. Control characters and those that change the writing
// direction are called disturbers: in a result they could rearrange or hide what follows them.

/** `space`: all Unicode white space. `disturber`: see above. `ordinary`: everything else, including markup. */
type CharacterKind = 'ordinary' | 'space' | 'disturber'

export const characterKind = (code: number): CharacterKind => {
  if (code < 0x7f) return code > 0x20 ? 'ordinary' : code === 0x20 || (code >= 9 && code <= 13) ? 'space' : 'disturber'
  if (code <= 0xa0) return code === 0xa0 || code === 0x85 ? 'space' : 'disturber'
  if (code < 0x1680) return 'ordinary'
  if (code > 0x3000) return code === 0xfeff ? 'disturber' : 'ordinary'
  if (code === 0x1680 || code === 0x3000 || code === 0x202f || code === 0x205f) return 'space'
  if ((code >= 0x2000 && code <= 0x200a) || code === 0x2028 || code === 0x2029) return 'space'
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ? 'disturber' : 'ordinary'
}

/** Matches everything but ordinary characters and the plain space: one test per text instead of one per character. */
export const EXTRAORDINARY = /[\p{Cc}\xa0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff]/u

export const isAsciiLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
