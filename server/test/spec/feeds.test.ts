// A search as a feed, against a whole instance: the form that makes it, what a feed reader gets, and when it gets nothing.
import { afterEach, expect, it } from 'vitest'
import { createUser, disableUser } from '../../src/accounts/users.ts'
import type { FormBrowser } from '../support/form-browser.ts'
import { signIn } from '../support/oauth-walk.ts'
import { startTestInstance, useTestInstance } from '../support/test-instance.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const PASSWORD = 'correct horse battery'
const PATH = '/settings/feeds'
const ENGINES = ['brave', 'mojeek', 'marginalia', 'wikipedia', 'hackernews']

const server = useTestInstance({
  ...WITHOUT_RATE_LIMIT,
  SITE_ACCESS: 'public',
  API_THROTTLE_BURST: '20/min',
  INSTANCE_SECRET: 'a secret that is kept elsewhere, long enough',
})
let people = 0
afterEach(() => {
  for (const slug of ENGINES) server.sandbox.setFault(slug, undefined)
})

interface JsonFeed {
  items: { url: string }[]
}

const feedIn = async (reply: Response): Promise<JsonFeed> => (await reply.json()) as JsonFeed

interface Person {
  userId: string
  username: string
  browser: FormBrowser
}

async function addPerson(): Promise<Person> {
  people += 1
  const username = `reader-${people}`
  const { id: userId } = await createUser(server.instance.services.access, { username, password: PASSWORD })
  return { userId, username, browser: await signIn(server.url, username, PASSWORD) }
}

/** Returns the feed's path, without `.xml` or `.json`. */
async function makeFeed({ browser }: Person, search: string): Promise<string> {
  const { status, body } = await browser.fillIn(`${PATH}?${search}`, PATH)
  expect(status).toBe(200)
  const paths = [...body.matchAll(/<code>[^<]*(\/feeds\/[\w-]{43})\.(xml|json)<\/code>/g)]
  expect(paths.map(([, , format]) => format)).toEqual(['xml', 'json'])
  return paths[0]?.[1] ?? ''
}

const read = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(server.url + path, { headers })
const callCount = () => ENGINES.reduce((sum, slug) => sum + server.sandbox.calls(slug).length, 0)
const failEngines = (slugs: readonly string[]) => {
  for (const slug of slugs) server.sandbox.setFault(slug, { kind: 'status', status: 500 })
}

