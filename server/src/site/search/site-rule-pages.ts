// Changing what happens to one site, from the menu at a result: the form, the page with the same buttons for readers without
// an account, and the line above the results that says what has changed, with Undo.

import { z } from 'zod'
import { readPattern } from '../../rules/rule-pattern.ts'
import type { RuleAction, RuleBook, SiteRule } from '../../rules/site-rules.ts'
import { RULE_ACTIONS } from '../browser-rules.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, isLocalPath, type Page, type PageContext, redirectTo } from '../http/page.ts'
import { ownRules } from '../own-rules.ts'
import { postForm } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'
import { SITE_RULE_PATH } from './result-menu.ts'
import { textParam } from './search-query.ts'

export interface SiteRulePagesParts {
  rules: RuleBook
}

type Change = RuleAction | 'none'

const CHANGES: readonly Change[] = [...RULE_ACTIONS, 'none']

const ChoiceQuery = z.object({ site: textParam, back: textParam })

const choicePage = ({ rules }: SiteRulePagesParts) =>
  definePage({
    method: 'GET',
    path: SITE_RULE_PATH,
    access: 'searcher',
    query: ChoiceQuery,
    async handle(context) {
      const { query, words } = context
      const site = readPattern(query.site)
      if (site === undefined) throw new PageError('notFound')
      const { choosing, menu } = words.sites
      const back = isLocalPath(query.back) ? query.back : '/'
      const current = await actionOf(rules, context, site)
      const choices = CHANGES.filter((change) => change !== (current ?? 'none'))
      const buttons = choices.map(
        (change) =>
          html`<button class="button button-plain" name="rule" value="${change} ${site}">${menu[change]}</button>`,
      )
      const body = html`<h1><bdi>${choosing.title({ site })}</bdi></h1><p>${current && words.sites.changed[current]({ site })} ${!context.viewer && choosing.help}</p>
${postForm(context, { action: SITE_RULE_PATH, body: html`<input type="hidden" name="back" value="${back}"><div class="site-choices">${buttons}</div>` })}
<p><a href="${back}">${choosing.back}</a></p>`
      return { title: choosing.title({ site }), layout: 'narrow' as const, body }
    },
  })

const changeForm = () => z.object({ rule: z.string().catch(''), back: z.string().catch('') })

const changeAction = ({ rules }: SiteRulePagesParts) =>
  definePage({
    method: 'POST',
    path: SITE_RULE_PATH,
    access: 'searcher',
    form: changeForm,
    async handle(context) {
      const { rule, back } = context.form.ok ? context.form.values : { rule: '', back: '' }
      const [name = '', written = ''] = rule.split(' ', 2)
      const change = CHANGES.find((known) => known === name)
      const pattern = readPattern(written)
      if (!change || pattern === undefined) throw new PageError('notFound')
      const was = await actionOf(rules, context, pattern)
      await changeRule(rules, context, pattern, change)
      return redirectTo(withParams(back, { changed: pattern, was: was ?? '' }))
    },
  })

export const siteRulePages = (parts: SiteRulePagesParts): Page[] => [choicePage(parts), changeAction(parts)]

async function changeRule(rules: RuleBook, context: PageContext, pattern: string, change: Change): Promise<void> {
  const own = ownRules(rules, context)
  if (change !== 'none') await own.set({ pattern, action: change })
  else await own.remove(pattern)
}

/** What the reader's own rule does with a site. */
async function actionOf(rules: RuleBook, context: PageContext, pattern: string): Promise<RuleAction | undefined> {
  const { own } = await ownRules(rules, context).list()
  return own.find(
    (rule): rule is SiteRule & { action: RuleAction } => rule.pattern === pattern && rule.action !== 'rewrite',
  )?.action
}

const SOME_ORIGIN = 'http://site.invalid'

function withParams(path: string, params: Record<string, string>): string {
  const url = isLocalPath(path) ? URL.parse(path, SOME_ORIGIN) : null
  if (url?.origin !== SOME_ORIGIN) return '/'
  for (const [name, value] of Object.entries(params)) {
    if (value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  return url.pathname + url.search
}

export const ChangeParams = { changed: textParam, was: textParam }

interface ReadChange {
  changed: string
  was: string
}

/**
 * "example.org is blocked. Undo" for whoever has just changed it. What is said is what the rule is now, whatever the
 * address claims.
 */
export async function changeNotice(
  rules: RuleBook,
  context: PageContext,
  { changed, was }: ReadChange,
  back: string,
): Promise<Html | false> {
  const pattern = changed === '' || !context.isOwnNavigation ? undefined : readPattern(changed)
  if (pattern === undefined) return false
  const current = await actionOf(rules, context, pattern)
  const { changed: sentences, undo } = context.words.sites
  const previous = CHANGES.find((change) => change === was) ?? 'none'
  const body = html`<input type="hidden" name="back" value="${back}"><input type="hidden" name="rule" value="${previous} ${pattern}"><button class="link-button">${undo}</button>`
  const undoForm = current !== undefined && postForm(context, { action: SITE_RULE_PATH, body, isInline: true })
  return notice('plain', html`<bdi>${sentences[current ?? 'none']({ site: pattern })}</bdi> ${undoForm}`)
}
