import { afterEach, describe, expect, it } from 'vitest'
import { memoryRules } from '../memory-rules.test-harness.ts'
import { type Browser, openSiteStage, type SiteStage, textOf } from '../site.test-harness.ts'
import { operatorsPage } from './operators-page.ts'
import { resultsPage } from './results-page.ts'
import { openStagedSearch } from './search.test-harness.ts'
import { siteRulePages } from './site-rule-pages.ts'

const ADA = { userId: '1', username: 'ada', isAdmin: false, sessionId: '1' }
const HERE = '/search?q=bowers'
const SITE = 'birds.example.org'

const stages: SiteStage[] = []
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close()
})

async function open(viewer?: typeof ADA): Promise<Browser> {
  const { search } = openStagedSearch()
  const stage = await openSiteStage({ search, rules: memoryRules() }, [resultsPage, operatorsPage, ...siteRulePages])
  stages.push(stage)
  return stage.browser(viewer)
}

/** As a browser sends it when a page of this site led there. */
const OWN = { 'sec-fetch-site': 'same-origin' }

const FIRST_MENU = /<details class="menu"[\s\S]*?<\/details>/

const shown = (body: string) =>
  [...body.matchAll(/class="result-link" href="https?:\/\/([^/"]+)/g)].map(([, host]) => host)

