// Signing in with an identity provider, against a real one: what works, and what we refuse. The protocol is openid-client's: one
// table shows that what it refuses is refused here, for each check that we have to ask it for.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createInvitation, revokeInvitation } from '../../src/accounts/invitations.ts'
import { createUser, findUser } from '../../src/accounts/users.ts'
import { readEvents } from '../../src/audit/audit-log.ts'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { createLog } from '../../src/log.ts'
import { startInstance } from '../../src/operate/start.ts'
import { readConfiguration, requireConfiguration } from '../../src/settings/configuration.ts'
import { CLIENT } from '../support/identity-provider.ts'
import { type OidcStage, openWalker, startOidcStage, type Walker } from '../support/oidc-instance.ts'
import { readTables } from '../support/stored-data.ts'

const PASSWORD = 'correct horse battery'
const CALLBACK = '/callback/oidc'

let stage: OidcStage
let people = 0

beforeAll(async () => {
  stage = await startOidcStage()
})
afterAll(() => stage?.close())
afterEach(() => {
  for (const provider of [stage.company, stage.club])
    Object.assign(provider, { forge: undefined, signature: 'own', document: undefined })
})

const accessOf = () => stage.server.instance.services.access
const newWalker = () => openWalker(stage.server.url)

/** A person who has signed in with a password. */
async function newPerson(): Promise<Walker & { username: string; subject: string }> {
  people += 1
  const username = `person-${people}`
  await createUser(accessOf(), { username, password: PASSWORD })
  const walker = newWalker()
  await walker.browser.fillIn('/login', '/login', { username, password: PASSWORD })
  return { ...walker, username, subject: `subject-of-${username}` }
}

/** A person whose account is connected to one at the company. */
async function connectedPerson() {
  const person = await newPerson()
  const location = await person.leave('/settings/account', '/settings/account/identities/oidc/connect')
  const reply = await person.arrive(await person.provider.walk(location.href, person.subject))
  expect(reply.location).toBe('/settings/account?done=connected')
  return person
}

const isSignedIn = async ({ browser }: Walker): Promise<boolean> =>
  (await browser.ask('/settings/account')).status === 200

async function eventsOf(username: string): Promise<string[]> {
  const user = await findUser(accessOf(), username)
  const events = await readEvents(accessOf().db, { aboutUserId: user?.id ?? '0', limit: 50 })
  return events.toReversed().map(({ event, outcome, detail }) => `${event} ${outcome} ${detail}`.trim())
}

const lastFailure = async (): Promise<string> => {
  const [event] = await readEvents(accessOf().db, { event: 'sign-in', outcome: 'failed', limit: 1 })
  return event?.detail ?? ''
}

describe('someone who is invited', () => {
  const leaveWith = async (walker: Walker, token: string, username: string): Promise<URL> => {
    const path = `/invitation/${token}`
    const reply = await walker.browser.submit(`${path}/with/oidc`, [['username', username]], path)
    const location = /href="(http[^"]+)"[^>]*>Continue to/.exec(reply.body)?.[1]
    return new URL(location?.replaceAll('&amp;', '&') ?? expect.unreachable(`it does not lead on: ${reply.status}`))
  }

  it('gets an account from a provider that creates none, under a name of their own, once', async () => {
    const { token } = await createInvitation(accessOf(), { isAdmin: false })
    const walker = newWalker()
    const location = await leaveWith(walker, token, 'Invited-One')
    const reply = await walker.arrive(await walker.provider.walk(location.href, 'invited-there'))
    expect([reply.status, reply.location]).toEqual([303, '/'])
    expect((await walker.browser.ask('/settings/account')).body).toContain('Signed in as invited-one.')
    expect((await walker.browser.ask('/admin/users')).status).toBe(403)
    expect(await eventsOf('invited-one')).toEqual([
      'user-created ok',
      'identity-connected ok',
      'invitation-accepted ok',
      'sign-in ok identity-provider',
      'access-denied failed /admin/users',
    ])
    const late = newWalker()
    const again = await late.browser.submit(`/invitation/${token}/with/oidc`, [['username', 'late']], '/login')
    expect(again.status).toBe(404)
  })

  it('gets none if the invitation was revoked meanwhile, or the name is taken', async () => {
    const [revoked, open] = [
      await createInvitation(accessOf(), { isAdmin: false }),
      await createInvitation(accessOf(), { isAdmin: false }),
    ]
    const walker = newWalker()
    const location = await leaveWith(walker, revoked.token, 'too-late')
    await revokeInvitation(accessOf(), revoked.invitation.id)
    expect((await walker.arrive(await walker.provider.walk(location.href, 'too-late'))).status).toBe(403)
    const other = newWalker()
    const there = await leaveWith(other, open.token, 'ada')
    expect((await other.arrive(await other.provider.walk(there.href, 'another-ada'))).status).toBe(403)
    expect(await isSignedIn(other)).toBe(false)
    expect(await findUser(accessOf(), 'too-late')).toBeUndefined()
    expect((await newWalker().browser.ask(`/invitation/${open.token}`)).status).toBe(200)
  })
})

