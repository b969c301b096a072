import { describe, expect, it } from 'vitest'
import { type Browser, expectPage, openSiteStage, USER } from '../site.test-harness.ts'
import { operatorsPage } from './operators-page.ts'
import { resultsPage } from './results-page.ts'
import { type Behaviours, openStagedSearch } from './search.test-harness.ts'
import { siteRulePages } from './site-rule-pages.ts'

const HERE = '/search?q=bowers'
const SITE = 'birds.example.org'
/** As a browser sends it when a page of this site led there. */
const OWN = { 'sec-fetch-site': 'same-origin' }
const FIRST_MENU = /<details class="menu"[\s\S]*?<\/details>/

async function open(viewer?: typeof USER, engines: Behaviours = {}) {
  const { search } = openStagedSearch(engines)
  const browser: Browser = (await openSiteStage({ search }, [resultsPage, operatorsPage, siteRulePages])).browser(
    viewer,
  )
  const setRule = (rule: string, from = HERE) => browser.submit('/sites/rule', { rule, back: HERE }, from)
  return { ...browser, setRule }
}

const shown = (body: string): string[] => body.match(/(?<=class="result-link" href="https?:\/\/)[^/"]+/g) ?? []

describe('the menu at a result', () => {
  it('blocks a site for the person, says so, and undoes it', async () => {
    const { get, setRule } = await open(USER)
    const before = shown((await get(HERE)).body)
    expect(before).toContain(SITE)
    const { location } = await setRule(`block ${SITE}`)
    expect(location).toBe(`${HERE}&changed=${SITE}`)
    const after = await get(location, OWN)
    expect(shown(after.body)).toEqual(before.filter((host) => host !== SITE))
    expectPage(after, { shows: [`${SITE} is blocked. Undo`, `name="rule" value="none ${SITE}"`] })
    // A link of another site does not make the page speak.
    expectPage(await get(location, { 'sec-fetch-site': 'cross-site' }), { hides: ['notice'] })
    await setRule(`none ${SITE}`)
    const undone = await get(location, OWN)
    expect(shown(undone.body)).toEqual(before)
    expectPage(undone, { shows: [`${SITE} is treated as usual.`] })
  })

  it('says so if everything that was found is blocked', async () => {
    const { get, setRule } = await open(USER)
    await setRule('block *.org')
    const reply = await get(`${HERE}+site:${SITE}`)
    expect(shown(reply.body)).toEqual([])
    expectPage(reply, { shows: [/results? of (?:a )?blocked sites? /] })
  })

  it('undoes to what the rule was before', async () => {
    const { get, setRule } = await open(USER)
    await setRule(`lower ${SITE}`)
    const { location } = await setRule(`pin ${SITE}`)
    expect(location).toBe(`${HERE}&changed=${SITE}&was=lower`)
    const { body } = await get(location, OWN)
    expect(shown(body)[0]).toBe(SITE)
    expect(body).toContain(`name="rule" value="lower ${SITE}"`)
  })

  it('offers what is not in force, and to end what is', async () => {
    const { get, setRule } = await open(USER)
    const offered = async () => (await get(HERE)).body.match(/(?<=value=")\w+(?= birds\.example\.org")/g)
    expect(await offered()).toEqual(['block', 'raise', 'lower', 'pin'])
    await setRule(`raise ${SITE}`)
    expect(await offered()).toEqual(['none', 'block', 'lower', 'pin'])
  })

  it('searches the site alone, unless that is what was done', async () => {
    const { get } = await open(USER)
    const more = 'More from this site</a>'
    expectPage(await get(HERE), { shows: [`href="/search?q=bowers+site%3A${SITE}">${more}`] })
    expectPage(await get(`${HERE}+site:${SITE}`), { hides: [more] })
  })

  it.each(['', '&tab=news', '&tab=videos', '&tab=images', '&tab=science'])(
    'is at every result of /search?q=bowers%s, with one token for all',
    async (tab) => {
      const { body } = await (await open(USER)).get(`${HERE}${tab}`)
      const results = body.match(/class="result-link"/g) ?? []
      expect(results.length).toBeGreaterThan(0)
      expect(body.match(/<details class="menu"/g)).toHaveLength(results.length)
      expect(body.match(/<form[^>]* id="site-rule"/g)).toHaveLength(1)
      expect(body.match(/name="_csrf"/g)).toHaveLength(1)
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
    const ids = body.match(/ id="[^"]+"/g) ?? []
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each([
    ['http://[2001:db8::1]/bowers', ['Copy link', 'Why this result?']],
    ['http://nas/bowers', ['Copy link', 'Why this result?']],
    [
      'https://192.0.2.1/bowers',
      [
        'Copy link',
        'Archived copy',
        'Why this result?',
        'More from this site',
        'Block this site',
        'Raise',
        'Lower',
        'Pin to the top',
      ],
    ],
  ])('of %s has what makes sense for it', async (url, items) => {
    const { get } = await open(USER, {
      brave: { body: { type: 'search', web: { results: [{ url, title: 'Bowers' }] } } },
    })
    const result =
      (await get(HERE)).body.split('<li class="result">').find((one) => one.includes(`href="${url}"`)) ?? ''
    expect(FIRST_MENU.exec(result)?.[0].match(/(?<=>)[^<>]+(?=<\/(?:a|button)>)/g)).toEqual(items)
  })

  it.each(['explode example.org', 'block not a site', 'block', ''])('404: “%s” is no change', async (rule) => {
    expect((await (await open(USER)).setRule(rule)).status).toBe(404)
  })

  it.each(['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
    'never leads to another site: %s',
    async (back) => {
      const { submit } = await open(USER)
      expect((await submit('/sites/rule', { rule: `block ${SITE}`, back }, HERE)).location).toBe('/')
    },
  )
})

describe('many results of one site in a row', () => {
  const results = Array.from({ length: 5 }, (_, at) => ({ url: `https://one.example/${at}`, title: `Page ${at}` }))

  it.each([
    ['are folded after two', '', 'search', '<summary class="fold">3 more from one.example</summary>'],
    ['are folded among news', '&tab=news', 'news', 'class="folded"'],
    ['are not folded for a search of the site', '+site:one.example', 'search', undefined],
    ['are not folded among videos, which are on few sites anyway', '&tab=videos', 'videos', undefined],
  ])('%s', async (_, query, type, fold) => {
    const { get } = await open(undefined, {
      brave: { body: { type, web: { results }, results } },
      mojeek: { fails: 'timeout' },
    })
    expectPage(await get(`/search?q=a${query}`), fold ? { shows: [fold] } : { hides: ['folded'] })
  })
})

describe('without an account', () => {
  const CHOICE = `/sites/rule?site=${SITE}&back=${encodeURIComponent(HERE)}`

  it('searching sets no cookie: the menu leads to a page with the buttons', async () => {
    const { get } = await open()
    const reply = await get(HERE)
    expect(reply.headers['set-cookie']).toBeUndefined()
    expectPage(reply, { shows: [`href="${CHOICE.replace('&', '&amp;')}"`] })
    expectPage(await get(CHOICE), { shows: ['Block this site'] })
    expect((await get('/sites/rule?site=nothing')).status).toBe(404)
  })

  it('rules are in the browser, and hold for its searches only', async () => {
    const { get, setRule, cookies } = await open()
    await setRule(`block ${SITE}`, CHOICE)
    expect(cookies.get('bowerbird_sites')).toBe(`block:${SITE}`)
    const reply = await get(`${HERE}&changed=${SITE}`, OWN)
    expect(shown(reply.body)).not.toContain(SITE)
    expectPage(reply, { shows: [`${SITE} is blocked. Undo`] })
    expect(shown((await (await open()).get(HERE)).body)).toContain(SITE)
    await setRule(`none ${SITE}`, CHOICE)
    expect(cookies.has('bowerbird_sites')).toBe(false)
  })
})

describe('operators', () => {
  it('hold for the results', async () => {
    const { body } = await (await open()).get(`/search?q=bowers+site:${SITE}`)
    expect(new Set(shown(body))).toEqual(new Set([SITE]))
  })

  it.each([
    ['stay in the field', `bowers+site:${SITE}`, `value="bowers site:${SITE}"`],
    ['say what they left out', `bowers+site:${SITE}`, /\d+ results that didn’t fit were left out/],
    [
      'say what is not understood',
      'bowers+before:once',
      'Searched for as words, because it isn’t an operator: before:onc',
    ],
    [
      'stay in a correction',
      'bowrbird+-site:example.net&lang=en',
      'href="/search?q=bowerbird+nests+-site%3Aexample.net&amp;lang=en"',
    ],
    [
      'can be left out where nothing is found',
      'bowers+site:nothing.example',
      '<a class="button button-plain" href="/search?q=bowers">Search without operators</a>',
    ],
    ['are explained, beside the filters', 'bowers', 'href="/search/operators"'],
  ])('%s', async (_, query, part) => {
    const reply = await (await open()).get(`/search?q=${query}`)
    expect(reply.body + reply.text).toMatch(part)
  })
})
