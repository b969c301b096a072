// Addresses at which sites serve the same page again: for phones, as AMP, shortened, or under an older name. Each row leads
// to the one that people share. The addresses come from `canonicalAddress`: without scheme, `www.` and tracking.

/** `$1` in the original is what the form has in parentheses. */
const ALIASES: readonly (readonly [form: RegExp, original: string])[] = [
  // AMP caches have the page's address in theirs.
  [/^google\.[a-z.]{2,6}\/amp\/(?:s\/)?(?:www\.)?(?=[\w-]+\.)/, ''],
  [/^[\w-]{1,80}\.cdn\.ampproject\.org\/[cv]\/(?:s\/)?(?:www\.)?(?=[\w-]+\.)/, ''],
  [/\/amp(?=$|\?)|\.amp(?=$|\.html$)/, ''],
  [/[?&]amp(?:=1|=true|=)?$/, ''],
  // Hosts for phones.
  [/^([a-z-]{2,12})\.m\.(?=wik[a-z]+\.org(?:\/|$))/, '$1.'],
  [/^(?:m|mobile|amp)\.(?=[\w-]+\.[\w.-]+(?:[/:?]|$))/, ''],
  // The same pages under other names.
  [/^(?:old|new|np)\.reddit\.com(?=\/|$)/, 'reddit.com'],
  [/^twitter\.com(?=\/|$)/, 'x.com'],
  [/^youtu\.be\/([\w-]{11})(?:\?.*)?$/, 'youtube.com/watch?v=$1'],
  [/^arxiv\.org\/pdf\/([^?]+?)(?:\.pdf)?$/, 'arxiv.org/abs/$1'],
  [/^dx\.doi\.org\//, 'doi.org/'],
  [/\/index\.html?(?=$|\?)/, ''],
]

/** True of every address that a row matches, and of few others: nearly all pages have one address. */
const MAYBE_ALIAS =
  /^(?:m|mobile|amp|old|new|np|dx)\.|\bamp(?:\b|project)|\.m\.|youtu|doi\.org|arxiv\.org\/pdf|twitter\.com|\/index\.htm|%/

const VIDEO = /[?&]v=([\w-]{11})(?:&|$)/

/** The address under which a page is known, for comparison. */
export function originalOf(canonical: string): string {
  if (!MAYBE_ALIAS.test(canonical)) return canonical
  const original = ALIASES.reduce((address, [form, shared]) => address.replace(form, shared), canonical)
  // The other parameters say how it was shared, and where to begin.
  const video = original.startsWith('youtube.com/watch?') && VIDEO.exec(original)?.[1]
  if (video) return `youtube.com/watch?v=${video}`
  // A DOI is the same in any case, and so is an escape (RFC 3986).
  if (original.startsWith('doi.org/10.')) return original.toLowerCase()
  return original.replace(/%[\da-f]{2}/gi, (code) => code.toUpperCase())
}