describe('the menu at a result', () => {
  it('blocks a site for the person, says so, and undoes it', async () => {
    const browser = await open(ADA)
    const before = shown((await browser.get(HERE)).body)
    expect(before).toContain(SITE)
    const reply = await browser.submit('/sites/rule', { rule: `block ${SITE}`, back: HERE }, HERE)
    expect([reply.statusCode, reply.headers.location]).toEqual([303, `${HERE}&changed=${SITE}`])
    const after = await browser.get(`${HERE}&changed=${SITE}`, OWN)
    expect(shown(after.body)).toEqual(before.filter((host) => host !== SITE))
    expect(textOf(after.body)).toContain(`${SITE} is blocked. Undo`)
    expect(after.body).toContain(`name="rule" value="none ${SITE}"`)
    await browser.submit('/sites/rule', { rule: `none ${SITE}`, back: HERE }, HERE)
    const undone = await browser.get(`${HERE}&changed=${SITE}`, OWN)
    expect(shown(undone.body)).toEqual(before)
    expect(textOf(undone.body)).toContain(`${SITE} is treated as usual.`)
  })

  it('says so if everything that was found is blocked', async () => {
    const browser = await open(ADA)
    await browser.submit('/sites/rule', { rule: 'block *.org', back: HERE }, HERE)
    const { body } = await browser.get(`${HERE}+site:${SITE}`)
    expect(shown(body)).toEqual([])
    expect(textOf(body)).toMatch(/results? of (?:a )?blocked sites? /)
  })

  it('undoes to what the rule was before', async () => {
    const browser = await open(ADA)
    await browser.submit('/sites/rule', { rule: `lower ${SITE}`, back: HERE }, HERE)
    const reply = await browser.submit('/sites/rule', { rule: `pin ${SITE}`, back: HERE }, HERE)
    expect(reply.headers.location).toBe(`${HERE}&changed=${SITE}&was=lower`)
    const { body } = await browser.get(reply.headers.location ?? '', OWN)
    expect(shown(body)[0]).toBe(SITE)
    expect(body).toContain(`name="rule" value="lower ${SITE}"`)
  })

  it('offers what is not in force, and to end what is', async () => {
    const browser = await open(ADA)
    const values = async () =>
      [...(await browser.get(HERE)).body.matchAll(/value="(\w+) birds\.example\.org"/g)].map(([, action]) => action)
    expect(await values()).toEqual(['block', 'raise', 'lower', 'pin'])
    await browser.submit('/sites/rule', { rule: `raise ${SITE}`, back: HERE }, HERE)
    expect(await values()).toEqual(['none', 'block', 'lower', 'pin'])
  })

  it('has one token for all results of a page', async () => {
    const { body } = await (await open(ADA)).get(HERE)
    expect(body.match(/name="_csrf"/g)).toHaveLength(1)
    expect(body.match(/<details class="menu"/g)?.length).toBeGreaterThan(1)
  })

  it('searches the site alone', async () => {
    const { body } = await (await open(ADA)).get(HERE)
    expect(body).toContain(`href="/search?q=bowers+site%3A${SITE}">More from this site</a>`)
    expect((await (await open(ADA)).get(`${HERE}+site:${SITE}`)).body).not.toContain('More from this site</a>')
  })

  it.each(['', '&tab=news', '&tab=videos', '&tab=images', '&tab=science'])(
    'is at every result of /search?q=bowers%s',
    async (tab) => {
      const { body } = await (await open(ADA)).get(`${HERE}${tab}`)
      const results = body.match(/class="result-link"/g) ?? []
      expect(results.length).toBeGreaterThan(0)
      expect(body.match(/<details class="menu"/g)).toHaveLength(results.length)
      expect(body.match(/<form[^>]* id="site-rule"/g)).toHaveLength(1)
    },
  )

  it('has what concerns the page first, and then its site', async () => {
    const [menu = ''] = FIRST_MENU.exec((await (await open(ADA)).get(HERE)).body) ?? []
    expect(
      [...menu.matchAll(/<li(?: class="(\w+)")?>.*?>([^<]+)<\/(?:a|button)>/g)].map(([, is, text]) => [text, is]),
    ).toEqual([
      ['Copy link', undefined],
      ['Archived copy', undefined],
      ['Why this result?', undefined],
      ['More from this site', 'apart'],
      ['Block this site', undefined],
      ['Raise', undefined],
      ['Lower', undefined],
      ['Pin to the top', undefined],
    ])
  })

  it('leads to the newest archived copy, copies the address, and to why the result is there', async () => {
    const { body } = await (await open(ADA)).get(HERE)
    const [menu = ''] = FIRST_MENU.exec(body) ?? []
    const address = `https://${SITE}/bowers`
    expect(menu).toContain(`<a href="https://web.archive.org/web/${address}">Archived copy</a>`)
    expect(menu).toContain(`<button type="button" data-copy="${address}" data-copied="Copied">Copy link</button>`)
    const id = /href="#(why-[\w-]{8})"/.exec(menu)?.[1]
    expect(body.split(`id="${id}"`)).toHaveLength(2)
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, one]) => one)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each([
    ['http://[2001:db8::1]/bowers', ['Copy link', 'Why this result?']],
    ['http://nas/bowers', ['Copy link', 'Why this result?']],
    ['https://192.0.2.1/bowers', ['Copy link', 'Archived copy', 'Why this result?', 'More from this site']],
  ])('of %s has what makes sense for it', async (url, items) => {
    const { search } = openStagedSearch({
      brave: { body: { type: 'search', web: { results: [{ url, title: 'Bowers' }] } } },
    })
    const stage = await openSiteStage({ search, rules: memoryRules() }, [resultsPage, operatorsPage])
    stages.push(stage)
    const { body } = await stage.browser(ADA).get(HERE)
    const result = body.split('<li class="result">').find((one) => one.includes(`href="${url}"`)) ?? ''
    const [menu = ''] = FIRST_MENU.exec(result) ?? []
    expect([...menu.matchAll(/>([^<>]+)<\/(?:a|button)>/g)].map(([, text]) => text)).toEqual(items)
  })

  it('a link of another site does not make the page speak', async () => {
    const browser = await open(ADA)
    await browser.submit('/sites/rule', { rule: `block ${SITE}`, back: HERE }, HERE)
    expect((await browser.get(`${HERE}&changed=${SITE}`, { 'sec-fetch-site': 'cross-site' })).body).not.toContain(
      'notice',
    )
  })

  it.each([
    { rule: 'explode example.org', back: HERE },
    { rule: 'block not a site', back: HERE },
    { rule: 'block', back: HERE },
    { rule: '', back: '' },
  ])('404: %j is no change', async (fields) => {
    expect((await (await open(ADA)).submit('/sites/rule', fields, HERE)).statusCode).toBe(404)
  })

  it('never leads to another site', async () => {
    const browser = await open(ADA)
    for (const back of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)']) {
      const { headers } = await browser.submit('/sites/rule', { rule: `block ${SITE}`, back }, HERE)
      expect(headers.location).toBe('/')
    }
  })
})

