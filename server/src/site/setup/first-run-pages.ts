// The first run, from the second step on, for the administrator that the first has created (`accounts/setup-pages.ts`): how
// people reach the instance, engines, connecting a program, and what to do next. Every step can be skipped, and each is
// elsewhere in the administration later.
import { z } from 'zod'
import { relyingPartyOf } from '../../accounts/passkeys.ts'
import type { FieldMessages } from '../../errors.ts'
import { actingAccess } from '../accounts/account-forms.ts'
import { type EnginePagesParts, enginePagesAt, openedRow, sentenceOf } from '../admin/engine-pages.ts'
import { type EngineForms, engineList, findEngine } from '../admin/engine-rows.ts'
import { identityEdits, identityFields, identityForm } from '../admin/instance-page.ts'
import { keylessPageAt, keylessQuestion } from '../admin/keyless-choice.ts'
import { LIST_PATH } from '../admin/service-pages.ts'
import { type Html, html, joined } from '../http/html.ts'
import { definePage, type Page, type PageContext, redirectTo, type View } from '../http/page.ts'
import type { Words } from '../i18n/messages.ts'
import { actions, button, buttonLink, postForm } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'
import { programLists } from '../settings/connect-pages.ts'
import { TOOLS_PATH } from '../tools/define-tool.ts'
import { type Step, stepPath, stepView } from './step-view.ts'

export interface FirstRunPagesParts extends EnginePagesParts {
  areUrlKeysOn: boolean
  /** '': the address that the client used. */
  publicUrl: string
}

/** Each brings more than anything that works without a key: large indexes first, then what has a free plan. */
const WORTH_A_KEY = ['brave', 'mojeek', 'kagi', 'exa', 'gnews', 'youtube', 'pexels', 'openalex', 'github']

const skipTo = ({ words }: PageContext, step: Exclude<Step, 'account'>): Html =>
  html`<a href="${stepPath(step)}">${words.setup.skip}</a>`

const reachPage = ({ engines, settings, publicUrl }: FirstRunPagesParts) =>
  definePage({
    method: 'GET',
    path: '/admin/setup/reach',
    access: 'admin',
    handle: (context) => reachView({ engines, settings, publicUrl }, context),
  })

const reachForm = (words: Words) => z.object(identityForm(words))

const reachAction = (parts: FirstRunPagesParts) =>
  definePage({
    method: 'POST',
    path: '/admin/setup/reach',
    access: 'admin',
    stepUp: '/admin/setup/reach',
    form: reachForm,
    async handle(context) {
      const { form } = context
      if (!form.ok) return reachView(parts, context, { messages: form.messages })
      try {
        await parts.settings.change(
          actingAccess(parts.accounts, context),
          identityEdits(parts.settings, context, form.values),
        )
        return redirectTo(stepPath('engines'))
      } catch (error) {
        return reachView(parts, context, { refusal: sentenceOf(error) })
      }
    },
  })

function reachView(
  { engines, settings, publicUrl }: Pick<FirstRunPagesParts, 'engines' | 'settings' | 'publicUrl'>,
  context: PageContext,
  { messages, refusal }: { messages?: FieldMessages; refusal?: string } = {},
): View {
  const { words, baseUrl } = context
  const text = words.setup.reach
  const isHttps = baseUrl.startsWith('https://')
  const body = html`${identityFields(settings, context, messages ?? {})}
${actions(button(words.setup.saveAndContinue), skipTo(context, 'engines'))}`
  return stepView(engines, context, 'reach', {
    title: text.title,
    content: html`${refusal !== undefined && notice('bad', refusal)}
<p>${text.now} <code>${baseUrl}</code></p>
<p class="help">${publicUrl === '' ? text.fromRequest : text.fromSetting} ${isHttps ? text.encrypted : text.unencrypted}</p>
${relyingPartyOf(baseUrl) && html`<p class="help">${text.passkey} <a href="/settings/account/passkeys/new">${text.addPasskey}</a></p>`}
${postForm(context, { action: '/admin/setup/reach', body })}`,
    status: messages || refusal !== undefined ? 400 : 200,
  })
}

const FORMS: EngineForms = { path: '/admin/setup/engines', isShort: true }
const KEYLESS_PATH = '/admin/setup/engines/keyless'

