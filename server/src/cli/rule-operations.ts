// The operations behind `bowerbird rules`.
import { z } from 'zod'
import { findUser } from '../accounts/users.ts'
import { Refusal } from '../errors.ts'
import { findKey } from '../keys/keys.ts'
import { unknownUser } from '../keys/username.ts'
import {
  exportRules,
  importRules,
  listRules,
  removeRule,
  setRule,
  subscribeTo,
  unsubscribeFrom,
} from '../rules/rule-store.ts'
import type { RuleOwner } from '../rules/site-rules.ts'
import type { SettingsContext } from '../settings/stored-settings.ts'
import { operation } from './operation.ts'

const text = z.string()
const optionalText = text.exactOptional()
/** Whose rules about sites; the instance's if neither is given. */
const ruleOwnerArgs = { username: optionalText, key: optionalText }
const ruleAction = z.enum(['block', 'lower', 'raise', 'pin'])

async function ruleOwnerOf(
  access: SettingsContext,
  { username, key }: { username?: string; key?: string },
): Promise<RuleOwner> {
  if (key !== undefined) return { kind: 'key', keyId: (await findKey(access.db, key)).id }
  if (username === undefined) return { kind: 'instance' }
  const user = await findUser(access, username)
  if (!user) throw unknownUser()
  return { kind: 'person', userId: user.id }
}

export const RULE_OPERATIONS = {
  'rules-list': operation(z.strictObject(ruleOwnerArgs), async (access, whose) => {
    const { own, subscriptions } = await listRules(access, await ruleOwnerOf(access, whose))
    return {
      own: [...own],
      subscriptions: subscriptions.map(({ fetchedAt, ...subscription }) => ({
        ...subscription,
        fetched_at: fetchedAt === undefined ? null : new Date(fetchedAt).toISOString(),
      })),
    }
  }),
  'rule-set': operation(
    z.strictObject({
      ...ruleOwnerArgs,
      pattern: text,
      action: z.enum([...ruleAction.options, 'rewrite']),
      to: optionalText,
    }),
    async (access, { pattern, action, to, ...whose }) => {
      const rule = { pattern, action, ...(to !== undefined && { to }) }
      await setRule(access, await ruleOwnerOf(access, whose), rule)
      return { set: 1 }
    },
  ),
  'rule-remove': operation(
    z.strictObject({ ...ruleOwnerArgs, pattern: text }),
    async (access, { pattern, ...whose }) => {
      const isRemoved = await removeRule(access, await ruleOwnerOf(access, whose), pattern)
      if (!isRemoved) throw new Refusal('not_found', 'There is no rule for this site. See bowerbird rules list.')
      return { removed: 1 }
    },
  ),
  'rules-import': operation(z.strictObject({ ...ruleOwnerArgs, rules: text }), async (access, { rules, ...whose }) =>
    importRules(access, await ruleOwnerOf(access, whose), rules),
  ),
  'rules-export': operation(z.strictObject(ruleOwnerArgs), async (access, whose) => ({
    text: await exportRules(access, await ruleOwnerOf(access, whose)),
  })),
  'rules-subscribe': operation(
    z.strictObject({ ...ruleOwnerArgs, address: text, action: ruleAction }),
    async (access, { address, action, ...whose }) => {
      await subscribeTo(access, await ruleOwnerOf(access, whose), { address, action })
      return { subscribed: 1 }
    },
  ),
  'rules-unsubscribe': operation(
    z.strictObject({ ...ruleOwnerArgs, list: text }),
    async (access, { list, ...whose }) => {
      const owner = await ruleOwnerOf(access, whose)
      const { subscriptions } = await listRules(access, owner)
      const found = subscriptions.find(({ id, address }) => id === list || address === list)
      if (!found) throw new Refusal('not_found', 'There is no such subscription. See bowerbird rules list.')
      await unsubscribeFrom(access, owner, found.id)
      return { unsubscribed: 1 }
    },
  ),
}
