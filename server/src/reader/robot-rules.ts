// Parses the rules of a robots.txt for one robot (RFC 9309). The longest pattern that matches decides; in a tie, the
// one that allows. A site controls both the patterns and, through its links, the addresses, so the time that a match
// takes must not depend on how they are written: each pattern is scanned once from left to right, and their number is
// limited.

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

const MAX_RULES = 5_000
const LINE = /^\s*(user-agent|allow|disallow)\s*:\s*([^#]*)/i

export function readRobotRules(text: string, robot: string): RobotRules {
  const groups = groupsIn(text)
  const ownRules = groups.get(robot.toLowerCase()) ?? groups.get('*') ?? []
  // Highest precedence first.
  const rules = ownRules.toSorted(
    (one, other) => other.length - one.length || Number(other.isAllowed) - Number(one.isAllowed),
  )
  return {
    isAllowed(path) {
      const address = normalised(path)
      return rules.find((rule) => matches(rule, address))?.isAllowed ?? true
    },
  }
}

/** Rules by robot name in lower case. Several groups for the same robot are merged. */
function groupsIn(text: string): Map<string, Rule[]> {
  const groups = new Map<string, Rule[]>()
  let current: Rule[][] = []
  let isInUserAgentLines = false
  for (const line of text.split(/\r\n?|\n/)) {
    const [, field = '', value = ''] = LINE.exec(line) ?? []
    if (field === '') continue
    if (field.toLowerCase() === 'user-agent') {
      if (!isInUserAgentLines) current = []
      current.push(groupOf(groups, value))
      isInUserAgentLines = true
      continue
    }
    isInUserAgentLines = false
    const rule = ruleOf(value.trim(), field.toLowerCase() === 'allow')
    for (const group of current) if (rule && group.length < MAX_RULES) group.push(rule)
  }
  return groups
}

function groupOf(groups: Map<string, Rule[]>, value: string): Rule[] {
  const name = /^\*|^[a-z_-]*/i.exec(value.trim())?.[0].toLowerCase() ?? ''
  const known = groups.get(name) ?? []
  groups.set(name, known)
  return known
}

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
  text
    .toWellFormed()
    .replace(/[^\0-\x7f]+/g, encodeURIComponent)
    .replace(/%([\da-f]{2})/gi, (encoded, digits: string) => {
      const character = String.fromCharCode(Number.parseInt(digits, 16))
      return /[\w.~-]/.test(character) ? character : encoded.toUpperCase()
    })