describe('many results of one site in a row', () => {
  const web = {
    results: Array.from({ length: 5 }, (_, at) => ({ url: `https://one.example/${at}`, title: `Page ${at}` })),
  }

  async function body(path: string, type = 'search') {
    const { search } = openStagedSearch({
      brave: { body: { type, web, ...web } },
      mojeek: { fails: 'timeout' },
    })
    const stage = await openSiteStage({ search }, [resultsPage])
    stages.push(stage)
    return (await stage.browser().get(path)).body
  }

  it('are folded after two', async () => {
    expect(await body('/search?q=a')).toContain('<summary class="fold">3 more from one.example</summary>')
    expect(await body('/search?q=a&tab=news', 'news')).toContain('class="folded"')
  })

  it('are not for a search of the site, nor among videos, which are on few sites anyway', async () => {
    expect(await body('/search?q=a+site:one.example')).not.toContain('folded')
    expect(await body('/search?q=a&tab=videos', 'videos')).not.toContain('folded')
  })
})

describe('without an account', () => {
  const CHOICE = `/sites/rule?site=${SITE}&back=${encodeURIComponent(HERE)}`

  it('searching sets no cookie: the menu leads to a page with the buttons', async () => {
    const browser = await open()
    const { body, headers } = await browser.get(HERE)
    expect(headers['set-cookie']).toBeUndefined()
    expect(body).toContain(`href="/sites/rule?site=${SITE}&amp;back=${encodeURIComponent(HERE)}"`)
    expect(textOf((await browser.get(CHOICE)).body)).toContain('Block this site')
  })

  it('rules are in the browser, and hold for its searches only', async () => {
    const browser = await open()
    await browser.submit('/sites/rule', { rule: `block ${SITE}`, back: HERE }, CHOICE)
    expect(browser.cookies.get('bowerbird_sites')).toBe(`block:${SITE}`)
    const { body } = await browser.get(`${HERE}&changed=${SITE}`, OWN)
    expect(shown(body)).not.toContain(SITE)
    expect(textOf(body)).toContain(`${SITE} is blocked. Undo`)
    expect(shown((await (await open()).get(HERE)).body)).toContain(SITE)
    await browser.submit('/sites/rule', { rule: `none ${SITE}`, back: HERE }, CHOICE)
    expect(browser.cookies.has('bowerbird_sites')).toBe(false)
  })

  it('404: what is no site has no page', async () => {
    expect((await (await open()).get('/sites/rule?site=nothing')).statusCode).toBe(404)
  })
})

it('explains the operators, beside the filters', async () => {
  const browser = await open()
  expect((await browser.get(HERE)).body).toContain('href="/search/operators"')
  expect(textOf((await browser.get('/search/operators')).body)).toContain('oak site:wikipedia.org')
})

describe('operators', () => {
  it('hold for the results, and stay in the field', async () => {
    const { body } = await (await open()).get(`/search?q=bowers+site:${SITE}`)
    expect(new Set(shown(body))).toEqual(new Set([SITE]))
    expect(body).toContain(`value="bowers site:${SITE}"`)
    expect(textOf(body)).toMatch(/\d+ results that didn’t fit were left out/)
  })

  it('that are not understood are told', async () => {
    const { body } = await (await open()).get('/search?q=bowers+before:once')
    expect(textOf(body)).toContain('Searched for as words, because it isn’t an operator: before:once.')
  })

  it('stay in a correction', async () => {
    const { body } = await (await open()).get('/search?q=bowrbird+-site:example.net&lang=en')
    expect(body).toContain('href="/search?q=bowerbird+nests+-site%3Aexample.net&amp;lang=en"')
  })

  it('can be left out where nothing is found', async () => {
    const { body } = await (await open()).get('/search?q=bowers+site:nothing.example')
    expect(body).toContain('<a class="button button-plain" href="/search?q=bowers">Search without operators</a>')
  })
})
