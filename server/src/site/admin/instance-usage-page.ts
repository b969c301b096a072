// Administration → Instance usage: what programs have asked with all keys together, by day and by kind.
import { type Html, html } from '../http/html.ts'
import { definePage, type Visit } from '../http/page.ts'
import { emptyState } from '../parts/notice.ts'
import { settingsFrame } from '../parts/settings-frame.ts'
import { usageChart } from '../settings/usage-chart.ts'
import { firstDayNeeded, lastDays, sumByKind } from '../settings/usage-days.ts'
import { kindTable } from '../settings/usage-tables.ts'

export const instanceUsagePage = definePage({
  method: 'GET',
  path: '/admin/usage',
  access: 'admin',
  async handle(visit) {
    const { title } = visit.words.admin.usage
    const counts = await readCounts(visit)
    const content = counts ? figures(visit, counts) : unreadable(visit)
    return {
      title,
      layout: 'wide',
      status: counts ? 200 : 503,
      body: settingsFrame(visit, '/admin/usage', { title, content }),
    }
  },
})

type Counts = Awaited<ReturnType<Visit['services']['usage']['ofInstance']>>

/** `undefined`: the database is away, or has too much to do. */
async function readCounts({ services }: Visit): Promise<Counts | undefined> {
  try {
    return await services.usage.ofInstance(firstDayNeeded(services.clock()))
  } catch (error) {
    services.log.warn({ err: new Error('the usage of the instance could not be read', { cause: error }) })
    return undefined
  }
}

const unreadable = ({ words }: Visit): Html =>
  emptyState({ title: words.admin.usage.unreadable, help: words.admin.usage.unreadableHelp })

function figures(visit: Visit, counts: Counts): Html {
  const text = visit.words.admin.usage
  if (counts.length === 0) return emptyState({ title: text.empty, help: text.emptyHelp })
  const now = visit.services.clock()
  return html`<p class="measure">${text.intro}</p>
${usageChart(visit, lastDays(counts, now))}${kindTable(visit, sumByKind(counts, now))}`
}
