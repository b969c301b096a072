// A browser without script or windows, over real HTTP: keeps cookies and submits forms with their CSRF tokens.
export interface FormBrowser {
  ask: (path: string, fields?: URLSearchParams) => Promise<{ status: number; location: string; body: string }>
  /** Opens the page that has the form, for its token, and submits it. */
  submit: (
    path: string,
    fields: readonly [name: string, value: string][],
    from?: string,
  ) => ReturnType<FormBrowser['ask']>
  cookie: (name: string) => string | undefined
  /** The names of all cookies ever set. */
  cookieNames: () => string[]
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
    cookie: (name) => cookies.get(name),
    cookieNames: () => [...cookies.keys()],
  }
}
