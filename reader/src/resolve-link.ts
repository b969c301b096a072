const LONGEST_ADDRESS = 2048

/** The absolute http(s) URL that a page means, or '': other schemes, credentials, and what no browser would follow. */
export function resolveLink(href: string, base: string): string {
  const url = URL.parse(href, base)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return ''
  return url.href.length <= LONGEST_ADDRESS ? url.href : ''
}
