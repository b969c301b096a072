// Settings → Usage: the API requests with the reader's keys, for all keys together or for one. Another user's key is a
// 404.
import { z } from 'zod'
import { type KeyRecord, listKeys } from '../../keys/key-records.ts'
import { findOwnKey } from '../../keys/keys.ts'
import { nameOf, prefixOf } from '../accounts/key-pages.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, type View } from '../http/page.ts'
import { buttonLink } from '../parts/form.ts'
import { emptyState, notice } from '../parts/notice.ts'
import { settingsFrame } from '../parts/settings-frame.ts'
import type { Viewer } from '../site-services.ts'
import { usageChart } from './usage-chart.ts'
import { firstDayNeeded, lastDays, sumByKind, sumsOf } from './usage-days.ts'
import { type KeyUse, keyTable, kindTable, limitMeters, limitsOfKey } from './usage-tables.ts'

type OwnContext = PageContext<{ key?: string | undefined }, unknown, Viewer>
type Counts = Awaited<ReturnType<PageContext['services']['usage']['ofKeys']>>['counts']

const PATH = '/settings/usage'
const MOST_LISTED = 50
/** If a user has more keys, only the first are counted. */
const MOST_SUMMED = 1_000

const usagePage = definePage({
  method: 'GET',
  path: PATH,
  access: 'user',
  query: z.object({ key: z.string().optional().catch('') }),
  async handle(context) {
    const { services, viewer, query } = context
    const { access } = services.accounts
    if (query.key !== undefined) {
      const key = await findOwnKey(access, { userId: viewer.userId, keyId: query.key })
      if (!key) throw new PageError('notFound')
      return await keyView(context, key)
    }
    const keys = await listKeys(access, { username: viewer.username, limit: MOST_SUMMED })
    return keys.length === 0 ? viewOf(context, noKeys(context)) : await allKeysView(context, keys)
  },
})

export const usagePages = [usagePage]

const viewOf = (context: OwnContext, content: Html): View => {
  const { title } = context.words.settings.usage
  return { title, layout: 'wide', body: settingsFrame(context, PATH, { title, content }) }
}

const noKeys = ({ words }: OwnContext): Html =>
  emptyState({
    title: words.settings.usage.empty,
    help: words.settings.usage.emptyHelp,
    action: buttonLink(words.accounts.keys.create, '/settings/keys/new', 'primary'),
  })

async function keyView(context: OwnContext, key: KeyRecord): Promise<View> {
  const { services, words } = context
  const text = words.settings.usage
  const now = services.clock()
  const { counts, isComplete } = await services.usage.ofKeys([key.id], firstDayNeeded(now))
  const use = await useOf(context, key, counts)
  return viewOf(
    context,
    html`${!isComplete && notice('partial', text.incomplete)}
<p><a href="${PATH}">${text.allKeys}</a></p>
<h2 class="usage-key">${nameOf(key, context)} ${prefixOf(key)}</h2>
${use.states ? html`<section class="usage-one">${limitMeters(context, use, use.states)}<p class="help">${text.limitsHelp}</p></section>` : html`<p class="quiet">${words.accounts.keys.states[key.state]}</p>`}
${figures(context, counts)}`,
  )
}

async function allKeysView(context: OwnContext, keys: readonly KeyRecord[]): Promise<View> {
  const { services, words } = context
  const text = words.settings.usage
  const now = services.clock()
  const { counts, isComplete } = await services.usage.ofKeys(
    keys.map(({ id }) => id),
    firstDayNeeded(now),
  )
  const countsOf = Map.groupBy(counts, ({ keyId }) => keyId)
  const ranked = keys
    .map((key) => ({ key, counts: countsOf.get(key.id) ?? [] }))
    .filter(({ key, counts }) => key.state === 'active' || counts.length > 0)
    .sort((one, other) => sumsOf(other.counts, now).days - sumsOf(one.counts, now).days)
  const uses = await Promise.all(ranked.slice(0, MOST_LISTED).map(({ key, counts }) => useOf(context, key, counts)))
  const left = ranked.length - uses.length
  return viewOf(
    context,
    html`${!isComplete && notice('partial', text.incomplete)}
<p class="measure">${text.intro}</p>
${figures(context, counts)}
${
  uses.length > 0 &&
  html`<section class="stack"><h2>${text.byKey}</h2><p class="measure">${text.limitsHelp}</p>
${keyTable(context, uses)}${left > 0 && html`<p class="quiet">${text.moreKeys(left)}</p>`}</section>`
}`,
  )
}

function figures(context: OwnContext, counts: Counts): Html {
  const now = context.services.clock()
  const kinds = sumByKind(counts, now)
  return html`${usageChart(context, lastDays(counts, now))}${kinds.length > 0 && kindTable(context, kinds)}`
}

/** Limits are read only for an active key. */
async function useOf({ services }: OwnContext, key: KeyRecord, counts: Counts): Promise<KeyUse> {
  const { limits, peek } = services.usage
  const states = key.state === 'active' ? await peek(key, limitsOfKey(key, limits)) : undefined
  return { key, ...sumsOf(counts, services.clock()), states }
}
