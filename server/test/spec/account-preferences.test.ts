// Preferences follow a signed-in person: they are the account's on every device, and nobody else's.
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createUser } from '../../src/accounts/users.ts'
import { type FormBrowser, openFormBrowser } from '../support/form-browser.ts'
import { signIn } from '../support/oauth-walk.ts'
import { useTestInstance } from '../support/test-instance.ts'

const PASSWORD = 'correct horse battery'
const COOKIE = 'bowerbird_preferences'
const PATH = '/settings/search'

const server = useTestInstance({ SITE_ACCESS: 'public' })
let people = 0

async function addPerson(): Promise<string> {
  people += 1
  const username = `person-${people}`
  await createUser(server.instance.services.access, { username, password: PASSWORD })
  return username
}

const choose = (browser: FormBrowser, theme: string) => browser.fillIn(PATH, PATH, { theme })
const themeIn = async (browser: FormBrowser): Promise<string | undefined> =>
  /data-theme="(\w+)"/.exec((await browser.ask('/')).body)?.[1]

it('are the same in every browser of a person, and no one else’s', async () => {
  const [username, other] = [await addPerson(), await addPerson()]
  const [one, two] = [await signIn(server.url, username, PASSWORD), await signIn(server.url, username, PASSWORD)]
  const stranger = await signIn(server.url, other, PASSWORD)
  expect((await choose(one, 'dark')).location).toBe(`${PATH}?done=saved`)
  expect([await themeIn(one), await themeIn(two), await themeIn(stranger)]).toEqual(['dark', 'dark', 'auto'])
  expect(one.cookie(COOKIE)).toBeUndefined()
  await choose(two, 'light')
  expect(await themeIn(one)).toBe('light')
  await one.fillIn(PATH, `${PATH}/reset`)
  expect(await themeIn(two)).toBe('auto')
})

it('chosen before signing in become the account’s, unless it has some', async () => {
  const username = await addPerson()
  const first = openFormBrowser(server.url)
  await choose(first, 'dark')
  expect(first.cookie(COOKIE)).toContain('theme=dark')
  const credentials = { username, password: PASSWORD }
  await first.fillIn('/login', '/login', credentials)
  expect(await themeIn(first)).toBe('dark')
  const second = openFormBrowser(server.url)
  await choose(second, 'light')
  await second.fillIn('/login', '/login', credentials)
  expect(await themeIn(second)).toBe('dark')
})

it('of the browser are as they were after signing out', async () => {
  const browser = openFormBrowser(server.url)
  await choose(browser, 'light')
  await browser.fillIn('/login', '/login', { username: await addPerson(), password: PASSWORD })
  await choose(browser, 'dark')
  await browser.fillIn('/logout', '/logout')
  expect(await themeIn(browser)).toBe('light')
})

it('that were tampered with in the database are ignored, as those in a cookie are', async () => {
  const username = await addPerson()
  const { db } = server.instance.services.access
  await sql`update users set preferences = 'theme=<b>&lang=de&engines=../..' where username = ${username}`.execute(db)
  const browser = await signIn(server.url, username, PASSWORD)
  expect(await themeIn(browser)).toBe('auto')
  expect((await browser.ask(PATH)).body).toContain('lang=de')
})
