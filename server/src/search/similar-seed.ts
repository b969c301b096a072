// The seed of a similar-images search: the caption of the opened image as it was sent, or the page's query if the
// caption is unusable. Captions often end in the name of their site ("Oak bark - Wikimedia Commons"). It is cut off
// only if it names the host of the opened image, because "Spider-Man - Far From Home" doesn't end in a site's name.
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import { isTooLong } from './read-filters.ts'

export interface SimilarTo {
  caption: string
  query: string
  /** The address of the opened image's page, or ''. */
  excludeUrl: string
}

const SITE_NAME = /^(?<caption>.+?)\s[-–—|·]\s(?<site>[^-–—|·]{1,60})$/su

/** undefined: neither is usable, so there is nothing to search for. */
export function seedOf({ caption, query, excludeUrl }: SimilarTo): string | undefined {
  return [withoutSiteName(collapsed(caption), hostOf(excludeUrl)), collapsed(query)].find(isUsable)
}

const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** One letter or digit of any script is enough: one ideograph is a word. */
const isUsable = (seed: string): boolean => /[\p{L}\p{N}]/u.test(seed) && !isTooLong(seed)

function withoutSiteName(caption: string, host: string): string {
  const { caption: shorter = '', site = '' } = SITE_NAME.exec(caption)?.groups ?? {}
  return isUsable(shorter) && namesHost(site, host) ? shorter : caption
}

/** `Flickr`, `flickr.com`, `Getty Images` for gettyimages.com, `Wikimedia Commons` for commons.wikimedia.org. */
function namesHost(site: string, host: string): boolean {
  const labels = host.toLowerCase().split('.').slice(0, -1)
  if (labels.length === 0) return false
  const words = wordsOf(site)
  const name = words.join('')
  return name === wordsOf(host).join('') || labels.includes(name) || words.every((word) => labels.includes(word))
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']
