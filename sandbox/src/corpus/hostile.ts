// Hostile results. Every result of a query that begins with `hostile` carries one of these in turn: script in titles,
// addresses that aren't web pages, right-to-left overrides, endless words, fake pictures. The picture addresses are
// served by `hostile-pictures.ts`.

export const HOSTILE_QUERY = /^hostile\b/

interface Poison {
  title?: string
  url?: string
  sentence?: string
  /** The name of a picture in `hostile-pictures.ts`. */
  picture?: string
}

const LONG_WORD = 'Donaudampfschifffahrtsgesellschaft'.repeat(300).slice(0, 10_240)

const POISONS: readonly Poison[] = [
  { title: '<script>document.title = "executed"</script>', sentence: '<img src=x onerror=alert(1)> in a snippet' },
  { title: '"><svg onload=alert(1)>', picture: 'svg' },
  { title: 'A link that would run', url: 'javascript:alert(document.domain)' },
  { title: 'A page in an address', url: 'data:text/html,<script>alert(1)</script>' },
  { title: 'An old acquaintance', url: 'vbscript:msgbox(1)' },
  { title: 'A file of yours', url: 'file:///etc/passwd' },
  { title: 'Another host than it seems', url: 'https://bank.example@evil.example/sign-in' },
  { title: 'invoice\u202Efdp.exe\u202C and more', sentence: 'zero\u200Bwidth\u200B and \u2066isolated\u2069 text' },
  { title: LONG_WORD, sentence: LONG_WORD, picture: 'large' },
  { title: 'מילים מימין לשמאל, ושלום לכולם', sentence: 'نص من اليمين إلى اليسار في وسط النتائج', picture: 'page' },
  { title: '{{constructor.constructor("alert(1)")()}} #{alert(1)}', picture: 'endless' },
  { title: '&lt;b&gt;entities&lt;/b&gt; &amp;amp; more', picture: 'to-metadata' },
  { title: "'; drop table users; --", picture: 'loop' },
  { title: `Stacked marks ${'\u0335\u0336\u0337\u0338'.repeat(60)}`, picture: 'slow' },
  { title: '\u0000\u0007control\u001b[31m characters', picture: 'gone' },
]

interface Poisonable {
  title: string
  url: string
  sentences?: readonly string[]
  imageUrl?: string
  thumbnailUrl?: string
  thumbnail?: { url: string; width: number; height: number }
}

const pictureAddress = (name: string): string => `https://files.hostile.example/hostile-${name}.png`

/** Poisons the hit by its position; fields that the poison leaves out stay unchanged. */
export function poisoned<Hit>(hit: Hit & Poisonable, position: number): Hit {
  const { title, url, sentence, picture } = POISONS[position % POISONS.length] ?? {}
  const address = picture === undefined ? undefined : pictureAddress(picture)
  return {
    ...hit,
    ...(title !== undefined && { title }),
    ...(url !== undefined && { url }),
    ...(sentence !== undefined && hit.sentences && { sentences: [sentence, ...hit.sentences.slice(1)] }),
    ...(address !== undefined && hit.imageUrl && { imageUrl: address }),
    ...(address !== undefined && hit.thumbnailUrl && { thumbnailUrl: address }),
    ...(address !== undefined && hit.thumbnail && { thumbnail: { ...hit.thumbnail, url: address } }),
  }
}
