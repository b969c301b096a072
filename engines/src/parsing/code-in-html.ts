// Separates the first code block from the rest of an HTML text. Code becomes plain text that, unlike other text, keeps
// its lines and indentation. No pattern runs over the whole text, so its length does no harm.
import { plainText } from './plain-text.ts'

const MOST_LINES = 40
const LONGEST_LINE = 300

const lineOf = (markup: string): string => {
  const code = markup.trimStart()
  const indentation = markup.slice(0, markup.length - code.length).replaceAll('\t', '    ')
  return `${indentation.replace(/[^ ]/g, '').slice(0, LONGEST_LINE)}${plainText(code, LONGEST_LINE)}`.trimEnd()
}

const codeOf = (markup: string): string => {
  const lines = markup.split('\n', MOST_LINES + 1)
  const text = lines.slice(0, MOST_LINES).map(lineOf)
  if (lines.length > MOST_LINES) text.push('…')
  return text.join('\n').replace(/^\n{1,40}|\n{1,40}$/g, '')
}

/** `code` is '' if there is none, and has at most 40 lines; `rest` is still HTML. */
export const partCode = (html: string): { code: string; rest: string } => {
  const start = html.indexOf('<pre')
  const end = start === -1 ? -1 : html.indexOf('</pre>', start)
  if (end === -1) return { code: '', rest: html }
  const block = html.slice(start, end)
  // `<pre class="x"><code>` is not part of the first line, but spaces after it are.
  const opened = /^<pre[^<>]{0,200}>(?:<code[^<>]{0,200}>)?/.exec(block)?.[0] ?? ''
  return { code: codeOf(block.slice(opened.length)), rest: `${html.slice(0, start)} ${html.slice(end)}` }
}
