// The seed of a similar-images search: the caption of the opened image without the name of its site at the end
// ("Oak bark - Wikimedia Commons"), or the query of the page when the caption says too little.
const SITE_NAME = /\s[-–—|·]\s[^-–—|·]{1,40}$/
const SHORTEST_SEED = 2

export function seedOf(caption: string, query: string): string | undefined {
  const seed = withoutSiteName(collapsed(caption))
  return seed.length >= SHORTEST_SEED ? seed : collapsed(query) || undefined
}

const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim()

function withoutSiteName(caption: string): string {
  const shorter = caption.replace(SITE_NAME, '').trim()
  return shorter.length >= SHORTEST_SEED ? shorter : caption
}
