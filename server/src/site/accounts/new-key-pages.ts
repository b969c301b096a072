// Creating and rotating a key. Only the response to the form itself contains the secret: no redirect carries it, no
// page shows it again, and it is sent with `no-store`.
import { z } from 'zod'
import type { FieldMessages } from '../../errors.ts'
import { createKey, type IssuedKey, rotateOwnKey, TooManyKeys } from '../../keys/keys.ts'
import { CHOOSABLE_SCOPES, isAllowedTogether, READ_SCOPE, SCOPES, URL_KEY_SCOPE } from '../../keys/scopes.ts'
import { html } from '../http/html.ts'
import { definePage, type View } from '../http/page.ts'
import { actions, button, buttonLink, choiceField, postForm, selectField, textField } from '../parts/form.ts'
import { copyable, notice } from '../parts/notice.ts'
import { sent } from './account-fields.ts'
import { framedKeys, nameOf, ownKeyOf, prefixOf } from './key-pages.ts'
import { actingAccess, type OwnContext } from './member.ts'

const DAY_SECONDS = 86_400
const EXPIRIES = { never: undefined, d7: 7, d30: 30, d90: 90, d365: 365 } as const
type Expiry = keyof typeof EXPIRIES
const GRACES = { s0: 0, h1: 3_600, h24: DAY_SECONDS, d7: 7 * DAY_SECONDS } as const
type Grace = keyof typeof GRACES

const LONGEST_NAME = 100
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
const isName = (text: string): boolean => Array.from(text.trim()).length <= LONGEST_NAME && !UNPRINTABLE.test(text)

/** The scopes that have a checkbox in the form. */
const OFFERED = [...CHOOSABLE_SCOPES, URL_KEY_SCOPE] as const
type OfferedScope = (typeof OFFERED)[number]

const isKnownScope = (value: unknown): value is OfferedScope => OFFERED.some((scope) => scope === value)

const EMPTY: NewKeyParts = { name: '', expiry: 'never', scopes: [] }

const newKeyPage = definePage({
  method: 'GET',
  path: '/settings/keys/new',
  access: 'user',
  // A link may suggest a name and scopes; the key's owner still decides.
  query: z.object({ name: z.string().max(LONGEST_NAME).catch(''), scopes: z.string().catch('') }),
  handle(context) {
    const { name, scopes } = context.query
    const suggested = scopes.split(' ').filter(isKnownScope)
    return newKeyView(context, { ...EMPTY, name, scopes: suggested.length > 0 ? suggested : SCOPES })
  },
})

const newKeyAction = definePage({
  method: 'POST',
  path: '/settings/keys/new',
  access: 'user',
  form: () =>
    z.object({
      name: sent,
      expiry: z.enum(['never', 'd7', 'd30', 'd90', 'd365']).catch('never'),
      scopes: z.preprocess((value) => [value ?? []].flat().filter(isKnownScope), z.array(z.enum(OFFERED))),
    }),
  async handle(context) {
    const { form, viewer, services, words } = context
    const values = form.ok ? form.values : EMPTY
    const { name, expiry, scopes } = values
    const { badName, noScope, addressAlone } = words.accounts.keys
    // Validated here and not by the schema, so that the form comes back as it was filled in.
    const messages = {
      ...(!isName(name) && { name: [badName] }),
      ...(!isAllowedTogether(scopes) && { scopes: [addressAlone] }),
      ...(scopes.length === 0 && { scopes: [noScope] }),
    }
    if (Object.keys(messages).length > 0) return newKeyView(context, { ...values, messages })
    const days = EXPIRIES[expiry]
    try {
      const issued = await createKey(actingAccess(context), {
        owner: { userId: viewer.userId },
        name,
        scopes,
        ...(days && { expiresAt: new Date(services.clock() + days * DAY_SECONDS * 1_000) }),
      })
      return onceView(context, issued, words.accounts.keys.createdTitle)
    } catch (error) {
      if (error instanceof TooManyKeys) return newKeyView(context, { ...values, most: error.most })
      throw error
    }
  },
})

const rotatePage = definePage({
  method: 'GET',
  path: '/settings/keys/:keyId/rotate',
  access: 'user',
  handle: (context) => rotateView(context),
})

