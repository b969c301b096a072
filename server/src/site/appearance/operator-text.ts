// The operator's own texts, in a small part of Markdown, as blocks that the Read view can show: headings, lists, paragraphs
// whose lines stay lines (an address has several), bold words, and links. Anything else is text, HTML included.
import type { Block, Run } from '@bowerbird/reader/blocks.ts'
import type { TextVersion } from '../../settings/appearance.ts'

export const blocksOfText = (text: string): Block[] =>
  text.split(/\n[^\S\n]*\n/).flatMap((part) =>
    groupLines(
      part
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    ),
  )

const HEADING = /^(#{1,3})[ \t]+(\S.*)$/
const ITEM = /^[-*][ \t]+(\S.*)$/

/** A heading and a list end with their lines; the others make one paragraph. */
function groupLines(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  for (const line of lines) {
    const last = blocks.at(-1)
    const [, hashes, title] = HEADING.exec(line) ?? []
    const [, item] = ITEM.exec(line) ?? []
    if (hashes !== undefined && title !== undefined)
      blocks.push({ kind: 'heading', level: hashes.length + 1, runs: runsOf(title) })
    else if (item !== undefined) {
      const entry: Block[] = [{ kind: 'paragraph', runs: runsOf(item) }]
      if (last?.kind === 'list') last.items.push(entry)
      else blocks.push({ kind: 'list', isOrdered: false, start: 1, items: [entry] })
    } else if (last?.kind === 'paragraph') last.runs.push({ text: '\n' }, ...runsOf(line))
    else blocks.push({ kind: 'paragraph', runs: runsOf(line) })
  }
  return blocks
}

/** `**bold**`, `[words](https://…)`, or a bare address. */
const MARKED =
  /\*\*([^*]{1,500})\*\*|\[([^[\]]{1,200})\]\((https?:\/\/[^\s()]{1,1000})\)|(https?:\/\/[^\s<>()[\]]{1,1000}[^\s<>()[\].,;:!?])/

function runsOf(line: string): Run[] {
  const runs: Run[] = []
  let rest = line
  for (let found = MARKED.exec(rest); found; found = MARKED.exec(rest)) {
    const [all, bold, words, target, bare] = found
    if (found.index > 0) runs.push({ text: rest.slice(0, found.index) })
    runs.push(bold === undefined ? { text: words ?? bare ?? '', link: target ?? bare } : { text: bold, isStrong: true })
    rest = rest.slice(found.index + all.length)
  }
  if (rest !== '') runs.push({ text: rest })
  return runs
}

/** The version to show: in the language that was asked for, else in the reader's, else the first. */
export function versionFor(versions: readonly TextVersion[], languages: readonly string[]): TextVersion | undefined {
  const base = (lang: string) => lang.toLowerCase().split('-', 1)[0]
  for (const language of languages) {
    const found =
      versions.find(({ lang }) => lang.toLowerCase() === language.toLowerCase()) ??
      versions.find(({ lang }) => base(lang) === base(language))
    if (found && language !== '') return found
  }
  return versions[0]
}
