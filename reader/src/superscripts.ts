// Superscript and subscript numbers. As plain digits, 10⁶ would read 106, and the number of a footnote would run into
// the figure before it.
import { attributeOf, isElement, nameOf, type PageNode } from './page-node.ts'

const NUMBER = /^[-+−]?\d{1,6}$/
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const LOWERED = '₀₁₂₃₄₅₆₇₈₉'
const SIGNS: Record<string, [raised: string, lowered: string]> = { '+': ['⁺', '₊'], '-': ['⁻', '₋'], '−': ['⁻', '₋'] }

/** undefined: not a superscript or subscript number. */
export function raisedText(node: PageNode): string | undefined {
  const name = nameOf(node)
  if (name !== 'sup' && name !== 'sub') return undefined
  const text = (node.textContent ?? '').trim()
  if (!NUMBER.test(text)) return undefined
  if ([...node.childNodes].some(isNoteLink)) return `[${text}]`
  const isRaised = name === 'sup'
  return text.replace(
    /./g,
    (sign) => SIGNS[sign]?.[isRaised ? 0 : 1] ?? (isRaised ? RAISED : LOWERED).charAt(Number(sign)),
  )
}

const isNoteLink = (node: PageNode): boolean =>
  isElement(node) && nameOf(node) === 'a' && attributeOf(node, 'href').includes('#')
