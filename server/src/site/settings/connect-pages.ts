// Settings → Connect: choose a program, get the exact lines for it, and create its key. Only the page
// after creating a key shows the key, inside the lines, and it is sent with `no-store`.
import type { Accounts } from '../../accounts/accounts.ts'
import type { IssuedKey } from '../../keys/keys.ts'
import { CHOOSABLE_SCOPES, URL_KEY_SCOPE } from '../../keys/scopes.ts'
import type { FormState, SignedInContext } from '../accounts/account-forms.ts'
import { issueKey } from '../accounts/key-pages.ts'
import {
  hiddenPrograms,
  KEY_PLACEHOLDER,
  type ProgramKind,
  type ProgramLines,
  programsFor,
} from '../docs/program-lines.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, type View } from '../http/page.ts'
import { actions, button, buttonLink, postForm } from '../parts/form.ts'
import { formatDay } from '../parts/formats.ts'
import { copyable, notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import { joinNames } from '../search/result-parts.ts'

export interface ConnectPagesParts {
  accounts: Accounts
  areUrlKeysOn: boolean
}

const PATH = '/settings/connect'
const PROGRAM_KINDS: readonly ProgramKind[] = ['agent', 'application', 'browser']
/** A key that proxies may log should not work forever. */
const URL_KEY_DAYS = 90

const listPage = ({ areUrlKeysOn }: ConnectPagesParts) =>
  definePage({
    method: 'GET',
    path: PATH,
    access: 'user',
    handle(context) {
      const { connect } = context.words
      return settingsView(context, PATH, {
        title: connect.title,
        content: html`<p class="measure">${connect.intro}</p>
${programLists(areUrlKeysOn, context)}`,
      })
    },
  })

/** The programs of each kind, as links to their lines, and those that can't connect to this instance as it is set up. */
export function programLists(areUrlKeysOn: boolean, context: SignedInContext): Html {
  const programs = Map.groupBy(programsOf(areUrlKeysOn, context), ({ kind }) => kind)
  return html`${PROGRAM_KINDS.map((kind) => html`<h2>${context.words.connect.kinds[kind]}</h2><ul class="program-list">${programs.get(kind)?.map(programLink)}</ul>`)}
${notListed(areUrlKeysOn, context)}`
}

function notListed(areUrlKeysOn: boolean, { words, locale, baseUrl }: SignedInContext): Html | false {
  const text = words.connect.hidden
  const { https, urlKeys } = hiddenPrograms(baseUrl, areUrlKeysOn)
  const count = https.length + urlKeys.length
  if (count === 0) return false
  const sentences = [
    text.count({ count }),
    ...(https.length > 0 ? [text.https({ names: joinNames(https, locale) })] : []),
    ...(urlKeys.length > 0 ? [text.urlKeys({ names: joinNames(urlKeys, locale) })] : []),
  ]
  return html`<p class="help measure">${sentences.join(' ')}</p>`
}

const programLink = ({ slug, name }: ProgramLines): Html => html`<li><a href="${PATH}/${slug}">${name}</a></li>`

const programPage = ({ areUrlKeysOn }: ConnectPagesParts) =>
  definePage({
    method: 'GET',
    path: `${PATH}/:program`,
    access: 'user',
    handle: (context) => programView(areUrlKeysOn, context),
  })

const createAction = ({ accounts, areUrlKeysOn }: ConnectPagesParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/:program`,
    access: 'user',
    stepUp: `${PATH}/:program`,
    async handle(context) {
      const { name, scopes } = programOf(areUrlKeysOn, context)
      if (scopes.length === 0) return programView(areUrlKeysOn, context)
      const { defaultKeyDays = URL_KEY_DAYS } = accounts.access
      const days = scopes.includes(URL_KEY_SCOPE) ? Math.min(URL_KEY_DAYS, defaultKeyDays) : undefined
      const issued = await issueKey(accounts, context, { name, scopes, days })
      return 'full' in issued ? createdView(areUrlKeysOn, context, issued) : programView(areUrlKeysOn, context, issued)
    },
  })

export const connectPages = (parts: ConnectPagesParts): Page[] => [
  listPage(parts),
  programPage(parts),
  createAction(parts),
]

const programsOf = (areUrlKeysOn: boolean, { baseUrl }: SignedInContext, key?: string): ProgramLines[] =>
  programsFor(baseUrl, areUrlKeysOn, key)

function programOf(areUrlKeysOn: boolean, context: SignedInContext, key?: string): ProgramLines {
  const program = programsOf(areUrlKeysOn, context, key).find(({ slug }) => slug === context.params['program'])
  if (!program) throw new PageError('notFound')
  return program
}

function programView(areUrlKeysOn: boolean, context: SignedInContext, { note, status, headers }: FormState = {}): View {
  const { connect, accounts } = context.words
  const program = programOf(areUrlKeysOn, context)
  const { slug, kind, name, scopes, lines } = program
  const uses = CHOOSABLE_SCOPES.filter((scope) => scopes.includes(scope))
  const names = joinNames(
    uses.map((scope) => accounts.keys.scopeUses[scope]),
    context.locale,
  )
  const form = postForm(context, {
    action: `${PATH}/${slug}`,
    body: actions(button(connect.createKey({ name })), buttonLink(connect.back, PATH)),
  })
  return settingsView(context, PATH, {
    title: name,
    content: html`${note}
${linesOf(context, program)}
${lines.includes(KEY_PLACEHOLDER) && html`<p>${connect.replaceKey({ key: KEY_PLACEHOLDER })}</p>`}
<h2>${connect.keyTitle}</h2>${
      scopes.length === 0
        ? html`<p class="measure">${kind === 'browser' ? connect.noKey : connect.signsIn}</p><p>${buttonLink(connect.back, PATH)}</p>`
        : html`<p class="measure">${connect.keyHelp({ scopes: names })}</p>
${scopes.includes(URL_KEY_SCOPE) && notice('partial', accounts.keys.addressWarning)}${form}`
    }`,
    status,
    headers,
  })
}

function createdView(areUrlKeysOn: boolean, context: SignedInContext, { key, full }: IssuedKey): View {
  const { connect, accounts, frame } = context.words
  const program = programOf(areUrlKeysOn, context, full)
  const holdsKey = program.lines.includes(full)
  return settingsView(context, PATH, {
    title: connect.createdTitle({ name: program.name }),
    content: html`<p class="measure">${holdsKey ? connect.once : accounts.keys.once} ${key.expiresAt && connect.until({ day: formatDay(key.expiresAt, context) })}</p>
${!holdsKey && html`<div class="once">${copyable(full, frame, accounts.keys.key)}</div>`}
${key.scopes.includes(URL_KEY_SCOPE) && notice('partial', accounts.keys.addressWarning)}
<div class="once">${linesOf(context, program)}</div>`,
    headers: { 'Cache-Control': 'no-store' },
  })
}

const linesOf = ({ words: { connect, frame } }: SignedInContext, { name, place, lines }: ProgramLines): Html =>
  html`<p>${connect.linesHelp({ place })}</p>${copyable(lines, frame, `${name}: ${place}`)}`