const enginesPage = (parts: FirstRunPagesParts) =>
  definePage({
    method: 'GET',
    path: FORMS.path,
    access: 'admin',
    query: openedRow,
    handle(context) {
      const { words, query } = context
      const text = words.setup.engines
      const entries = WORTH_A_KEY.flatMap((slug) => findEngine(parts.engines, slug) ?? [])
      const question = keylessQuestion(parts.keyless, context)
      const next = parts.keyless.isFixed
        ? html`${question}${actions(buttonLink(words.setup.continue, stepPath('connect'), 'primary'))}`
        : postForm(context, {
            action: KEYLESS_PATH,
            body: html`${question}${actions(button(words.setup.saveAndContinue), skipTo(context, 'connect'))}`,
          })
      return stepView(parts.engines, context, 'engines', {
        title: text.title,
        content: html`<p>${text.intro}</p><h2>${text.keyed}</h2><p>${text.keyedHelp}</p>
${engineList(parts, context, entries, { forms: FORMS, opened: query })}
<p class="help">${text.more} <a href="/admin/engines">${text.all}</a></p>
<h2>${words.admin.keyless.title}</h2><p>${text.keyless}</p>${next}`,
      })
    },
  })

const connectPage = ({ engines, areUrlKeysOn }: FirstRunPagesParts) =>
  definePage({
    method: 'GET',
    path: '/admin/setup/connect',
    access: 'admin',
    handle(context) {
      const { words } = context
      const text = words.setup.connect
      return stepView(engines, context, 'connect', {
        title: text.title,
        content: html`<p>${text.intro}</p>${programLists(areUrlKeysOn, context)}
<p><a href="/settings/keys/new">${text.key}</a></p>
${actions(buttonLink(words.setup.continue, stepPath('done'), 'primary'))}`,
      })
    },
  })

const donePage = ({ engines }: FirstRunPagesParts) =>
  definePage({
    method: 'GET',
    path: '/admin/setup/done',
    access: 'admin',
    handle(context) {
      const { words, hasPage, baseUrl } = context
      const text = words.setup.done
      const next = NEXT_STEPS.filter(([name, path]) => hasPage(path) && (name !== 'passkey' || relyingPartyOf(baseUrl)))
      const worthTrying = WORTH_TRYING.filter(([, path]) => hasPage(path))
      return stepView(engines, context, 'done', {
        title: text.title,
        content: html`<p>${text.intro}</p>
<ul class="next-steps">${next.map(([name, path]) => html`<li><a href="${path}">${text.next[name].label}</a><br><span class="quiet">${text.next[name].help}</span></li>`)}</ul>
<p>${text.answers}</p>
<p>${text.alsoTry} ${joined(
          worthTrying.map(([name, path]) => html`<a href="${path}">${text.worthTrying[name]}</a>`),
          ' · ',
        )}</p>
${actions(buttonLink(text.search, '/', 'primary'))}`,
      })
    },
  })

const NEXT_STEPS = [
  ['browser', '/docs/connect'],
  ['people', '/admin/users/new'],
  ['passkey', '/settings/account/passkeys/new'],
  ['engines', '/admin/engines'],
  ['instance', '/admin/instance'],
] as const

/** What people would show a friend. */
const WORTH_TRYING = [
  ['tools', TOOLS_PATH],
  ['sites', '/settings/sites'],
  ['services', LIST_PATH],
] as const

export const firstRunPages = (parts: FirstRunPagesParts): Page[] => [
  reachPage(parts),
  reachAction(parts),
  enginesPage(parts),
  ...enginePagesAt(parts, {
    ...FORMS,
    view: (context, { entry, content, status }) =>
      stepView(parts.engines, context, 'engines', {
        title: entry.name,
        content: html`<div class="engine-panel">${content}</div>
<p><a href="${FORMS.path}">${context.words.admin.engines.back}</a></p>`,
        status,
        headers: { 'Cache-Control': 'no-store' },
      }),
  }),
  keylessPageAt(parts, { path: KEYLESS_PATH, from: FORMS.path, next: stepPath('connect') }),
  connectPage(parts),
  donePage(parts),
]
