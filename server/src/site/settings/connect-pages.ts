// Settings → Connect: choose a program, get the exact lines for it, create its key, and see its last request. Only the
// page after creating a key shows the key, inside the lines, and it is sent with `no-store`.
import { createKey, type IssuedKey, TooManyKeys } from '../../keys/keys.ts'
import { CHOOSABLE_SCOPES, URL_KEY_SCOPE } from '../../keys/scopes.ts'
import { framedBy, nameOf, ownKeyOf, prefixOf } from '../accounts/key-pages.ts'
import { actingAccess, type OwnContext } from '../accounts/member.ts'
import { nameDay } from '../accounts/moments.ts'
import { KEY_PLACEHOLDER, type ProgramKind, type ProgramLines, programsFor } from '../docs/program-lines.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type View } from '../http/page.ts'
import { actions, button, buttonLink, postForm } from '../parts/form.ts'
import { copyable, notice } from '../parts/notice.ts'
import { lastRequestView } from './last-request-view.ts'

const KINDS: readonly ProgramKind[] = ['agent', 'application', 'browser']
/** A key that proxies may log should not work forever. */
const IN_URL_DAYS = 90
const DAY_MS = 86_400_000

const framed = framedBy('/settings/connect')

const listPage = definePage({
  method: 'GET',
  path: '/settings/connect',
  access: 'user',
  handle(context) {
    const { connect } = context.words
    const programs = Map.groupBy(programsOf(context), ({ kind }) => kind)
    return framed(context, connect.title, {
      content: html`<p class="measure">${connect.intro}</p>
${KINDS.map((kind) => html`<h2>${connect.kinds[kind]}</h2><ul class="program-list">${programs.get(kind)?.map(programLink)}</ul>`)}`,
    })
  },
})

const programLink = ({ slug, name }: ProgramLines): Html =>
  html`<li><a href="/settings/connect/${slug}">${name}</a></li>`

const programPage = definePage({
  method: 'GET',
  path: '/settings/connect/:program',
  access: 'user',
  handle: (context) => programView(context),
})

const createAction = definePage({
  method: 'POST',
  path: '/settings/connect/:program',
  access: 'user',
  async handle(context) {
    const { viewer, services } = context
    const { name, scopes } = programOf(context)
    if (scopes.length === 0) return programView(context)
    const isInUrl = scopes.includes(URL_KEY_SCOPE)
    try {
      const issued = await createKey(actingAccess(context), {
        owner: { userId: viewer.userId },
        name,
        scopes,
        ...(isInUrl && { expiresAt: new Date(services.clock() + IN_URL_DAYS * DAY_MS) }),
      })
      return createdView(context, issued)
    } catch (error) {
      if (error instanceof TooManyKeys) return programView(context, error.most)
      throw error
    }
  },
})

const testPage = definePage({
  method: 'GET',
  path: '/settings/connect/test/:keyId',
  access: 'user',
  async handle(context) {
    const key = await ownKeyOf(context)
    const { connect } = context.words
    const last = await context.services.lastRequests.read(key.id)
    return framed(context, connect.testTitle, {
      content: html`<p>${nameOf(key, context)} ${prefixOf(key)}</p>
${last ? lastRequestView(context, last) : notice('plain', connect.nothing)}
${actions(buttonLink(connect.again, `/settings/connect/test/${key.id}`, 'primary'), buttonLink(connect.back, '/settings/connect'))}`,
      headers: { 'Cache-Control': 'no-store' },
    })
  },
})

export const connectPages = [listPage, programPage, createAction, testPage]

const programsOf = ({ baseUrl, services }: OwnContext, key?: string): ProgramLines[] =>
  programsFor(baseUrl, services.arePathKeysOn, key)

function programOf(context: OwnContext, key?: string): ProgramLines {
  const program = programsOf(context, key).find(({ slug }) => slug === context.params['program'])
  if (!program) throw new PageError('notFound')
  return program
}

/** `most`: set if the user already has this many keys, the maximum. */
function programView(context: OwnContext, most?: number): View {
  const { connect, accounts } = context.words
  const program = programOf(context)
  const { slug, name, scopes, lines } = program
  const uses = CHOOSABLE_SCOPES.filter((scope) => scopes.includes(scope))
  const names = uses.map((scope) => accounts.keys.scopeNames[scope]).join('; ')
  const form = postForm(context, {
    action: `/settings/connect/${slug}`,
    body: actions(button(connect.createKey(name)), buttonLink(connect.back, '/settings/connect')),
  })
  return framed(context, name, {
    content: html`${most !== undefined && notice('bad', accounts.keys.tooMany(most))}
${linesOf(context, program)}
${lines.includes(KEY_PLACEHOLDER) && html`<p>${connect.replaceKey(KEY_PLACEHOLDER)}</p>`}
<h2>${connect.keyTitle}</h2>${
      scopes.length === 0
        ? html`<p class="measure">${connect.noKey}</p><p>${buttonLink(connect.back, '/settings/connect')}</p>`
        : html`<p class="measure">${connect.keyHelp(names)}</p>
${scopes.includes(URL_KEY_SCOPE) && notice('partial', accounts.keys.addressWarning)}${form}`
    }`,
    status: most === undefined ? 200 : 409,
  })
}

function createdView(context: OwnContext, { key, full }: IssuedKey): View {
  const { connect, accounts, frame } = context.words
  const program = programOf(context, full)
  const holdsKey = program.lines.includes(full)
  return framed(context, connect.createdTitle(program.name), {
    content: html`<p class="measure">${holdsKey ? connect.once : accounts.keys.once} ${key.expiresAt && connect.until(nameDay(key.expiresAt, context))}</p>
${!holdsKey && html`<div class="once">${copyable(full, frame, accounts.keys.key)}</div>`}
${key.scopes.includes(URL_KEY_SCOPE) && notice('partial', accounts.keys.addressWarning)}
<div class="once">${linesOf(context, program)}</div>
<h2>${connect.testTitle}</h2><p class="measure">${connect.testHelp}</p>
<p>${buttonLink(connect.test, `/settings/connect/test/${key.id}`, 'primary')}</p>`,
    headers: { 'Cache-Control': 'no-store' },
  })
}

const linesOf = ({ words: { connect, frame } }: OwnContext, { name, place, lines }: ProgramLines): Html =>
  html`<p>${connect.linesHelp(place)}</p>${copyable(lines, frame, `${name}: ${place}`)}`
