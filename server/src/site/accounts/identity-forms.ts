// What pages of accounts show of identity providers: a button for each, what is connected, and the page that leads there.
import type { Oidc } from '../../oidc/oidc.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import type { PageContext, View } from '../http/page.ts'
import { button, buttonLink, postForm } from '../parts/form.ts'
import { narrowView, nextField, type SignedInContext } from './account-forms.ts'

type Provider = Oidc['providers'][number]

/** Leads on by itself, without script; the link is for browsers that don't. */
export function leavingView({ words }: PageContext, name: string, location: string): View {
  const { leaving, leavingHelp } = words.accounts.identity
  const content = html`<p>${leavingHelp}</p><p>${buttonLink(leaving({ name }), location, 'primary')}</p>`
  const headers = { Refresh: `0;url=${location}` }
  return narrowView({ title: leaving({ name }), content }, { headers })
}

interface ProviderForms {
  action: (slug: string) => string
  label: (values: { name: string }) => string
  next?: string
  isPrimary?: boolean
}

/** A button for each provider. */
export const providerForms = (
  context: PageContext,
  providers: readonly Provider[],
  { action, label, next = '', isPrimary = false }: ProviderForms,
): Html[] =>
  providers.map(({ slug, name }, at) =>
    postForm(context, {
      action: action(slug),
      body: html`${nextField(next)}${button(label({ name }), isPrimary && at === 0 ? 'primary' : 'plain')}`,
    }),
  )

/** For the account page: what is connected, and what could be. */
export function identitySection(oidc: Oidc | undefined, context: SignedInContext, issuers: readonly string[]): Piece {
  const { providers = [] } = oidc ?? {}
  if (providers.length === 0) return false
  const { title, help, connected, notConnected, connect: link, disconnect } = context.words.accounts.identity
  const rows = providers.map(({ slug, name, issuer }) => {
    const isConnected = issuers.includes(issuer)
    const action = `/settings/account/identities/${slug}/${isConnected ? 'disconnect' : 'connect'}`
    const body = button(isConnected ? disconnect : link, 'plain')
    return html`<dt>${name}</dt><dd>${isConnected ? connected : notConnected} ${postForm(context, { action, body, isInline: true })}</dd>`
  })
  return html`<section class="stack"><h2>${title}</h2><p class="measure">${help}</p><dl class="facts">${rows}</dl></section>`
}