describe('someone whose account is connected', () => {
  it('signs in, has a session like any other, and comes to the page that was asked for', async () => {
    const { username, subject } = await connectedPerson()
    const walker = newWalker()
    const location = await walker.leave('/login?next=%2Fsettings%2Fkeys', '/login/with/oidc')
    const reply = await walker.arrive(await walker.provider.walk(location.href, subject))
    expect(reply).toMatchObject({ status: 303, location: '/settings/keys' })
    const page = await walker.browser.ask('/settings/account')
    expect(page.body).toContain(`Signed in as ${username}.`)
    expect(page.body).toMatch(/<dt>Company<\/dt><dd>Connected\./)
    expect(await eventsOf(username)).toEqual([
      'user-created ok',
      'sign-in ok password',
      'identity-connected ok',
      'sign-in ok identity-provider',
    ])
  })

  it('is refused once the account is disabled', async () => {
    const { username, subject } = await connectedPerson()
    await accessOf().db.updateTable('users').set({ disabled_at: new Date() }).where('username', '=', username).execute()
    const walker = newWalker()
    const reply = await walker.signIn('oidc', subject)
    expect(reply.status).toBe(403)
    expect(reply.body).toContain('This account is disabled.')
    expect(await isSignedIn(walker)).toBe(false)
  })

  it('disconnects, and is a stranger again', async () => {
    const { browser, subject } = await connectedPerson()
    const reply = await browser.fillIn('/settings/account', '/settings/account/identities/oidc/disconnect')
    expect(reply.location).toBe('/settings/account?done=disconnected')
    const walker = newWalker()
    expect((await walker.signIn('oidc', subject)).status).toBe(403)
  })

  it('confirms who they are at the provider, which asks them to sign in again', async () => {
    const person = await connectedPerson()
    const location = await person.leave('/settings/confirm?next=%2Fsettings%2Fkeys', '/settings/confirm/with/oidc')
    expect(location.searchParams.get('prompt')).toBe('login')
    expect(location.searchParams.get('max_age')).toBe('300')
    const reply = await person.arrive(await person.provider.walk(location.href, person.subject))
    expect(reply.location).toBe('/settings/keys')
    expect(await eventsOf(person.username)).toContain('identity-confirmed ok identity-provider')
  })

  it("403: neither somebody else's account nor a sign-in of an hour ago confirms who they are", async () => {
    const person = await connectedPerson()
    const confirmAs = async (subject: string) => {
      const location = await person.leave('/settings/confirm', '/settings/confirm/with/oidc')
      return await person.arrive(await person.provider.walk(location.href, subject))
    }
    stage.company.forge = (claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1_000) - 3_600 })
    expect((await confirmAs(person.subject)).status).toBe(403)
    stage.company.forge = undefined
    const reply = await confirmAs('somebody-else')
    expect(reply.status).toBe(403)
    expect(reply.body).toContain('This is not an account that you have connected.')
    expect(await eventsOf(person.username)).not.toContain('identity-confirmed ok identity-provider')
  })

  it('signs out here and at the provider', async () => {
    const { subject } = await connectedPerson()
    const walker = newWalker()
    await walker.signIn('oidc', subject)
    const reply = await walker.browser.fillIn('/logout', '/logout', { where: 'provider' })
    const location = /href="(http[^"]+)"/.exec(reply.body)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const url = new URL(location)
    expect(url.origin).toBe(stage.company.issuer)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: CLIENT.id,
      post_logout_redirect_uri: `${stage.server.url}/login?done=signed-out`,
    })
    expect(await isSignedIn(walker)).toBe(false)
    const back = await walker.provider.walk(location, subject)
    expect(back.href).toBe(`${stage.server.url}/login?done=signed-out`)
    // It asks for the password again.
    const again = await walker.leave('/login', '/login/with/oidc')
    const asked = stage.company.asked.length
    await walker.provider.walk(again.href, subject)
    expect(stage.company.asked.slice(asked).some((path) => path.startsWith('/interaction/'))).toBe(true)
  })
})

