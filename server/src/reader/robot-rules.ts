// Parses the rules of a robots.txt for one robot (RFC 9309). The longest pattern that matches decides; in a tie, the
// one that allows.
//
// This runs in the service's own thread, and a site controls both the patterns and, through its links, the addresses. So
// the file's size is limited (`robots.ts`), only the groups that concern us are kept, each pattern is scanned once from
// left to right, and only so many with a star are: the others are beginnings of paths, which cost next to nothing.

export interface RobotRules {
  /** `path` with its query, as in a URL. */
  isAllowed: (path: string) => boolean
}

interface Rule {
  isAllowed: boolean
  /** The text between the stars. */
  parts: string[]
  /** Whether the pattern must match to the end of the address (`$`). */
  isWhole: boolean
  length: number
}

interface Group {
  rules: Rule[]
  patterns: number
}

const MAX_PATTERNS = 500
const LINE = /^\s*(user-agent|allow|disallow)\s*:\s*([^#]*)/i

export function readRobotRules(text: string, robot: string): RobotRules {
  const groups = groupsIn(text, new Set([robot.toLowerCase(), '*']))
  const { rules } = groups.get(robot.toLowerCase()) ?? groups.get('*') ?? { rules: [] }
  return {
    isAllowed(path) {
      const address = normalised(path)
      let decisive: Rule | undefined
      for (const rule of rules) if (precedes(rule, decisive) && matches(rule, address)) decisive = rule
      return decisive?.isAllowed ?? true
    },
  }
}

const precedes = (rule: Rule, other: Rule | undefined): boolean =>
  !other || rule.length > other.length || (rule.length === other.length && rule.isAllowed && !other.isAllowed)

/** The groups of some robots, by name in lower case. Several groups for the same robot are merged. */
function groupsIn(text: string, robots: ReadonlySet<string>): Map<string, Group> {
  const groups = new Map<string, Group>()
  const current = new Set<Group>()
  let isInUserAgentLines = false
  for (const line of text.split(/\r\n?|\n/)) {
    const [, field = '', value = ''] = LINE.exec(line) ?? []
    if (field === '') continue
    if (field.toLowerCase() === 'user-agent') {
      if (!isInUserAgentLines) current.clear()
      isInUserAgentLines = true
      const name = robotNameOf(value)
      if (!robots.has(name)) continue
      const group = groups.get(name) ?? { rules: [], patterns: 0 }
      groups.set(name, group)
      current.add(group)
      continue
    }
    isInUserAgentLines = false
    const rule = current.size > 0 ? ruleOf(value.trim(), field.toLowerCase() === 'allow') : undefined
    if (rule) for (const group of current) addRule(group, rule)
  }
  return groups
}

function addRule(group: Group, rule: Rule): void {
  const isPattern = rule.parts.length > 1
  if (isPattern) group.patterns += 1
  if (!isPattern || group.patterns <= MAX_PATTERNS) group.rules.push(rule)
}

const robotNameOf = (value: string): string => /^\*|^[a-z_-]*/i.exec(value.trim())?.[0].toLowerCase() ?? ''

/** undefined: the rule is empty. */
function ruleOf(value: string, isAllowed: boolean): Rule | undefined {
  if (value === '') return undefined
  const pattern = normalised(value)
  const isWhole = pattern.endsWith('$')
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split(/\*+/)
  return { isAllowed, parts, isWhole, length: pattern.length }
}

function matches({ parts: [first = '', ...others], isWhole }: Rule, address: string): boolean {
  if (!address.startsWith(first)) return false
  let at = first.length
  const last = isWhole ? others.pop() : undefined
  for (const part of others) {
    const found = address.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  if (!isWhole) return true
  return last === undefined ? at === address.length : address.endsWith(last) && at <= address.length - last.length
}

/** Normalises percent-encoding, so that an address and a pattern compare equal however they are written. */
const normalised = (text: string): string =>
  /[%\x80-\uffff]/.test(text)
    ? text
        .toWellFormed()
        .replace(/[^\0-\x7f]+/g, encodeURIComponent)
        .replace(/%([\da-f]{2})/gi, (encoded, digits: string) => {
          const character = String.fromCharCode(Number.parseInt(digits, 16))
          return /[\w.~-]/.test(character) ? character : encoded.toUpperCase()
        })
    : text
