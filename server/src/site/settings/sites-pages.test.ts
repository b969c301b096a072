import { describe, expect, it } from 'vitest'
import type { RuleBook } from '../../rules/site-rules.ts'
import { memoryRules } from '../memory-rules.test-harness.ts'
import { type Browser, openSiteStage, type SiteStubs, USER } from '../site.test-harness.ts'
import { sitesPages } from './sites-pages.ts'

const ROOT = { ...USER, userId: '2', username: 'root', isAdmin: true }
const PATH = '/settings/sites'

interface Opened {
  browser: Browser
  rules: RuleBook
}

async function open(viewer?: typeof USER, rules = memoryRules()): Promise<Opened> {
  // The pages only pass on who it was.
  const accounts = { accessBy: ({ userId }: { userId: string }) => ({ actor: { userId, network: '' } }) }
  const stage = await openSiteStage({ rules, accounts: accounts as unknown as SiteStubs['accounts'] }, sitesPages)
  return { browser: stage.browser(viewer), rules }
}

describe.each([
  ['a person', USER, PATH],
  ['the instance', ROOT, '/admin/sites'],
  ['a browser', undefined, PATH],
])('the sites of %s', (_whose, viewer, path) => {
  it('are added, listed and removed', async () => {
    const { browser } = await open(viewer)
    expect((await browser.get(path)).text).toContain('No sites yet')
    const added = await browser.submit(path, { site: 'https://www.Example.org/', action: 'raise', to: '' })
    expect(added).toMatchObject({ status: 303, location: `${path}?done=added` })
    expect((await browser.get(`${path}?done=added`)).text).toMatch(/Saved\. .*example\.org Raised Remove/)
    await browser.submit(`${path}/remove`, { pattern: 'example.org' }, path)
    expect((await browser.get(path)).text).toContain('No sites yet')
  })

  it('can show another address', async () => {
    const { browser } = await open(viewer)
    await browser.submit(path, { site: 'video.example', action: 'rewrite', to: 'front.example' })
    expect((await browser.get(path)).text).toContain('Shown at front.example')
  })

  it('400: what is no site comes back with what to do', async () => {
    const { browser } = await open(viewer)
    const { status, body, text } = await browser.submit(path, { site: 'no <b>site', action: 'block', to: '' })
    expect(status).toBe(400)
    expect(body).toContain('value="no &lt;b&gt;site"')
    expect(text).toContain('This is no site. Write a domain, such as example.org.')
    const target = await browser.submit(path, { site: 'a.org', action: 'rewrite', to: '' })
    expect(target.text).toContain('Write the host to show instead')
  })

  it('are imported from a list, and exported as one that can be imported', async () => {
    const { browser } = await open(viewer)
    const reply = await browser.submit(`${path}/import`, { text: '*://*.a.example/*\nraise b.example' }, path)
    expect(reply.location).toBe(`${path}?imported=2`)
    const exported = await browser.get(`${path}/export`)
    expect(exported.headers['content-disposition']).toContain('sites.txt')
    const other = await open(viewer)
    await other.browser.submit(`${path}/import`, { text: exported.body }, path)
    expect((await other.browser.get(`${path}/export`)).body).toBe(exported.body)
    expect(exported.body).toContain('b.example')
  })

  it('the lines of a list that cannot be read are told', async () => {
    const { browser } = await open(viewer)
    const { status, text } = await browser.submit(
      `${path}/import`,
      { text: 'a.example\n/regular (expression)+/' },
      path,
    )
    expect(status).toBe(200)
    expect(text).toMatch(/One site was added\. .*One line was left out: .*2:/)
    const empty = await browser.submit(`${path}/import`, { text: ' ' }, path)
    expect(empty.status).toBe(400)
    expect(empty.text).toContain('Paste a list')
  })

  it('can be searched', async () => {
    const { browser } = await open(viewer)
    const list = Array.from({ length: 12 }, (_, at) => `block site${at}.example`).join('\n')
    await browser.submit(`${path}/import`, { text: list }, path)
    const { body, text } = await browser.get(`${path}?find=SITE11`)
    expect(text).toContain('site11.example Blocked')
    expect(body).not.toContain('site10.example')
    expect((await browser.get(`${path}?find=zzz`)).text).toContain('None of your sites')
  })
})

describe('subscriptions', () => {
  it('are shown with who publishes them, their size, and what went wrong', async () => {
    const { browser, rules } = await open(USER)
    const list = async () => ({
      own: [],
      subscriptions: [
        {
          id: '7',
          address: 'https://lists.example/spam.txt',
          action: 'block' as const,
          publisher: 'Ada <b>',
          licence: 'CC0',
          rules: 12_345,
          fetchedAt: Date.now() - 3_600_000,
          problem: 'The list is larger than 10 MB.',
        },
      ],
    })
    rules.list = list
    const { text } = await browser.get(PATH)
    expect(text).toContain(
      'https://lists.example/spam.txt The list is larger than 10 MB. Ada &lt;b&gt; CC0 12,345 1 hour ago',
    )
  })

  it('begin and end', async () => {
    const { browser } = await open(USER)
    const address = 'https://lists.example/spam.txt'
    const reply = await browser.submit(`${PATH}/subscribe`, { address, action: 'lower' }, PATH)
    expect(reply.location).toBe(`${PATH}?done=subscribed`)
    expect((await browser.get(PATH)).text).toContain('Not yet')
    expect((await browser.get(PATH)).body.match(/<option value="pin"/g)).toHaveLength(1)
    await browser.submit(`${PATH}/unsubscribe`, { id: '1' }, PATH)
    expect((await browser.get(PATH)).body).not.toContain('spam.txt')
  })

  it('400: have an address with https', async () => {
    const { browser } = await open(USER)
    for (const address of ['http://lists.example/spam.txt', 'file:///etc/passwd', 'lists.example', '']) {
      const { status } = await browser.submit(`${PATH}/subscribe`, { address, action: 'block' }, PATH)
      expect(status).toBe(400)
    }
  })

  it('404: a browser has none', async () => {
    const { browser } = await open()
    const { status } = await browser.submit(
      `${PATH}/subscribe`,
      { address: 'https://a.example/', action: 'block' },
      PATH,
    )
    expect(status).toBe(404)
    expect((await browser.get(PATH)).body).not.toContain('Subscriptions')
  })
})

it('whose sites they are decides which change', async () => {
  const { browser, rules } = await open(ROOT)
  await browser.submit('/admin/sites', { site: 'a.example', action: 'block', to: '' })
  await browser.submit(PATH, { site: 'b.example', action: 'block', to: '' })
  expect((await rules.list({ kind: 'instance' })).own).toEqual([{ pattern: 'a.example', action: 'block' }])
  expect((await rules.list({ kind: 'person', userId: '2' })).own).toEqual([{ pattern: 'b.example', action: 'block' }])
})

it('409: a full browser says so', async () => {
  const { browser } = await open()
  const list = Array.from({ length: 50 }, (_, at) => `block site${at}.example`).join('\n')
  await browser.submit(`${PATH}/import`, { text: list }, PATH)
  const { status, text } = await browser.submit(PATH, { site: 'one.more', action: 'block', to: '' })
  expect(status).toBe(409)
  expect(text).toContain('A browser has room for 50 sites. Remove one first.')
})