describe('an account that is not connected', () => {
  it('403: signs nobody in, whatever mail address or name it has', async () => {
    const { username } = await newPerson()
    const mail = { preferred_username: username, email: `${username}@example.org`, email_verified: true }
    stage.company.people.set('a-stranger', mail)
    const walker = newWalker()
    const reply = await walker.signIn('oidc', 'a-stranger')
    expect(reply.status).toBe(403)
    expect(reply.body).toContain('No account here is connected to this one.')
    expect(await isSignedIn(walker)).toBe(false)
    expect(await lastFailure()).toBe('not-connected')
  })

  it('is never connected to two accounts here', async () => {
    const { subject } = await connectedPerson()
    const other = await newPerson()
    const location = await other.leave('/settings/account', '/settings/account/identities/oidc/connect')
    const reply = await other.arrive(await other.provider.walk(location.href, subject))
    expect(reply.status).toBe(409)
    expect(reply.body).toContain('is already connected to another account here')
  })
})

describe('a provider that creates accounts', () => {
  const arriveAs = async (login: string, claims: Record<string, unknown>) => {
    stage.club.people.set(login, claims)
    const walker = newWalker()
    return { walker, reply: await walker.signIn('club', login) }
  }
  const roleOf = async (username: string) => (await findUser(accessOf(), username))?.isAdmin

  it('creates one at the first sign-in, without a password, and finds it at the second', async () => {
    const claims = { preferred_username: 'Grace', groups: ['members'] }
    const { walker } = await arriveAs('club-1', claims)
    const page = await walker.browser.ask('/settings/account')
    expect(page.body).toContain('Signed in as grace.')
    expect(page.body).toContain('You have no password here.')
    const { reply } = await arriveAs('club-1', { ...claims, preferred_username: 'renamed' })
    expect(reply.location).toBe('/')
    expect(await findUser(accessOf(), 'renamed')).toBeUndefined()
    const refused = await walker.browser.fillIn('/settings/account', '/settings/account/identities/club/disconnect')
    expect(refused.status).toBe(409)
    expect(refused.body).toContain('You could no longer sign in.')
  })

  it('403: creates none without a name, or for one that somebody has', async () => {
    const { username } = await newPerson()
    const nameless = { email: 'mallory@example.org', email_verified: false }
    for (const claims of [nameless, { preferred_username: username }]) {
      const { walker, reply } = await arriveAs('club-2', { ...claims, groups: ['members'] })
      expect(reply.status).toBe(403)
      expect(reply.body).toContain('No account could be created for you')
      expect(await isSignedIn(walker)).toBe(false)
    }
  })

  it('403: lets nobody in who has none of the values that are allowed', async () => {
    const { walker, reply } = await arriveAs('club-5', { preferred_username: 'trudy', groups: ['guests'] })
    expect(reply.status).toBe(403)
    expect(reply.body).toContain('is not allowed in here')
    expect(await isSignedIn(walker)).toBe(false)
    expect(await lastFailure()).toBe('not-allowed')
  })

  it('gives the role of an administrator by a claim, and takes away what it has given, but not from the last one', async () => {
    const arriveIn = async (group: string) => {
      const { reply } = await arriveAs('club-6', { preferred_username: 'barbara', groups: [group] })
      expect(reply.location).toBe('/')
      return await roleOf('barbara')
    }
    expect(await arriveIn('Head Office')).toBe(true)
    expect(await arriveIn('members')).toBe(true)
    await createUser(accessOf(), { username: 'another-admin', password: PASSWORD, isAdmin: true })
    expect(await arriveIn('members')).toBe(false)
    expect(await arriveIn('board')).toBe(true)
    expect(await eventsOf('barbara')).toEqual(expect.arrayContaining(['role-removed ok', 'role-granted ok']))
  })

  it('leaves a role alone that an administrator has given', async () => {
    await arriveAs('club-7', { preferred_username: 'margaret', groups: ['members'] })
    await accessOf().db.updateTable('users').set({ is_admin: true }).where('username', '=', 'margaret').execute()
    await arriveAs('club-7', { preferred_username: 'margaret', groups: ['members'] })
    expect(await roleOf('margaret')).toBe(true)
  })
})

