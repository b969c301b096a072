// A real identity provider on loopback: oidc-provider with its own pages. A test can have it say something else in an ID
// token than it would, signed with its own key or another, and can stop and start it.
import { generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import inject from 'light-my-request'
import { Provider } from 'oidc-provider'
import { choosePort } from './oauth-walk.ts'

type TokenClaims = Record<string, unknown>

export interface TestProvider {
  issuer: string
  /** What it says about people, by the name that they sign in with, which is their subject. */
  people: Map<string, Record<string, unknown>>
  /** Changes the claims of the next ID tokens. */
  forge: ((claims: TokenClaims) => TokenClaims) | undefined
  /** `other`: tokens are signed with a key that isn't the provider's. */
  signature: 'own' | 'other'
  /** Replaces its discovery document. */
  document: Record<string, unknown> | undefined
  /** The paths that were asked for, with their query. */
  asked: string[]
  /** What clients sent to the token endpoint, and got. */
  tokens: string[]
  stop: () => Promise<void>
  start: () => Promise<void>
  close: () => Promise<void>
}

export const CLIENT = { id: 'bowerbird', secret: 'the secret of the test client' }

/** `redirects`: where it sends people; `signOut`: where it sends them after signing out. */
export async function startIdentityProvider(redirects: string[], signOut: string): Promise<TestProvider> {
  const port = await choosePort()
  const issuer = `http://127.0.0.1:${port}`
  const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const [own, other] = [newKey(), newKey()]
  const people = new Map<string, Record<string, unknown>>()
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: redirects,
        post_logout_redirect_uris: [signOut],
      },
    ],
    jwks: { keys: [{ ...own.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['cookies of the test'] },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'groups'],
      email: ['email', 'email_verified'],
    },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...people.get(id), sub: id }) }),
  })
  provider.silent = true
  const handle = provider.callback()
  const tested: TestProvider = {
    issuer,
    people,
    forge: undefined,
    signature: 'own',
    document: undefined,
    asked: [],
    tokens: [],
    stop: () => stop(server),
    async start() {
      server = await listen()
    },
    close: () => stop(server),
  }

  function sign(claims: TokenClaims): string {
    const header = { alg: 'RS256', kid: 'own' }
    const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    const key = tested.signature === 'own' ? own : other
    return `${text}.${signBytes('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`
  }

  async function answerToken(request: { url: string; headers: Record<string, unknown>; body: string }) {
    const { url, headers, body } = request
    const reply = await inject((incoming, outgoing) => void handle(incoming, outgoing), {
      method: 'POST',
      url,
      headers: { ...headers, host: new URL(issuer).host } as Record<string, string>,
      payload: body,
    })
    tested.tokens.push(body, reply.body)
    const found = JSON.parse(reply.body) as { id_token?: string }
    if (found.id_token === undefined || (!tested.forge && tested.signature === 'own')) return reply
    const [, payload = ''] = found.id_token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as TokenClaims
    const forged = JSON.stringify({ ...found, id_token: sign(tested.forge?.(claims) ?? claims) })
    return { statusCode: reply.statusCode, body: forged }
  }

  const listen = async (): Promise<Server> => {
    const opened = createServer((request, response) => {
      const url = request.url ?? ''
      tested.asked.push(url)
      if (tested.document && url === '/.well-known/openid-configuration') {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(tested.document))
        return
      }
      if (url !== '/token') {
        void handle(request, response)
        return
      }
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const body = Buffer.concat(parts).toString()
        void answerToken({ url, headers: request.headers, body }).then((reply) => {
          response.statusCode = reply.statusCode
          response.setHeader('content-type', 'application/json')
          response.end(reply.body)
        })
      })
    })
    await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve))
    return opened
  }
  let server = await listen()
  return tested
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}

/** A person's browser at identity providers: their pages, without script. */
export interface ProviderBrowser {
  /** Signs in if asked, consents, and returns the URL that the browser leaves the provider to. */
  walk: (location: string, login: string) => Promise<URL>
}

export function openProviderBrowser(): ProviderBrowser {
  const cookies = new Map<string, Map<string, string>>()
  return {
    async walk(location, login) {
      const { origin } = new URL(location)
      const jar = cookies.get(origin) ?? new Map<string, string>()
      cookies.set(origin, jar)
      let request: { url: string; fields?: Record<string, string> } = { url: location }
      for (let steps = 0; steps < 20; steps++) {
        const reply = await fetch(request.url, {
          redirect: 'manual',
          headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
          ...(request.fields && { method: 'POST', body: new URLSearchParams(request.fields) }),
        })
        for (const set of reply.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
          if (value === '') jar.delete(name)
          else jar.set(name, value)
        }
        const next = reply.headers.get('location')
        const text = await reply.text()
        if (next !== null) {
          const url = new URL(next, request.url)
          if (url.origin !== origin) return url
          request = { url: url.href }
          continue
        }
        const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1]
        if (action === undefined) throw new Error(`no form at the provider: ${reply.status} ${text.slice(0, 300)}`)
        request = { url: new URL(action.replaceAll('&amp;', '&'), request.url).href, fields: fieldsFor(text, login) }
      }
      throw new Error('the provider leads in circles')
    },
  }
}

function fieldsFor(page: string, login: string): Record<string, string> {
  if (page.includes('name="login"')) return { prompt: 'login', login, password: 'any' }
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1]
  // The page that asks whether to sign out has a button of its own.
  return xsrf === undefined ? { prompt: 'consent' } : { xsrf, logout: 'yes' }
}
