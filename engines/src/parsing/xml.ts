// Finds elements and attributes in XML that a provider sends, without a parser: feeds are flat, and what isn't found is
// empty. Linear in the size of the text.
import { decodeXML } from 'entities'

/** The contents of every element with this name, in order. */
export function elementsIn(xml: string, name: string): string[] {
  const found: string[] = []
  let at = 0
  for (;;) {
    const start = xml.indexOf(`<${name}`, at)
    const opened = start === -1 ? -1 : xml.indexOf('>', start)
    if (opened === -1) return found
    at = opened + 1
    if (!/[\s>]/.test(xml.charAt(start + name.length + 1))) continue
    if (xml.charAt(opened - 1) === '/') continue
    const end = xml.indexOf(`</${name}>`, at)
    if (end === -1) return found
    found.push(xml.slice(at, end))
    at = end
  }
}

const MAX_ATTRIBUTES_LENGTH = 3000

/** The attributes of every tag with this name, in order. */
export function tagsIn(xml: string, name: string): string[] {
  const found: string[] = []
  const start = `<${name} `
  for (let at = xml.indexOf(start); at !== -1; ) {
    const end = xml.indexOf('>', at)
    if (end === -1) break
    found.push(xml.slice(at + start.length, Math.min(end, at + MAX_ATTRIBUTES_LENGTH)))
    at = xml.indexOf(start, end)
  }
  return found
}

/** The value of an attribute in double quotes, or ''. */
export function attributeIn(attributes: string, name: string): string {
  const [, value = ''] = ` ${attributes}`.split(` ${name}="`, 2)
  return decodeXML(value.slice(0, Math.max(0, value.indexOf('"'))))
}
