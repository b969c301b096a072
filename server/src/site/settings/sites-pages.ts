// Sites: what somebody wants to see first, less or never. One set of pages for three owners: a person (without an account:
// the browser) under Settings, the instance under Administration, and a key on its own page. `sites-view.ts` renders them.

import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import { Refusal } from '../../errors.ts'
import { readPattern, readTarget } from '../../rules/rule-pattern.ts'
import type { RuleBook } from '../../rules/site-rules.ts'
import { LIST_ACTIONS, type RuleOwner, type SiteRule } from '../../rules/site-rules.ts'
import type { SignedInContext } from '../accounts/account-forms.ts'
import { ownKeyOf } from '../accounts/key-pages.ts'
import { RULE_ACTIONS } from '../browser-rules.ts'
import { PageError } from '../http/error-pages.ts'
import { definePage, type Page, type PageContext, type PageReply, redirectTo } from '../http/page.ts'
import { changerOf, ownRules, rulesOf } from '../own-rules.ts'
import { notice } from '../parts/notice.ts'
import { importedNote, type SitesDraft, type SitesOwner, sitesView } from './sites-view.ts'

export interface SitesPagesParts {
  rules: RuleBook
  accounts: Accounts
}

/** A list of a few thousand sites. Longer ones are better subscribed to. */
const MAX_IMPORT_BYTES = 262_144
const MAX_ADDRESS_LENGTH = 2_000

const DONE = ['added', 'removed', 'subscribed', 'unsubscribed'] as const

/** Where the rules of one kind of owner are. */
interface Place {
  path: string
  access: 'searcher' | 'user' | 'admin'
  /** Changes ask for the password again. */
  isSensitive?: true
  owner: (parts: SitesPagesParts, context: PageContext) => Promise<SitesOwner> | SitesOwner
}

/** The rules of an account, of a key or of the instance: with subscriptions. */
const storedOwner = (
  { rules, accounts }: SitesPagesParts,
  context: PageContext,
  { owner, ...rest }: { owner: RuleOwner } & Pick<SitesOwner, 'kind' | 'path' | 'current' | 'key'>,
): SitesOwner => {
  const by = changerOf(accounts, context, owner)
  return {
    ...rest,
    rules: rulesOf(rules, owner, by),
    subscriptions: {
      subscribe: (subscription) => rules.subscribe(owner, subscription, by),
      unsubscribe: (id) => rules.unsubscribe(owner, id, by),
    },
  }
}

const SETTINGS_PATH = '/settings/sites'
const ADMIN_PATH = '/admin/sites'

const PLACES: readonly Place[] = [
  {
    path: SETTINGS_PATH,
    access: 'searcher',
    owner(parts, context) {
      const { viewer } = context
      const rest = { path: SETTINGS_PATH, current: SETTINGS_PATH } as const
      if (!viewer) return { ...rest, kind: 'browser', rules: ownRules(parts.rules, context) }
      const owner = { kind: 'person', userId: viewer.userId } as const
      return storedOwner(parts, context, { owner, ...rest, kind: 'person' })
    },
  },
  {
    path: ADMIN_PATH,
    access: 'admin',
    isSensitive: true,
    owner: (parts, context) =>
      storedOwner(parts, context, {
        owner: { kind: 'instance' },
        kind: 'instance',
        path: ADMIN_PATH,
        current: ADMIN_PATH,
      }),
  },
  {
    path: '/settings/keys/:keyId/sites',
    access: 'user',
    async owner(parts, context) {
      // The page's access requires a viewer.
      const key = await ownKeyOf(parts.accounts, context as SignedInContext)
      const path = `/settings/keys/${key.id}/sites`
      const owner = { kind: 'key', keyId: key.id } as const
      return storedOwner(parts, context, {
        owner,
        kind: 'key',
        path,
        current: '/settings/keys',
        key,
      })
    },
  },
]

export const sitesPages = (parts: SitesPagesParts): Page[] => PLACES.flatMap((place) => pagesAt(parts, place))

const SitesQuery = z.object({
  find: z.string().max(100).catch(''),
  done: z.enum(DONE).optional().catch(undefined),
  imported: z.coerce.number().int().min(0).optional().catch(undefined),
})

/** A missing field is treated as empty. */
const field = z.string().catch('')

const addForm = () => z.object({ site: field, action: z.enum([...RULE_ACTIONS, 'rewrite']).catch('block'), to: field })
const removeForm = () => z.object({ pattern: field })
const importForm = () => z.object({ text: field })
const subscribeForm = () => z.object({ address: field, action: z.enum(LIST_ACTIONS).catch('block') })
const unsubscribeForm = () =>
  z.object({
    id: z
      .string()
      .regex(/^\d{1,18}$/)
      .catch('0'),
  })