describe('an answer that proves nothing', () => {
  it('403: an ID token for another sign-in or client, or with another signature, and a URL with another state sign nobody in', async () => {
    const { subject } = await connectedPerson()
    const { company } = stage
    const wrong: Record<string, (back: URL) => void> = {
      'an ID token for another sign-in': () => {
        company.forge = (claims) => ({ ...claims, nonce: 'another' })
      },
      'an ID token that another client asked for': () => {
        company.forge = (claims) => ({ ...claims, azp: 'another-client' })
      },
      'an ID token whose signature is of another key': () => {
        company.signature = 'other'
      },
      'a URL with another state': (back) => back.searchParams.set('state', 'another'),
      'a URL with an error, in answer to nothing': (back) => {
        back.searchParams.set('error', 'access_denied')
        back.searchParams.set('state', 'another')
      },
    }
    for (const [name, change] of Object.entries(wrong)) {
      Object.assign(company, { forge: undefined, signature: 'own' })
      const walker = newWalker()
      const location = await walker.leave('/login', '/login/with/oidc')
      const back = await walker.provider.walk(location.href, subject)
      change(back)
      const reply = await walker.arrive(back)
      expect(reply, name).toMatchObject({ status: 403, body: expect.stringContaining('could not be verified') })
      expect(await isSignedIn(walker), name).toBe(false)
      expect(await lastFailure(), name).toBe('identity-provider')
    }
  })

  it('is worth nothing in another browser, or without the cookie, or with one that was changed', async () => {
    const { subject } = await connectedPerson()
    const victim = newWalker()
    const thief = newWalker()
    const location = await thief.leave('/login', '/login/with/oidc')
    const back = await thief.provider.walk(location.href, subject)
    expect((await victim.arrive(back)).location).toBe('/login?done=expired')
    await victim.leave('/login', '/login/with/oidc')
    expect((await victim.arrive(back)).status).toBe(403)
    const pending = thief.browser.cookie('bowerbird_oidc') ?? ''
    const changed = `${pending.slice(0, 40)}${pending[40] === 'A' ? 'B' : 'A'}${pending.slice(41)}`
    const reply = await fetch(back, { headers: { cookie: `bowerbird_oidc=${changed}` }, redirect: 'manual' })
    expect(reply.headers.get('location')).toBe('/login?done=expired')
    expect(await isSignedIn(victim)).toBe(false)
  })

  it('of one provider is worth nothing at the page of another', async () => {
    const { subject } = await connectedPerson()
    const walker = newWalker()
    const location = await walker.leave('/login', '/login/with/oidc')
    const back = await walker.provider.walk(location.href, subject)
    back.pathname = '/callback/club'
    const asked = stage.club.asked.length
    expect((await walker.arrive(back)).location).toBe('/login?done=expired')
    // The code was shown to nobody.
    expect(stage.club.asked.length).toBe(asked)
    expect(await isSignedIn(walker)).toBe(false)
  })

  it('connects nothing if somebody else is signed in by now', async () => {
    const person = await newPerson()
    const location = await person.leave('/settings/account', '/settings/account/identities/oidc/connect')
    const back = await person.provider.walk(location.href, person.subject)
    const other = await newPerson()
    const cookie = `bowerbird_oidc=${person.browser.cookie('bowerbird_oidc')}; bowerbird_session=${other.browser.cookie('bowerbird_session')}`
    const reply = await fetch(back, { headers: { cookie }, redirect: 'manual' })
    expect(reply.headers.get('location')).toBe('/login?done=expired')
    expect((await other.browser.ask('/settings/account')).body).toMatch(/<dt>Company<\/dt><dd>Not connected\./)
  })

  it('says so if the person went back', async () => {
    const walker = newWalker()
    const location = await walker.leave('/login', '/login/with/oidc')
    const state = location.searchParams.get('state') ?? ''
    const reply = await walker.browser.ask(`${CALLBACK}?error=access_denied&state=${state}`)
    expect(reply.status).toBe(403)
    expect(reply.body).toContain('Company did not sign you in.')
  })
})

