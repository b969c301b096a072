// The rules of a robots.txt for one robot (RFC 9309). The longest pattern that matches decides; of two, the one that
// allows. A site writes both the patterns and, by its links, the addresses, so the time that a match takes must not
// depend on how clever they are: each pattern is looked for once from left to right, and there is a limit to how many.

export interface RobotRules {
  /** `path` with its query, as in a URL. */
  isAllowed: (path: string) => boolean
}

interface Rule {
  isAllowed: boolean
  /** What stands between the stars. */
  parts: string[]
  /** Whether the last part ends the address. */
  isWhole: boolean
  length: number
}

const MOST_RULES = 5_000
const LINE = /^\s*(user-agent|allow|disallow)\s*:\s*([^#]*)/i

export function readRobotRules(text: string, robot: string): RobotRules {
  const groups = groupsIn(text)
  const own = groups.get(robot.toLowerCase()) ?? groups.get('*') ?? []
  // Those that decide come first.
  const rules = own.toSorted(
    (one, other) => other.length - one.length || Number(other.isAllowed) - Number(one.isAllowed),
  )
  return {
    isAllowed(path) {
      const address = normalised(path)
      return rules.find((rule) => matches(rule, address))?.isAllowed ?? true
    },
  }
}

/** By the robot's name in lower case. Several groups for the same robot are one. */
function groupsIn(text: string): Map<string, Rule[]> {
  const groups = new Map<string, Rule[]>()
  let current: Rule[][] = []
  let isNaming = false
  for (const line of text.split(/\r\n?|\n/)) {
    const [, field = '', value = ''] = LINE.exec(line) ?? []
    if (field === '') continue
    if (field.toLowerCase() === 'user-agent') {
      if (!isNaming) current = []
      current.push(groupOf(groups, value))
      isNaming = true
      continue
    }
    isNaming = false
    const rule = ruleOf(value.trim(), field.toLowerCase() === 'allow')
    for (const group of current) if (rule && group.length < MOST_RULES) group.push(rule)
  }
  return groups
}

function groupOf(groups: Map<string, Rule[]>, value: string): Rule[] {
  const name = /^\*|^[a-z_-]*/i.exec(value.trim())?.[0].toLowerCase() ?? ''
  const known = groups.get(name) ?? []
  groups.set(name, known)
  return known
}

/** Undefined for one that says nothing. */
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

/** The same characters are written in the same way, however an address or a pattern writes them. */
const normalised = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\0-\x7f]+/g, encodeURIComponent)
    .replace(/%([\da-f]{2})/gi, (encoded, digits: string) => {
      const character = String.fromCharCode(Number.parseInt(digits, 16))
      return /[\w.~-]/.test(character) ? character : encoded.toUpperCase()
    })
