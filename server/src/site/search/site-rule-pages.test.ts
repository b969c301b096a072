import { describe, expect, it } from 'vitest'
import { memoryRules } from '../memory-rules.test-harness.ts'
import { type Browser, openSiteStage, USER } from '../site.test-harness.ts'
import { operatorsPage } from './operators-page.ts'
import { resultsPage } from './results-page.ts'
import { openStagedSearch } from './search.test-harness.ts'
import { siteRulePages } from './site-rule-pages.ts'

const HERE = '/search?q=bowers'
const SITE = 'birds.example.org'

async function open(viewer?: typeof USER): Promise<Browser> {
  const { search } = openStagedSearch()
  const stage = await openSiteStage({ search, rules: memoryRules() }, [resultsPage, operatorsPage, ...siteRulePages])
  return stage.browser(viewer)
}

/** As a browser sends it when a page of this site led there. */
const OWN = { 'sec-fetch-site': 'same-origin' }

const FIRST_MENU = /<details class="menu"[\s\S]*?<\/details>/

const shown = (body: string) =>
  [...body.matchAll(/class="result-link" href="https?:\/\/([^/"]+)/g)].map(([, host]) => host)

describe('the menu at a result', () => {
  it('blocks a site for the person, says so, and undoes it', async () => {
    const browser = await open(USER)
    const before = shown((await browser.get(HERE)).body)
    expect(before).toContain(SITE)
    const reply = await browser.submit('/sites/rule', { rule: `block ${SITE}`, back: HERE }, HERE)
    expect(reply).toMatchObject({ status: 303, location: `${HERE}&changed=${SITE}` })
    const after = await browser.get(`${HERE}&changed=${SITE}`, OWN)
    expect(shown(after.body)).toEqual(before.filter((host) => host !== SITE))
    expect(after.text).toContain(`${SITE} is blocked. Undo`)
    expect(after.body).toContain(`name="rule" value="none ${SITE}"`)
    await browser.submit('/sites/rule', { rule: `none ${SITE}`, back: HERE }, HERE)
    const undone = await browser.get(`${HERE}&changed=${SITE}`, OWN)
    expect(shown(undone.body)).toEqual(before)
    expect(undone.text).toContain(`${SITE} is treated as usual.`)
  })

  it('says so if everything that was found is blocked', async () => {
    const browser = await open(USER)
    await browser.submit('/sites/rule', { rule: 'block *.org', back: HERE }, HERE)
    const { body, text } = await browser.get(`${HERE}+site:${SITE}`)
    expect(shown(body)).toEqual([])
    expect(text).toMatch(/results? of (?:a )?blocked sites? /)
  })

  it('undoes to what the rule was before', async () => {
    const browser = await open(USER)
    await browser.submit('/sites/rule', { rule: `lower ${SITE}`, back: HERE }, HERE)
    const reply = await browser.submit('/sites/rule', { rule: `pin ${SITE}`, back: HERE }, HERE)
    expect(reply.location).toBe(`${HERE}&changed=${SITE}&was=lower`)
    const { body } = await browser.get(reply.location, OWN)
    expect(shown(body)[0]).toBe(SITE)
    expect(body).toContain(`name="rule" value="lower ${SITE}"`)
  })

  it('offers what is not in force, and to end what is', async () => {
    const browser = await open(USER)
    const values = async () =>
      [...(await browser.get(HERE)).body.matchAll(/value="(\w+) birds\.example\.org"/g)].map(([, action]) => action)
    expect(await values()).toEqual(['block', 'raise', 'lower', 'pin'])
    await browser.submit('/sites/rule', { rule: `raise ${SITE}`, back: HERE }, HERE)
    expect(await values()).toEqual(['none', 'block', 'lower', 'pin'])
  })

  it('searches the site alone', async () => {
    const { body } = await (await open(USER)).get(HERE)
    expect(body).toContain(`href="/search?q=bowers+site%3A${SITE}">More from this site</a>`)
    expect((await (await open(USER)).get(`${HERE}+site:${SITE}`)).body).not.toContain('More from this site</a>')
  })

  it.each(['', '&tab=news', '&tab=videos', '&tab=images', '&tab=science'])(
    'is at every result of /search?q=bowers%s',
    async (tab) => {
      const { body } = await (await open(USER)).get(`${HERE}${tab}`)
      const results = body.match(/class="result-link"/g) ?? []
      expect(results.length).toBeGreaterThan(0)
      expect(body.match(/<details class="menu"/g)).toHaveLength(results.length)
      expect(body.match(/<form[^>]* id="site-rule"/g)).toHaveLength(1)
    },
  )

  it('leads to the newest archived copy, copies the address, and to why the result is there', async () => {
    const { body } = await (await open(USER)).get(HERE)
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
    const { body } = await stage.browser(USER).get(HERE)
    const result = body.split('<li class="result">').find((one) => one.includes(`href="${url}"`)) ?? ''
    const [menu = ''] = FIRST_MENU.exec(result) ?? []
    expect([...menu.matchAll(/>([^<>]+)<\/(?:a|button)>/g)].map(([, text]) => text)).toEqual(items)
  })

  it('a link of another site does not make the page speak', async () => {
    const browser = await open(USER)
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
    expect((await (await open(USER)).submit('/sites/rule', fields, HERE)).status).toBe(404)
  })

  it('never leads to another site', async () => {
    const browser = await open(USER)
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
    expect((await browser.get(CHOICE)).text).toContain('Block this site')
  })

  it('rules are in the browser, and hold for its searches only', async () => {
    const browser = await open()
    await browser.submit('/sites/rule', { rule: `block ${SITE}`, back: HERE }, CHOICE)
    expect(browser.cookies.get('bowerbird_sites')).toBe(`block:${SITE}`)
    const { body, text } = await browser.get(`${HERE}&changed=${SITE}`, OWN)
    expect(shown(body)).not.toContain(SITE)
    expect(text).toContain(`${SITE} is blocked. Undo`)
    expect(shown((await (await open()).get(HERE)).body)).toContain(SITE)
    await browser.submit('/sites/rule', { rule: `none ${SITE}`, back: HERE }, CHOICE)
    expect(browser.cookies.has('bowerbird_sites')).toBe(false)
  })

  it('404: what is no site has no page', async () => {
    expect((await (await open()).get('/sites/rule?site=nothing')).status).toBe(404)
  })
})

it('explains the operators, beside the filters', async () => {
  const browser = await open()
  expect((await browser.get(HERE)).body).toContain('href="/search/operators"')
  expect((await browser.get('/search/operators')).text).toContain('oak site:wikipedia.org')
})

describe('operators', () => {
  it('hold for the results, and stay in the field', async () => {
    const { body, text } = await (await open()).get(`/search?q=bowers+site:${SITE}`)
    expect(new Set(shown(body))).toEqual(new Set([SITE]))
    expect(body).toContain(`value="bowers site:${SITE}"`)
    expect(text).toMatch(/\d+ results that didn’t fit were left out/)
  })

  it('that are not understood are told', async () => {
    const { text } = await (await open()).get('/search?q=bowers+before:once')
    expect(text).toContain('Searched for as words, because it isn’t an operator: before:once.')
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