describe('what leaves and what stays', () => {
  it('asks for a code with S256, a state and a nonce of its own each time, and nothing that is not needed', async () => {
    const walker = newWalker()
    const [one, two] = [
      await walker.leave('/login', '/login/with/oidc'),
      await walker.leave('/login', '/login/with/oidc'),
    ]
    const { state, nonce, code_challenge, ...rest } = Object.fromEntries(one.searchParams)
    expect(rest).toEqual({
      client_id: CLIENT.id,
      response_type: 'code',
      scope: 'openid profile email',
      redirect_uri: `${stage.server.url}${CALLBACK}`,
      code_challenge_method: 'S256',
    })
    for (const secret of ['state', 'nonce', 'code_challenge'] as const)
      expect(one.searchParams.get(secret)).not.toBe(two.searchParams.get(secret))
    expect([state, nonce, code_challenge].every((secret) => (secret ?? '').length >= 43)).toBe(true)
  })

  it('codes, verifiers, tokens and secrets are in no table and no log line', async () => {
    const { subject } = await connectedPerson()
    stage.company.people.set(subject, { email: 'canary@example.org', preferred_username: 'canary-name' })
    const walker = newWalker()
    await walker.signIn('oidc', subject)
    const sent = stage.company.tokens.flatMap((text) => [
      ...text.matchAll(/"(?:access_token|id_token)":"([^"]+)"|(?:code|code_verifier)=([^&]+)/g),
    ])
    const secrets = sent.map(([, token, field]) => token ?? field ?? '').filter((secret) => secret !== 'another')
    expect(secrets.length).toBeGreaterThanOrEqual(4)
    const stored = JSON.stringify(await readTables(stage.server.databaseUrl))
    const places = stage.server.logged() + stored
    for (const secret of [...secrets, CLIENT.secret, 'canary@example.org', 'canary-name'])
      expect(places).not.toContain(secret)
    expect(stage.server.logged()).not.toContain(subject)
    expect(stored).toContain(subject)
  })
})

