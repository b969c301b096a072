// Administration → Instance usage: the API requests of all keys together, by day and by kind.
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext } from '../http/page.ts'
import { emptyState } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import { firstDayNeeded, kindTable, lastDays, sumByKind, usageChart } from '../settings/usage-chart.ts'
import type { UsageReader } from '../settings/usage-reader.ts'

export interface InstanceUsagePageParts {
  usage: UsageReader
}

export const instanceUsagePage = ({ usage }: InstanceUsagePageParts) =>
  definePage({
    method: 'GET',
    path: '/admin/usage',
    access: 'admin',
    async handle(context) {
      const { title } = context.words.admin.usage
      const counts = await readCounts(usage, context)
      const content = counts ? figures(context, counts) : unreadable(context)
      return settingsView(context, '/admin/usage', { title, content, status: counts ? 200 : 503 })
    },
  })

type Counts = Awaited<ReturnType<UsageReader['ofInstance']>>

/** `undefined`: the database is unavailable or overloaded. */
async function readCounts(usage: UsageReader, { clock, log }: PageContext): Promise<Counts | undefined> {
  try {
    return await usage.ofInstance(firstDayNeeded(clock()))
  } catch (error) {
    log.warn({ err: new Error('could not read the usage of the instance', { cause: error }) })
    return undefined
  }
}

const unreadable = ({ words }: PageContext): Html =>
  emptyState({ title: words.admin.usage.unreadable, help: words.admin.usage.unreadableHelp })

function figures(context: PageContext, counts: Counts): Html {
  const text = context.words.admin.usage
  if (counts.length === 0) return emptyState({ title: text.empty, help: text.emptyHelp })
  const now = context.clock()
  return html`<p class="measure">${text.intro}</p>
${usageChart(context, lastDays(counts, now))}${kindTable(context, sumByKind(counts, now))}`
}
