// Reads RSS 2 and Atom as records that a document can point into: {title, link, description, date, author, picture}. Inner
// elements stay as markup, which is stripped with the rest.
import { decodeXML } from 'entities'
import type { JsonObject } from '../parsing/json-reply.ts'
import { attributeIn, elementsIn, tagsIn } from '../parsing/xml.ts'

const RSS = /^(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,2000}-->\s*)?<rss[\s>]/
const ATOM = /^(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,2000}-->\s*)?<feed[\s>]/
const CDATA = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/
const MAX_ITEMS = 100

/** The items of a feed; `undefined` if it isn't a whole feed. */
export function feedItems(body: string): JsonObject[] | undefined {
  const text = body.trim()
  if (RSS.test(text) && text.endsWith('</rss>') && text.includes('<channel')) {
    return elementsIn(text, 'item').slice(0, MAX_ITEMS).map(rssItem)
  }
  if (ATOM.test(text) && text.endsWith('</feed>')) return elementsIn(text, 'entry').slice(0, MAX_ITEMS).map(atomEntry)
  return undefined
}

/** The text of the first of these elements that is there. */
function textIn(xml: string, ...names: readonly string[]): string {
  for (const name of names) {
    const [content = ''] = elementsIn(xml, name)
    const text = CDATA.exec(content)?.[1] ?? decodeXML(content)
    if (text.trim() !== '') return text.trim()
  }
  return ''
}

const pictureIn = (xml: string): string => {
  const [media] = [...tagsIn(xml, 'media:thumbnail'), ...tagsIn(xml, 'media:content').filter(isPicture)]
  const [enclosure = ''] = tagsIn(xml, 'enclosure').filter(isPicture)
  return attributeIn(media ?? enclosure, 'url')
}

const isPicture = (attributes: string): boolean =>
  attributeIn(attributes, 'type').startsWith('image/') || attributeIn(attributes, 'medium') === 'image'

const rssItem = (xml: string): JsonObject => ({
  title: textIn(xml, 'title'),
  link: textIn(xml, 'link'),
  description: textIn(xml, 'description', 'content:encoded'),
  date: textIn(xml, 'pubDate', 'dc:date'),
  author: textIn(xml, 'dc:creator', 'author'),
  picture: pictureIn(xml),
})

/** The page itself, not the entry's own feed or comments. */
function atomLink(xml: string): string {
  const links = tagsIn(xml, 'link')
  const page = links.find((link) => ['', 'alternate'].includes(attributeIn(link, 'rel')))
  return attributeIn(page ?? '', 'href')
}

const atomEntry = (xml: string): JsonObject => {
  const [author = ''] = elementsIn(xml, 'author')
  return {
    title: textIn(xml, 'title'),
    link: atomLink(xml),
    description: textIn(xml, 'summary', 'content'),
    date: textIn(xml, 'published', 'updated'),
    author: textIn(author, 'name'),
    picture: pictureIn(xml),
  }
}
