// Reads lists of sites in the formats that people have: our own export, uBlacklist, Brave's Goggles, Kagi's words, SearXNG's
// `hostnames.yml`, lists of hosts, hosts files. The content says which it is. What can't be a rule is told with its line.
//
// A list may come from anywhere, so everything is bounded: its size, its rules, each line, what is told. No regular
// expression of a list is ever run. A long list is read in slices, so that searches go on meanwhile.
import { visibleText } from '@bowerbird/reader/visible-text.ts'
import { inSlices } from './in-slices.ts'
import type { ListedRule, ReadLine } from './list-line.ts'
import { isGogglesLine, readGogglesLine } from './read-goggles.ts'
import { hostnamesReader, isHostnamesLine } from './read-hostnames.ts'
import { listReader } from './read-list.ts'
import { MAX_PATHS_OF_A_DOMAIN } from './rule-index.ts'
import { partsOf } from './rule-pattern.ts'
import type { RuleAction, SiteRule } from './site-rules.ts'

export interface ParsedRules {
  rules: SiteRule[]
  /** At most a hundred; `line` is 0 for what concerns the whole list. */
  problems: { line: number; words: string }[]
  /** Who publishes the list and under which licence, as its head says; '' if it doesn't. */
  publisher: string
  licence: string
}

const MAX_LENGTH = 10_000_000
const MAX_RULES = 1_000_000
const MAX_LINE_LENGTH = 2_000
const MAX_PROBLEMS = 100
/** By this many lines a list has shown its format, and ended its head. */
const HEAD_LINES = 200

/** `defaultAction` is for sites that the list names without saying what to do with them. */
export async function parseRules(text: string, defaultAction: RuleAction): Promise<ParsedRules> {
  if (text.length > MAX_LENGTH) return refused('This list is larger than 10 MB. Split it.')
  const head = headOf(text)
  const read = readerFor(head, defaultAction)
  const list = new ListReading()
  const frontMatterEnd = endOfFrontMatter(head)
  let number = 0
  await inSlices(linesOf(text), (line) => {
    number += 1
    if (line !== '' && number > frontMatterEnd) list.add(number, line.length > MAX_LINE_LENGTH ? TOO_LONG : read(line))
  })
  if (list.rules.length > MAX_RULES) return refused('This list has more than 1,000,000 rules. Split it.')
  return { ...(await list.finish()), ...publisherIn(head) }
}

const TOO_LONG = `This line has more than ${MAX_LINE_LENGTH.toLocaleString('en')} characters.`

const refused = (words: string): ParsedRules => ({
  rules: [],
  problems: [{ line: 0, words }],
  publisher: '',
  licence: '',
})

/** Without white space around them. */
function* linesOf(text: string): Generator<string> {
  for (let start = 0; start <= text.length; ) {
    const breakAt = text.indexOf('\n', start)
    const end = breakAt === -1 ? text.length : breakAt
    yield text.slice(start, end).trim()
    start = end + 1
  }
}

function headOf(text: string): string[] {
  const head: string[] = []
  for (const line of linesOf(text)) {
    if (head.length === HEAD_LINES) break
    head.push(line.length > MAX_LINE_LENGTH ? '' : line)
  }
  return head
}

/** The line that ends it, or 0: YAML may begin with `---` without having any. */
function endOfFrontMatter(head: readonly string[]): number {
  const start = head.findIndex((line) => line !== '')
  return head[start] === '---' ? head.indexOf('---', start + 1) + 1 : 0
}

function readerFor(head: readonly string[], defaultAction: RuleAction): ReadLine {
  if (head.some(isGogglesLine)) return readGogglesLine
  return head.some(isHostnamesLine) ? hostnamesReader(defaultAction) : listReader(defaultAction)
}

class ListReading {
  readonly rules: SiteRule[] = []
  readonly #problems: { line: number; words: string }[] = []
  #untold = 0
  readonly #unblocked = new Map<string, number>()
  readonly #pathsOf = new Map<string, number>()

  add(line: number, read: readonly ListedRule[] | string): void {
    if (typeof read === 'string') {
      this.#tell(line, read)
      return
    }
    for (const rule of read) {
      // More are refused in the end, and needn't be remembered.
      if (rule.action === 'unblock') this.#unblocked.set(rule.pattern, line)
      else if (this.rules.length <= MAX_RULES && this.#hasRoom(rule, line)) this.rules.push(rule)
    }
  }

  /** Exceptions take back what the same list blocks; rules have none that could say more. */
  async finish(): Promise<Pick<ParsedRules, 'rules' | 'problems'>> {
    let { rules } = this
    if (this.#unblocked.size > 0) {
      const used = new Set<string>()
      const kept: SiteRule[] = []
      await inSlices(rules, (rule) => {
        if (rule.action !== 'block' || !this.#unblocked.has(rule.pattern)) kept.push(rule)
        else used.add(rule.pattern)
      })
      rules = kept
      for (const [pattern, line] of this.#unblocked) if (!used.has(pattern)) this.#tell(line, NO_EXCEPTION)
      this.#problems.sort((one, other) => one.line - other.line)
    }
    if (this.#untold > 0) this.#problems.push({ line: 0, words: `${this.#untold} more lines can't be read.` })
    return { rules, problems: this.#problems }
  }

  #hasRoom({ pattern }: SiteRule, line: number): boolean {
    const { host, path } = partsOf(pattern)
    if (path === '') return true
    const count = (this.#pathsOf.get(host) ?? 0) + 1
    this.#pathsOf.set(host, count)
    if (count <= MAX_PATHS_OF_A_DOMAIN) return true
    this.#tell(line, `A domain can have at most ${MAX_PATHS_OF_A_DOMAIN.toLocaleString('en')} paths.`)
    return false
  }

  #tell(line: number, words: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ line, words })
    else this.#untold += 1
  }
}

const NO_EXCEPTION =
  'An exception takes back only a line of the same list that blocks exactly this. Remove the line that is too wide instead.'

const PUBLISHERS = ['author', 'maintainer', 'publisher', 'name', 'title', 'homepage']
const LICENCES = ['license', 'licence']
const MAX_HEAD_VALUE_LENGTH = 200

/** From front matter, or from comments of the form `name: value`. */
function publisherIn(head: readonly string[]): Pick<ParsedRules, 'publisher' | 'licence'> {
  const values = new Map<string, string>()
  const frontMatterEnd = endOfFrontMatter(head)
  for (const [at, line] of head.entries()) {
    const comment = /^[#!]{1,3}\s{0,5}(.*)$/.exec(line)?.[1] ?? (at < frontMatterEnd ? line : '')
    const colonAt = comment.indexOf(':')
    const name = comment.slice(0, Math.max(0, colonAt)).trim().toLowerCase()
    const value = visibleText(comment.slice(colonAt + 1))
      .trim()
      .replace(/^["']|["']$/g, '')
    if (colonAt > 0 && value !== '' && !values.has(name)) values.set(name, value.slice(0, MAX_HEAD_VALUE_LENGTH))
  }
  const first = (names: readonly string[]) => names.map((name) => values.get(name)).find(Boolean) ?? ''
  return { publisher: first(PUBLISHERS), licence: first(LICENCES) }
}
