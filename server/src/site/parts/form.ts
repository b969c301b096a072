// Forms: label above, help below, the error in words next to its field, one primary button. `postForm` is the only way
// to make a POST form, because it adds the token that every POST requires. Buttons are never disabled to signal an
// error.
import { type Html, html, type Piece } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'

interface FormParts {
  /** A path of this site. */
  action: string
  body: Piece
  /** For a form that is one button in a row of a table. */
  isInline?: boolean
  /** Extra attributes, for a form that a script completes. */
  attributes?: Html
}

export const postForm = (
  { csrf }: Pick<PageContext, 'csrf'>,
  { action, body, isInline = false, attributes }: FormParts,
): Html =>
  html`<form class="${isInline ? 'inline-form' : 'form'}" method="post" action="${action}"${attributes}><input type="hidden" name="_csrf" value="${csrf}">${body}</form>`

/** Common to every kind of field. */
interface FieldParts {
  name: string
  /** On a page with several fields of that name: what tells its id from theirs. */
  idSuffix?: string | undefined
  label: string
  help?: Piece
  /** The messages for this field, as `context.form.messages[name]` has them. */
  errors?: readonly string[] | undefined
  /** The text that marks the field as optional, next to its label. Fields are required otherwise. */
  optional?: string | undefined
}

interface TextFieldParts extends FieldParts {
  type?: 'text' | 'password'
  /** Never written back for a password. */
  value?: string | undefined
  /** For password managers: `username`, `current-password`, `new-password`, `one-time-code`, `off`. */
  autocomplete?: string
  maxlength?: number
  autofocus?: boolean
}

export function textField(parts: TextFieldParts): Html {
  const { name, type = 'text', value = '', autocomplete = 'off', maxlength, autofocus } = parts
  return withLabel(
    parts,
    html`<input id="${idOf(parts)}" name="${name}" type="${type}" value="${type === 'password' ? '' : value}" autocomplete="${autocomplete}"${maxlength && html` maxlength="${maxlength}"`}${autofocus && html` autofocus`}${plainTextAttributes(type)}${fieldAttributes(parts)}>`,
  )
}

interface TextAreaParts extends FieldParts {
  value?: string | undefined
  rows?: number
  maxlength?: number
  /** Extra attributes, for a field that a script completes. */
  attributes?: Html
}

export function textArea(parts: TextAreaParts): Html {
  const { name, value = '', rows = 4, maxlength, attributes } = parts
  // The browser drops the first line break after the tag, so we add one.
  return withLabel(
    parts,
    html`<textarea id="${idOf(parts)}" name="${name}" rows="${rows}"${maxlength && html` maxlength="${maxlength}"`}${attributes}${fieldAttributes(parts)}>
${value}</textarea>`,
  )
}

/** In a form with `enctype="multipart/form-data"`, of a page that takes files. `accept` is a hint; what comes is checked. */
export const fileField = (parts: FieldParts & { accept: string }): Html =>
  withLabel(
    parts,
    html`<input id="${idOf(parts)}" name="${parts.name}" type="file" accept="${parts.accept}"${fieldAttributes(parts)}>`,
  )

export interface SelectParts extends FieldParts {
  value?: string | undefined
  options: readonly { value: string; label: string }[]
}

export function selectField(parts: SelectParts): Html {
  const { name } = parts
  return withLabel(
    parts,
    html`<select id="${idOf(parts)}" name="${name}"${fieldAttributes(parts)}>${optionsOf(parts.options, parts.value)}</select>`,
  )
}

export const optionsOf = (options: SelectParts['options'], chosen: string | undefined): Html =>
  html`${options.map(({ value, label }) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`)}`

interface ChoiceParts extends Omit<FieldParts, 'optional'> {
  /** `radio`: one of several; `checkbox`: any of several. */
  type: 'radio' | 'checkbox'
  options: readonly { value: string; label: string; help?: string; isChosen: boolean }[]
}

/** A group of radio buttons or checkboxes under one legend. */
export function choiceField(parts: ChoiceParts): Html {
  const { name, label, type, options } = parts
  const ids = descriptionIds(parts)
  return html`<fieldset class="field choices"${ids !== '' && html` aria-describedby="${ids}"`}><legend>${label}</legend>
${options.map((option, at) => choice({ name, type, ...option, id: `${idOf(parts)}-${at}` }))}
${errorsAndHelp(parts)}</fieldset>`
}

/** One checkbox with its own label: a switch. */
export const checkbox = (parts: Omit<ChoiceOption, 'id' | 'type' | 'value'>): Html =>
  html`<div class="field choices">${choice({ type: 'checkbox', value: 'on', id: idOf(parts), ...parts })}</div>`

interface ChoiceOption {
  id: string
  name: string
  type: 'radio' | 'checkbox'
  value: string
  label: string
  help?: string
  isChosen: boolean
}

const choice = ({ id, name, type, value, label, help, isChosen }: ChoiceOption): Html =>
  html`<div class="choice"><input type="${type}" id="${id}" name="${name}" value="${value}"${isChosen && html` checked`}${help && html` aria-describedby="${id}-help"`}><label for="${id}">${label}</label>${help && html`<p class="help" id="${id}-help">${help}</p>`}</div>`

const withLabel = (parts: FieldParts, control: Html): Html =>
  html`<div class="field"><label for="${idOf(parts)}">${parts.label}${parts.optional && html` <span class="quiet">(${parts.optional})</span>`}</label>
${control}
${errorsAndHelp(parts)}</div>`

const errorsAndHelp = (parts: DescribedParts): Html =>
  html`${parts.errors?.length && html`<p class="error" id="${idOf(parts)}-error">${parts.errors.join(' ')}</p>`}${parts.help && html`<p class="help" id="${idOf(parts)}-help">${parts.help}</p>`}`

const fieldAttributes = (parts: FieldParts): Html => {
  const ids = descriptionIds(parts)
  return html`${!parts.optional && html` required`}${parts.errors?.length && html` aria-invalid="true"`}${ids !== '' && html` aria-describedby="${ids}"`}`
}

type DescribedParts = Pick<FieldParts, 'name' | 'idSuffix' | 'errors' | 'help'>

const descriptionIds = (parts: DescribedParts): string =>
  [parts.errors?.length ? `${idOf(parts)}-error` : '', parts.help ? `${idOf(parts)}-help` : '']
    .filter(Boolean)
    .join(' ')

const plainTextAttributes = (type: string): Html | false =>
  type === 'text' && html` autocapitalize="off" spellcheck="false"`

const idOf = ({ name, idSuffix }: Pick<FieldParts, 'name' | 'idSuffix'>): string =>
  `field-${name}${idSuffix === undefined ? '' : `-${idSuffix}`}`

/** A form has one primary button; `danger` is for destructive actions, `plain` for the rest. */
export const button = (label: string, kind: 'primary' | 'plain' | 'danger' = 'primary'): Html =>
  html`<button type="submit" class="button button-${kind}">${label}</button>`

/** A link that looks like a button. */
export const buttonLink = (label: string, href: string, kind: 'primary' | 'plain' = 'plain'): Html =>
  html`<a class="button button-${kind}" href="${href}">${label}</a>`

export const actions = (...pieces: readonly Piece[]): Html => html`<div class="actions">${pieces}</div>`
