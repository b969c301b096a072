// Rules in memory, for tests of the pages that change them. What is in force is compiled as on an instance.
import { compileRules } from '../rules/compile-rules.ts'
import { parseRules } from '../rules/parse-rules.ts'
import { writeRules } from '../rules/read-list.ts'
import type { RuleBook, RuleOwner, RuleSubscription, SiteRule } from '../rules/site-rules.ts'

const nameOf = (owner: RuleOwner): string =>
  owner.kind === 'instance' ? 'instance' : owner.kind === 'person' ? `person ${owner.userId}` : `key ${owner.keyId}`

export function memoryRules(): RuleBook {
  const rules = new Map<string, SiteRule[]>()
  const lists = new Map<string, RuleSubscription[]>()
  const of = (owner: RuleOwner) => rules.get(nameOf(owner)) ?? []
  const listsOf = (owner: RuleOwner) => lists.get(nameOf(owner)) ?? []
  const set = (owner: RuleOwner, rule: SiteRule) => {
    const others = of(owner).filter(
      ({ pattern, action }) => pattern !== rule.pattern || (action === 'rewrite') !== (rule.action === 'rewrite'),
    )
    rules.set(nameOf(owner), [rule, ...others])
  }
  return {
    async inForce({ userId, keyId, browser = [] }) {
      const layers = [
        { owner: 'instance' as const, rules: of({ kind: 'instance' }) },
        { owner: 'person' as const, rules: browser },
        ...(userId === undefined ? [] : [{ owner: 'person' as const, rules: of({ kind: 'person', userId }) }]),
        ...(keyId === undefined ? [] : [{ owner: 'key' as const, rules: of({ kind: 'key', keyId }) }]),
      ]
      return layers.every((layer) => layer.rules.length === 0) ? undefined : await compileRules(layers)
    },
    list: async (owner) => ({ own: of(owner), subscriptions: listsOf(owner) }),
    set: async (owner, rule) => set(owner, rule),
    async remove(owner, pattern) {
      rules.set(
        nameOf(owner),
        of(owner).filter((rule) => rule.pattern !== pattern),
      )
    },
    async importText(owner, text) {
      const read = await parseRules(text, 'block')
      for (const rule of read.rules) set(owner, rule)
      return { added: read.rules.length, problems: read.problems.map(({ line, words }) => `Line ${line}: ${words}`) }
    },
    exportText: async (owner) => writeRules(of(owner).toReversed()),
    async subscribe(owner, { address, action }) {
      const list = {
        id: String(listsOf(owner).length + 1),
        address,
        action,
        publisher: '',
        licence: '',
        rules: 0,
        fetchedAt: undefined,
        problem: '',
      }
      lists.set(nameOf(owner), [...listsOf(owner), list])
    },
    async unsubscribe(owner, id) {
      lists.set(
        nameOf(owner),
        listsOf(owner).filter((list) => list.id !== id),
      )
    },
  }
}
