// Administration → Providers → Try: one call to one engine. The query is only in the form: in no URL and in no log.
import { z } from 'zod'
import type { TrialReport } from '../../search/try-engine.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext } from '../http/page.ts'
import { notice } from '../parts/notice.ts'
import { settingsFrame } from '../parts/settings-frame.ts'
import { TRY_PATH, tryForm } from './engine-tables.ts'

export const tryEnginePage = definePage({
  method: 'POST',
  path: TRY_PATH,
  access: 'admin',
  quota: 'search',
  form: ({ admin: { engines } }) =>
    z.object({
      what: z.string().regex(/^[a-z0-9]{1,40} [a-z]{1,10}$/, engines.notOn),
      q: z.string().trim().min(1, engines.queryMissing).max(500, engines.queryMissing),
    }),
  async handle(context) {
    const { form, services, words } = context
    if (!form.ok) return view(context, tryForm(context, form.messages), 400)
    const [slug = '', tab = ''] = form.values.what.split(' ')
    const report = await services.engines.tryEngine({ slug, tab, text: form.values.q })
    if (!report) return view(context, tryForm(context, { what: [words.admin.engines.notOn] }), 400)
    return view(context, html`${reportOf(context, report)}${tryForm(context)}`)
  },
})

function view(context: PageContext, content: Html, status = 200) {
  const { tryTitle, back } = context.words.admin.engines
  const body = settingsFrame(context, '/admin/providers', {
    title: tryTitle,
    content: html`${content}<p><a href="/admin/providers">${back}</a></p>`,
  })
  return { title: tryTitle, layout: 'wide' as const, status, headers: { 'Cache-Control': 'no-store' }, body }
}

function reportOf({ words, locale }: PageContext, report: TrialReport): Html {
  const text = words.admin.engines
  const numbers = new Intl.NumberFormat(locale)
  const { request, status, hits, error } = report
  const ms = numbers.format(report.ms)
  const wire = [
    `${request.method} ${request.path}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
    ...(request.body === '' ? [] : ['', request.body]),
  ].join('\n')
  return html`<section class="stack"><h2>${report.name}: ${words.frame.tabs[report.tab]}</h2>
${report.skippedFor && notice('partial', text.skipped)}
${error && notice('bad', `${words.status.troubles[error.kind] ?? error.message} (${error.kind})`)}
<p>${status === undefined ? text.noReply(ms) : text.reply(String(status), numbers.format(report.bytes), ms)}</p>
<h3>${text.request}</h3><pre class="trial-request" tabindex="0"><code>${wire}</code></pre>
<h3>${text.resultCount(hits.length)}</h3>
<ol class="trial-hits">${hits.map((hit) => html`<li><a href="${hit.url}" rel="noreferrer">${hit.title || hit.url}</a>${hit.description !== '' && html`<br><span class="quiet">${hit.description}</span>`}</li>`)}</ol>
<h3>${text.terms}</h3><p>${termsOf(text, report.terms)}</p></section>`
}

function termsOf(text: PageContext['words']['admin']['engines'], terms: TrialReport['terms']): string {
  const { cacheSeconds, cacheIn, attribution, asOf, unverified } = terms
  return [
    cacheSeconds === 0 ? text.notCached : text.cached(String(cacheSeconds)),
    cacheSeconds > 0 && cacheIn === 'memory' ? text.inMemory : '',
    attribution === '' ? '' : `“${attribution}”`,
    text.asOf(asOf),
    unverified === undefined ? '' : text.unverified(unverified),
  ]
    .filter(Boolean)
    .join(' ')
}