const rotateAction = definePage({
  method: 'POST',
  path: '/settings/keys/:keyId/rotate',
  access: 'user',
  form: () => z.object({ grace: z.enum(['s0', 'h1', 'h24', 'd7']).catch('h24') }),
  async handle(context) {
    const { form, viewer, words } = context
    const key = await ownKeyOf(context)
    if (key.state !== 'active') return await rotateView(context)
    const graceSeconds = GRACES[form.ok ? form.values.grace : 'h24']
    const own = { userId: viewer.userId, keyId: key.id }
    const issued = await rotateOwnKey(actingAccess(context), own, { graceSeconds })
    return onceView(context, issued, words.accounts.keys.rotatedTitle)
  },
})

export const newKeyPages = [newKeyPage, newKeyAction, rotatePage, rotateAction]

interface NewKeyParts {
  name: string
  expiry: Expiry
  scopes: readonly OfferedScope[]
  messages?: FieldMessages
  /** Set if the user has this many keys already. */
  most?: number
}

function newKeyView(context: OwnContext, { name, expiry, scopes, messages, most }: NewKeyParts): View {
  const { frame, accounts } = context.words
  const words = accounts.keys
  const expiries = Object.keys(EXPIRIES) as Expiry[]
  const { arePathKeysOn, reading } = context.services
  const offered = OFFERED.filter(
    (scope) => (scope !== URL_KEY_SCOPE || arePathKeysOn) && (scope !== READ_SCOPE || reading),
  )
  const body = html`${textField({ name: 'name', label: words.name, value: name, help: words.nameHelp, optional: frame.optional, errors: messages?.['name'], maxlength: LONGEST_NAME, autofocus: true })}
${selectField({ name: 'expiry', label: words.expiry, value: expiry, options: expiries.map((value) => ({ value, label: words.expiries[value] })) })}
${choiceField({
  name: 'scopes',
  type: 'checkbox',
  label: words.scopes,
  errors: messages?.['scopes'],
  options: offered.map((scope) => ({ value: scope, label: words.scopeNames[scope], isChosen: scopes.includes(scope) })),
})}
${actions(button(words.create), buttonLink(frame.cancel, '/settings/keys'))}`
  return framedKeys(context, words.newTitle, {
    content: html`${most !== undefined && notice('bad', words.tooMany(most))}${postForm(context, { action: '/settings/keys/new', body })}`,
    status: most === undefined ? (messages ? 400 : 200) : 409,
  })
}

async function rotateView(context: OwnContext): Promise<View> {
  const key = await ownKeyOf(context)
  const { frame, accounts } = context.words
  const words = accounts.keys
  const back = buttonLink(frame.cancel, '/settings/keys')
  const which = html`<p>${nameOf(key, context)} ${prefixOf(key)}</p>`
  if (key.state !== 'active') {
    const content = html`${which}${notice('bad', words.notActive)}<p>${back}</p>`
    return framedKeys(context, words.rotateTitle, { content, status: 409 })
  }
  const options = (Object.keys(GRACES) as Grace[]).map((value) => ({ value, label: words.graces[value] }))
  const body = html`${selectField({ name: 'grace', label: words.grace, value: 'h24', options })}
${actions(button(words.rotateSubmit), back)}`
  return framedKeys(context, words.rotateTitle, {
    content: html`${which}<p class="measure">${words.rotateHelp}</p>
${postForm(context, { action: `/settings/keys/${key.id}/rotate`, body })}`,
  })
}

/** The only page that ever shows the key. */
function onceView(context: OwnContext, { key, full }: IssuedKey, title: string): View {
  const { frame, accounts } = context.words
  const words = accounts.keys
  const path = key.scopes.includes('search') ? '/api/v1/web/?q=bowerbird' : '/api/v1/key/'
  const curl = `curl -H 'Authorization: Api-Key ${full}' '${context.baseUrl}${path}'`
  const content = html`<p>${nameOf(key, context)}</p>
<div class="once">${copyable(full, frame, words.key)}</div>
<p class="measure">${words.once}</p>
${key.scopes.includes(URL_KEY_SCOPE) && notice('bad', words.addressWarning)}
<h2>${words.tryIt}</h2>
<div class="once">${copyable(curl, frame, words.tryIt)}</div>
<p>${buttonLink(words.backToKeys, '/settings/keys', 'primary')}</p>`
  return framedKeys(context, title, { content, headers: { 'Cache-Control': 'no-store' } })
}