function pagesAt(parts: SitesPagesParts, place: Place): Page[] {
  const { path, access, isSensitive } = place
  const change = isSensitive
    ? ({ method: 'POST', access, stepUp: path } as const)
    : ({ method: 'POST', access } as const)
  const page = definePage({
    method: 'GET',
    path,
    access,
    query: SitesQuery,
    async handle(context) {
      const { find, done, imported } = context.query
      const { page: words } = context.words.sites
      const text = done ? words.done[done] : imported === undefined ? '' : words.imported({ count: imported })
      return await sitesView(context, await place.owner(parts, context), {
        find,
        note: text !== '' && notice('good', text),
      })
    },
  })

  const addAction = definePage({
    ...change,
    path,
    form: addForm,
    handle: (context) =>
      changing(context, place.owner(parts, context), async (owner) => {
        const { add: words } = context.words.sites.page
        const { site, action, to } = valuesOf(context, { site: '', action: 'block' as const, to: '' })
        const draft = { site, action, to }
        const pattern = readPattern(site)
        if (pattern === undefined) return { draft, errors: { site: [words.badSite] } }
        const target = action === 'rewrite' ? readTarget(to) : undefined
        if (action === 'rewrite' && target === undefined) return { draft, errors: { to: [words.badTarget] } }
        const rule: SiteRule = { pattern, action, ...(target !== undefined && { to: target }) }
        await owner.rules.set(rule)
        return `${owner.path}?done=added`
      }),
  })

  const removeAction = definePage({
    ...change,
    path: `${path}/remove`,
    form: removeForm,
    handle: (context) =>
      changing(context, place.owner(parts, context), async (owner) => {
        await owner.rules.remove(valuesOf(context, { pattern: '' }).pattern)
        return `${owner.path}?done=removed`
      }),
  })

  const importAction = definePage({
    ...change,
    path: `${path}/import`,
    maxFormBytes: MAX_IMPORT_BYTES,
    // Visitors may do it, and a long list takes a while to read.
    quota: 'search',
    form: importForm,
    handle: (context) =>
      changing(context, place.owner(parts, context), async (owner) => {
        const { text } = valuesOf(context, { text: '' })
        if (text.trim() === '') return { errors: { text: [context.words.sites.page.import.nothing] } }
        // What couldn't be read is told at once: it has no place in an address.
        const { added, problems } = await owner.rules.importText(text)
        return problems.length > 0
          ? { note: importedNote(context, added, problems) }
          : `${owner.path}?imported=${added}`
      }),
  })

  const exportPage = definePage({
    method: 'GET',
    path: `${path}/export`,
    access,
    async handle(context) {
      const { rules } = await place.owner(parts, context)
      return {
        contentType: 'text/plain; charset=utf-8',
        content: await rules.exportText(),
        headers: { 'Content-Disposition': 'attachment; filename="sites.txt"' },
      }
    },
  })

  const subscribeAction = definePage({
    ...change,
    path: `${path}/subscribe`,
    form: subscribeForm,
    handle: (context) =>
      changing(context, place.owner(parts, context), async (owner) => {
        const { address, action } = valuesOf(context, { address: '', action: 'block' as const })
        const url = address.length > MAX_ADDRESS_LENGTH ? null : URL.parse(address.trim())
        if (url?.protocol !== 'https:') {
          return { draft: { address }, errors: { address: [context.words.sites.page.lists.badAddress] } }
        }
        await subscriptionsOf(owner).subscribe({ address: url.href, action })
        return `${owner.path}?done=subscribed`
      }),
  })

  const unsubscribeAction = definePage({
    ...change,
    path: `${path}/unsubscribe`,
    form: unsubscribeForm,
    handle: (context) =>
      changing(context, place.owner(parts, context), async (owner) => {
        await subscriptionsOf(owner).unsubscribe(valuesOf(context, { id: '0' }).id)
        return `${owner.path}?done=unsubscribed`
      }),
  })

  return [page, addAction, removeAction, importAction, exportPage, subscribeAction, unsubscribeAction]
}

const valuesOf = <Values>({ form }: PageContext<unknown, Values>, none: Values): Values =>
  form.ok ? form.values : none

/** A browser has no subscriptions. */
function subscriptionsOf({ subscriptions }: SitesOwner): NonNullable<SitesOwner['subscriptions']> {
  if (!subscriptions) throw new PageError('notFound')
  return subscriptions
}

/** Goes to the page that `change` returns, or shows the form again with what it says instead. */
async function changing(
  context: PageContext,
  opened: Promise<SitesOwner> | SitesOwner,
  change: (owner: SitesOwner) => Promise<string | SitesDraft>,
): Promise<PageReply> {
  const owner = await opened
  try {
    const outcome = await change(owner)
    return typeof outcome === 'string' ? redirectTo(outcome) : await sitesView(context, owner, outcome)
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error
    const { status, body } = error
    return await sitesView(context, owner, { status, note: notice('bad', Object.values(body).flat().join(' ')) })
  }
}