describe('a provider that is down', () => {
  it('503: is named in a sentence, as is one that leads to no web address; other ways of signing in work', async () => {
    const own = await startOidcStage()
    try {
      const document = await fetch(`${own.club.issuer}/.well-known/openid-configuration`)
      own.club.document = { ...((await document.json()) as object), authorization_endpoint: 'javascript:alert(1)' }
      // Nobody has asked it anything: it isn't needed to start.
      expect(own.company.asked).toEqual([])
      await own.company.stop()
      const { browser } = openWalker(own.server.url)
      const reply = await browser.fillIn('/login', '/login/with/oidc')
      expect(reply.status).toBe(503)
      expect(reply.body).toContain('Company cannot be reached at the moment.')
      expect((await browser.fillIn('/login', '/login/with/club')).status).toBe(503)
      await createUser(own.server.instance.services.access, { username: 'grace', password: PASSWORD })
      const signedIn = await browser.fillIn('/login', '/login', { username: 'grace', password: PASSWORD })
      expect(signedIn.location).toBe('/')
      expect(own.server.logged()).not.toContain(own.company.issuer)
      await own.company.start()
    } finally {
      await own.close()
    }
  })

  it('503: also if it goes down while the person is there', async () => {
    const { subject } = await connectedPerson()
    const walker = newWalker()
    const location = await walker.leave('/login', '/login/with/oidc')
    const back = await walker.provider.walk(location.href, subject)
    await stage.company.stop()
    const reply = await walker.arrive(back)
    await stage.company.start()
    expect(reply.status).toBe(503)
    expect(await isSignedIn(walker)).toBe(false)
    expect((await walker.signIn('oidc', subject)).location).toBe('/')
  })
})

it('429: a browser that comes back again and again with made-up codes is made to wait, and so is the provider spared', async () => {
  const walker = newWalker()
  const location = await walker.leave('/login', '/login/with/oidc')
  const pending = walker.browser.cookie('bowerbird_oidc') ?? ''
  const state = location.searchParams.get('state') ?? ''
  const asked = stage.company.asked.length
  const statuses: number[] = []
  for (let attempt = 0; attempt < 40; attempt++) {
    const url = `${stage.server.url}${CALLBACK}?code=made-up-${attempt}&state=${state}&iss=${stage.company.issuer}`
    const headers = { cookie: `bowerbird_oidc=${pending}`, 'x-forwarded-for': '192.0.2.99' }
    statuses.push((await fetch(url, { headers, redirect: 'manual' })).status)
  }
  expect(statuses[0]).toBe(403)
  expect(statuses.at(-1)).toBe(429)
  expect(stage.company.asked.length - asked).toBeLessThan(35)
})

describe('with PASSWORD_SIGN_IN=off', () => {
  it('nobody signs in with a password, and the page has no field for one', async () => {
    const own = await startOidcStage({ PASSWORD_SIGN_IN: 'off' })
    try {
      const { access } = own.server.instance.services
      await createUser(access, { username: 'grace', password: PASSWORD, isAdmin: true })
      own.club.people.set('member', { preferred_username: 'ida', groups: ['members'] })
      const walker = openWalker(own.server.url)
      const { body } = await walker.browser.ask('/login')
      expect(body).not.toContain('type="password"')
      const reply = await walker.browser.submit('/login', [
        ['username', 'grace'],
        ['password', PASSWORD],
      ])
      expect(reply.status).toBe(403)
      expect(reply.body).toContain('Passwords are not used here.')
      expect(await isSignedIn(walker)).toBe(false)
      expect((await walker.signIn('club', 'member')).location).toBe('/')
    } finally {
      await own.close()
    }
  })

  it('does not start if no administrator could sign in, and says what to do', async () => {
    const { server } = stage
    await createUser(accessOf(), { username: 'locked-out', password: PASSWORD, isAdmin: true })
    const read = readConfiguration({
      ...sandboxSettings((slug) => server.sandbox.urlOf(slug)),
      DATABASE_URL: server.databaseUrl,
      REDIS_URL: server.redisUrl,
      PORT: '0',
      PUBLIC_URL: server.url,
      // A provider that nobody has connected.
      OIDC_ISSUER: 'https://auth.example.org',
      OIDC_CLIENT_ID: 'bowerbird',
      PASSWORD_SIGN_IN: 'off',
    })
    const started = startInstance(requireConfiguration(read), createLog('silent'))
    await expect(started).rejects.toMatchObject({ body: { detail: expect.stringContaining('no administrator') } })
  })
})
