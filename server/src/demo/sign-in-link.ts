// A link that opens the demo signed in, so that its user doesn't have to type a random password. It works once, and only
// from the machine that the demo runs on; after that, and from elsewhere, it leads to the form.
import { randomBytes } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { Accounts } from '../accounts/accounts.ts'
import { visitorOf } from '../site/accounts/account-forms.ts'
import { followVerdict } from '../site/accounts/login-pages.ts'
import { definePage, type Page, redirectTo } from '../site/http/page.ts'
import { isSameHash } from '../text/cryptography.ts'

export interface SignInLink {
  path: string
  page: (accounts: Accounts) => Page
}

export function createSignInLink(credentials: { username: string; password: string }): SignInLink {
  const token = randomBytes(16).toString('base64url')
  let isUsed = false
  const page = (accounts: Accounts) =>
    definePage({
      method: 'GET',
      path: '/demo/:token',
      access: 'anyone',
      async handle(context) {
        if (context.viewer) return redirectTo('/')
        const isRight = isSameHash(context.params['token'] ?? '', token)
        if (isUsed || !isRight || !isLoopback(context.ip)) return redirectTo('/login')
        isUsed = true
        const verdict = await accounts.signIn.withPassword(credentials, visitorOf(context))
        return followVerdict(context, verdict, '/') ?? redirectTo('/login')
      },
    })
  return { path: `/demo/${token}`, page }
}

/** The demo trusts no proxy, so this is the address at the other end of the connection. */
const isLoopback = (address: string): boolean => ipaddr.process(address).range() === 'loopback'
