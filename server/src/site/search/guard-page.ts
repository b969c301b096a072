// QUERY_GUARD on the website: a search that seems to contain a secret is held before anyone is asked, even the site that a
// bang leads to. A warning afterwards would come too late. The page offers to search without the secret or, unless
// the operator refuses that, to send it anyway; what was allowed is one text, so a new search is checked again.
import type { GuardMode } from '../../search/query-guard.ts'
import { formsOf, SECRET_FORMS, type SecretForm, secretsIn, withoutSecrets } from '../../text/secrets-in-text.ts'
import { type Html, html } from '../http/html.ts'
import { isLocalPath, type PageContext, type Redirect, type View } from '../http/page.ts'
import { buttonLink } from '../parts/form.ts'
import { joinNames } from './result-parts.ts'
import { statePage } from './search-notes.ts'
import { type SearchQuery, sureOf } from './search-query.ts'

/** Whether nobody may be asked about this text unless its reader allows it. */
export const isGuarded = (queryGuard: GuardMode, text: string): boolean =>
  queryGuard !== 'off' && secretsIn(text).length > 0

/** Whether this search has to be allowed first, or never is. */
export const isHeld = (queryGuard: GuardMode, { written, keep }: SearchQuery): boolean =>
  isGuarded(queryGuard, written) && !(queryGuard === 'warn' && keep['sure'] !== undefined)

interface GuardedSearch {
  text: string
  /** Whether the reader has allowed sending this very text. */
  isSure: boolean
  /** The address of this search with these parameters changed. */
  addressWith: (params: { q: string; sure?: string; removed?: string }) => string
}

/** The page that takes the place of the results, or where to go instead; undefined: the search may be sent. */
export function guardSearch(
  mode: GuardMode,
  context: PageContext,
  { text, isSure, addressWith }: GuardedSearch,
): Pick<View, 'body' | 'status' | 'headers'> | Redirect | undefined {
  if (!isGuarded(mode, text) || (mode === 'warn' && isSure)) return undefined
  const secrets = secretsIn(text)
  const forms = formsOf(secrets)
  const removed = forms.map(({ kind }) => kind).join(' ')
  const without = addressWith({ q: withoutSecrets(text, secrets), removed })
  // The longest searches don't fit into a redirect; then the reader follows the link.
  if (mode === 'redact' && isLocalPath(without)) return { redirect: without }
  const { guard } = context.words.search
  const actions = [
    buttonLink(guard.without, without),
    mode === 'warn' && html`<a href="${addressWith({ q: text, sure: sureOf(text) })}">${guard.anyway}</a>`,
  ]
  const lines = [guard.found({ names: namesOf(context, forms) }), mode === 'warn' ? guard.held : guard.refused]
  return {
    body: statePage(guard.title, lines, actions),
    headers: { 'Cache-Control': 'no-store' },
    ...(mode === 'refuse' && { status: 400 }),
  }
}

/** Above the results of a search that was sent without its secrets. `removed` is the parameter of the URL. */
export function removedNote(context: PageContext, removed: string): Html | false {
  const kinds = removed.split(' ')
  const forms = SECRET_FORMS.filter(({ kind }) => kinds.includes(kind))
  const { guard } = context.words.search
  return (
    forms.length > 0 && html`<p class="partial" role="status">${guard.removed({ names: namesOf(context, forms) })}</p>`
  )
}

function namesOf({ words, locale }: PageContext, forms: readonly SecretForm[]): string {
  const { names, keyOf } = words.search.guard
  return joinNames(
    forms.map(({ kind, vendor }) => (isNamed(kind, names) ? names[kind] : keyOf({ vendor }))),
    locale,
  )
}

const isNamed = <Names extends object>(kind: PropertyKey, names: Names): kind is keyof Names =>
  Object.hasOwn(names, kind)
