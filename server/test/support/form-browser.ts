// A browser without script or windows, over real HTTP: keeps cookies, and fills in and submits forms.
export interface FormBrowser {
  ask: (path: string, fields?: URLSearchParams) => Promise<BrowserReply>
  /** Opens the page that has the form, for its token, and submits it. */
  submit: (path: string, fields: readonly [name: string, value: string][], from?: string) => Promise<BrowserReply>
  /**
   * Opens a page, unless it is given, fills in the form that leads to `action`, and submits it with everything else that
   * is in it. Throws if the page doesn't have that form, or the form doesn't have a field or choice.
   */
  fillIn: (page: string | BrowserReply, action: string, values?: FormValues) => Promise<BrowserReply>
  cookie: (name: string) => string | undefined
  /** The names of all cookies ever set. */
  cookieNames: () => string[]
}

type FormValues = Readonly<Record<string, string | string[]>>

export interface BrowserReply {
  status: number
  location: string
  body: string
}

/** `headers` are sent with every request. */
export function openFormBrowser(url: string, headers: Record<string, string> = {}): FormBrowser {
  const cookies = new Map<string, string>()
  const ask: FormBrowser['ask'] = async (path, fields) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(url + path, {
      headers: { cookie, ...headers },
      redirect: 'manual',
      ...(fields && { method: 'POST', body: fields }),
    })
    for (const set of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    return { status: reply.status, location: reply.headers.get('location') ?? '', body: await reply.text() }
  }
  return {
    ask,
    async submit(path, fields, from = path) {
      const { body } = await ask(from)
      const token = /name="_csrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
      return await ask(path, new URLSearchParams([...fields, ['_csrf', token]]))
    },
    async fillIn(page, action, values = {}) {
      const { status, body } = typeof page === 'string' ? await ask(page) : page
      const form = formsIn(body).find((one) => one.action === action)
      if (!form) throw new Error(`there is no form that leads to ${action} (${status})`)
      const fields = new URLSearchParams(entriesOf(form, values))
      const path = action.replace(/#.*/, '')
      return form.isPost ? await ask(path, fields) : await ask(`${path}?${fields.toString()}`)
    },
    cookie: (name) => cookies.get(name),
    cookieNames: () => [...cookies.keys()],
  }
}

interface Form {
  action: string
  isPost: boolean
  controls: Control[]
}

interface Control {
  name: string
  /** What a browser sends unless something else is entered. */
  values: string[]
  /** What can be chosen; undefined if anything can be entered. */
  choices: string[] | undefined
}

/** Every value in our markup is in double quotes and escaped. */
const ATTRIBUTES = String.raw`(?<attributes>(?:\s+[\w-]+(?:="[^"]*")?)*)`
const FORM = new RegExp(`<form${ATTRIBUTES}>(?<inside>.*?)</form>`, 'gs')
const CONTROL = new RegExp(
  `<(?:(?<element>input)${ATTRIBUTES}|(?<element>textarea|select|button)${ATTRIBUTES}>(?<inside>.*?)</\\k<element>)>`,
  'gs',
)
const OPTION = new RegExp(`<option${ATTRIBUTES}>`, 'g')

const formsIn = (body: string): Form[] =>
  [...body.matchAll(FORM)].map(({ groups }) => {
    const { method = 'get', action = '' } = attributesOf(groups?.['attributes'])
    return { action, isPost: method === 'post', controls: controlsIn(groups?.['inside'] ?? '') }
  })

function controlsIn(content: string): Control[] {
  const controls = new Map<string, Control>()
  for (const { groups = {} } of content.matchAll(CONTROL)) {
    const attributes = attributesOf(groups['attributes'])
    if (attributes['name'] === undefined) continue
    const control = controlOf(groups['element'] ?? '', attributes, groups['inside'] ?? '')
    const sameName = controls.get(control.name)
    controls.set(control.name, sameName ? joinControls(sameName, control) : control)
  }
  return [...controls.values()]
}

function controlOf(
  element: string,
  { name = '', type = 'text', ...rest }: Record<string, string>,
  inside: string,
): Control {
  const value = rest['value'] ?? ''
  if (element === 'textarea') return { name, values: [plainText(inside.trimStart())], choices: undefined }
  if (element === 'select') {
    const options = [...inside.matchAll(OPTION)].map(({ groups }) => attributesOf(groups?.['attributes']))
    const chosen = options.find((option) => 'selected' in option) ?? options[0]
    const choices = options.map((option) => option['value'] ?? '')
    return { name, values: [chosen?.['value'] ?? ''], choices }
  }
  // Only the button that is pressed is sent.
  if (element === 'button') return { name, values: [], choices: [value] }
  if (type === 'checkbox' || type === 'radio') {
    return { name, values: 'checked' in rest ? [value || 'on'] : [], choices: [value || 'on'] }
  }
  return { name, values: [value], choices: undefined }
}

/** Checkboxes and radio buttons of one name. */
const joinControls = (one: Control, other: Control): Control => ({
  ...one,
  values: [...one.values, ...other.values],
  choices: one.choices && other.choices ? [...one.choices, ...other.choices] : undefined,
})

function entriesOf({ action, controls }: Form, values: FormValues): [string, string][] {
  for (const [name, given] of Object.entries(values)) {
    const control = controls.find((one) => one.name === name)
    if (!control) throw new Error(`the form that leads to ${action} has no field ${name}`)
    const wrong = [given].flat().find((value) => control.choices?.includes(value) === false)
    if (wrong !== undefined) throw new Error(`the form that leads to ${action} does not offer ${wrong} as ${name}`)
  }
  return controls.flatMap(({ name, values: own }) =>
    [values[name] ?? own].flat().map((value): [string, string] => [name, value]),
  )
}

const attributesOf = (text = ''): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [name, plainText(value)]),
  )

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** Undoes the escapes of `html`. */
export const plainText = (escaped: string): string =>
  escaped.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? '')