it('200: has the results of the page, in both formats, with its filters and for its reader alone', async () => {
  const person = await addPerson()
  const feed = await makeFeed(person, 'q=tides+%26+waves&tab=news&lang=en&page=3')
  const [rss, json] = [await read(`${feed}.xml`), await read(`${feed}.json`)]
  expect(rss.status).toBe(200)
  expect(rss.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
  expect(rss.headers.get('cache-control')).toBe('private,max-age=3600')
  expect(json.headers.get('content-type')).toBe('application/feed+json; charset=utf-8')
  expect(json.headers.get('etag')).toBe(rss.headers.get('etag'))
  const xml = await rss.text()
  const document = await feedIn(json)
  expect(document).toMatchObject({
    title: 'tides & waves – Bowerbird',
    home_page_url: `${server.url}/search?q=tides+%26+waves&tab=news&lang=en`,
    feed_url: `${server.url}${feed}.json`,
    language: 'en',
  })
  expect(document.items.length).toBeGreaterThan(5)
  expect(xml.match(/<item>/g)).toHaveLength(document.items.length)
  expect(xml).toContain('<title>tides &amp; waves – Bowerbird</title>')
  const page = (await person.browser.ask('/search?q=tides+%26+waves&tab=news&lang=en')).body
  expect(document.items.filter(({ url }) => !page.includes(url.replaceAll('&', '&amp;')))).toEqual([])
})

it('304: a reader that has the results, in whatever format and language, asks nobody for an hour', async () => {
  const feed = await makeFeed(await addPerson(), 'q=moon')
  const tag = (await read(`${feed}.xml`)).headers.get('etag') ?? ''
  const calls = callCount()
  for (const language of ['en', 'de', 'fr']) {
    const headers = { 'if-none-match': `"x", ${tag}`, 'accept-language': language }
    for (const format of ['xml', 'json']) {
      const reply = await read(`${feed}.${format}`, headers)
      expect(reply.status).toBe(304)
      expect(reply.headers.get('etag')).toBe(tag)
    }
  }
  expect(callCount()).toBe(calls)
})

it('404: for any other secret, a deleted feed, and a person who is disabled', async () => {
  const person = await addPerson()
  const feed = await makeFeed(person, 'q=comets')
  const secret = feed.replace('/feeds/', '')
  const swapped = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`
  for (const path of ['/feeds/x.xml', `/feeds/${swapped}.xml`, `${feed}.html`, feed, `${feed}.xml.json`])
    expect((await read(path)).status, path).toBe(404)
  const id = /action="\/settings\/feeds\/(\d+)\/remove"/.exec((await person.browser.ask(PATH)).body)?.[1]
  const other = await addPerson()
  await other.browser.submit(`${PATH}/${id}/remove`, [], `${PATH}?q=x`)
  expect((await read(`${feed}.xml`)).status).toBe(200)
  expect((await person.browser.fillIn(PATH, `${PATH}/${id}/remove`)).location).toBe(`${PATH}?done=removed`)
  expect((await read(`${feed}.xml`)).status).toBe(404)
  const disabled = await makeFeed(other, 'q=comets')
  await disableUser(server.instance.services.access, other.username)
  expect((await read(`${disabled}.xml`)).status).toBe(404)
})

it('429: searches four times an hour, and within the limits of its owner', async () => {
  const person = await addPerson()
  const feed = await makeFeed(person, 'q=rivers')
  const statuses: number[] = []
  for (let fetches = 0; fetches < 5; fetches++) statuses.push((await read(`${feed}.xml`)).status)
  const refused = await read(`${feed}.json`)
  expect([...statuses, refused.status]).toEqual([200, 200, 200, 200, 429, 429])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500)
  const another = await makeFeed(person, 'q=lakes')
  const { consume } = server.instance.services.website.frame.limits
  while ((await consume(`user ${person.userId}`, 'search')) === 0);
  expect((await read(`${another}.xml`)).status).toBe(429)
})

it('is not made where the database would hold the secret that encrypts it', async () => {
  const other = await startTestInstance(WITHOUT_RATE_LIMIT)
  try {
    await createUser(other.instance.services.access, { username: 'reader', password: PASSWORD })
    const browser = await signIn(other.url, 'reader', PASSWORD)
    const { body } = await browser.ask(`${PATH}?q=tides`)
    expect(body).toContain('sets INSTANCE_SECRET')
    expect(body).not.toContain('Create feed')
    expect((await browser.ask('/search?q=tides')).body).not.toContain('Feed of this search')
  } finally {
    await other.close()
  }
})

it('503: is never an empty list because engines failed, all or some, and then has the results again', async () => {
  const person = await addPerson()
  const feed = await makeFeed(person, 'q=volcanoes')
  const empty = await makeFeed(person, 'q=nothingtofind')
  expect(await (await read(`${empty}.json`)).json()).toMatchObject({ items: [] })
  const partlyFailed = await makeFeed(person, 'q=nothingtofind&date=w')
  failEngines(['brave'])
  expect((await read(`${partlyFailed}.json`)).status).toBe(503)
  failEngines(ENGINES)
  const failed = await read(`${feed}.xml`)
  expect(failed.status).toBe(503)
  expect(Number(failed.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await failed.text()).not.toContain('<rss')
  for (const slug of ENGINES) server.sandbox.setFault(slug, undefined)
  // Not by the feed, whose searches are limited.
  const isBack = async () => (await server.api.get('/api/v1/web/?q=volcanoes')).status
  await expect.poll(isBack, { timeout: 30_000, interval: 500 }).toBe(200)
  expect((await read(`${feed}.xml`)).status).toBe(200)
})

it('follows the preferences and the rules about sites of its owner, as they are now', async () => {
  const person = await addPerson()
  const feed = await makeFeed(person, 'q=glaciers')
  const itemsOf = async () => (await feedIn(await read(`${feed}.json`))).items
  const [first] = await itemsOf()
  const site = new URL(first?.url ?? '').hostname
  const { access, accounts, website } = server.instance.services
  await website.frame.rules.set({ kind: 'person', userId: person.userId }, { pattern: site, action: 'block' }, access)
  const left = await itemsOf()
  expect(left.length).toBeGreaterThan(0)
  expect(left.filter(({ url }) => new URL(url).hostname === site)).toEqual([])
  await accounts.ownAccount.savePreferences(person.userId, 'lang=de&interface=de')
  const german = await (await read(`${feed}.json`)).json()
  expect(german).toMatchObject({ language: 'de', description: expect.stringContaining('Suchergebnisse für') })
})

it('400: can’t be made of nothing, of too much, or of what seems to be a secret; 409: nor of too many', async () => {
  const { browser, userId } = await addPerson()
  const post = (q: string) => browser.submit(PATH, [['q', q]], `${PATH}?q=x`)
  const card = '4111 1111 1111 1111'
  for (const q of ['', 'x'.repeat(600), card]) expect([q, (await post(q)).status]).toEqual([q, 400])
  const { feeds, accessBy } = server.instance.services.accounts
  while ((await feeds.create(accessBy({ address: '127.0.0.1', userId }), userId, { q: 'x' })) !== undefined);
  expect((await post('one more')).status).toBe(409)
})

it('is offered to those who are signed in, and its secret and search are in no log or metric', async () => {
  const person = await addPerson()
  const query = 'canary7f3e21'
  expect((await person.browser.ask(`/search?q=${query}`)).body).toContain(`href="${PATH}?q=${query}"`)
  expect(await (await read(`/search?q=${query}`)).text()).not.toContain(PATH)
  const feed = await makeFeed(person, `q=${query}`)
  expect((await read(`${feed}.xml`)).status).toBe(200)
  const { metrics } = server.instance.services
  const written = server.logged() + (await metrics.text())
  expect(written).toContain('/feeds/:file')
  expect([query, feed.replace('/feeds/', '')].filter((text) => written.includes(text))).toEqual([])
})
