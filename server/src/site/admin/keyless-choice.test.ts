import { afterEach, describe, expect, it } from 'vitest'
import type { KeylessChoice, KeylessSetting } from '../../settings/keyless-setting.ts'
import { deskWith, openSiteStage, type SiteStage, textOf } from '../site.test-harness.ts'
import type { SiteServices } from '../site-services.ts'

const ADMIN = { userId: '1', username: 'ada', isAdmin: true, sessionId: '1', confirmedAt: Date.now() }
const BEN = { ...ADMIN, userId: '2', username: 'ben', isAdmin: false }
const PATH = '/admin/engines/keyless'

let stage: SiteStage | undefined
afterEach(() => stage?.close())

async function open(choice: Partial<KeylessSetting> = {}) {
  let stored: KeylessChoice | undefined
  const keyless = {
    current: 'foundations' as KeylessChoice,
    isFixed: false,
    names: { none: [], foundations: ['Wikipedia', 'Marginalia'], all: ['You.com (keyless)'] },
    ...choice,
  }
  const settings = deskWith({
    async change(_by, { KEYLESS_ENGINES: value }) {
      stored = value as KeylessChoice
      keyless.current = stored
      return ['KEYLESS_ENGINES']
    },
  })
  // The page only passes on who chose.
  const accounts = { accessBy: () => ({}) } as unknown as SiteServices['accounts']
  stage = await openSiteStage({ keyless, accounts, settings })
  return { browser: stage.browser(ADMIN), keyless, stored: () => stored }
}

/** The choice that is marked. */
const marked = (body: string) => /name="keyless" value="(\w+)" checked/.exec(body)?.[1]

describe('the choice of engines without a key', () => {
  it('explains what each choice gives and who receives the queries', async () => {
    const { browser } = await open()
    const { body } = await browser.get('/admin/engines')
    expect(marked(body)).toBe('foundations')
    const text = textOf(body)
    for (const said of [
      'Without a key, nothing is found.',
      'Wikipedia and Marginalia. Web',
      'Also You.com (keyless). Companies',
    ]) {
      expect(text).toContain(said)
    }
  })

  it('is stored, and in force', async () => {
    const { browser, stored } = await open()
    const reply = await browser.submit(PATH, { keyless: 'all' }, '/admin/engines')
    expect([reply.statusCode, reply.headers.location, stored()]).toEqual([303, '/admin/engines#keyless', 'all'])
    const { body } = await browser.get('/admin/engines')
    expect(marked(body)).toBe('all')
  })

  it('accepts only the offered values', async () => {
    const { browser, stored } = await open()
    await browser.submit(PATH, { keyless: 'everybody' }, '/admin/engines')
    expect(stored()).toBe(undefined)
  })

  it('cannot be changed if the environment sets it', async () => {
    const { browser, keyless, stored } = await open({ current: 'none' })
    const token = /name="_csrf" value="([^"]+)"/.exec((await browser.get('/admin/engines')).body)?.[1] ?? ''
    keyless.isFixed = true
    const { body } = await browser.get('/admin/engines')
    expect(marked(body)).toBe(undefined)
    expect(textOf(body)).toContain('The setting KEYLESS_ENGINES decides which engines are asked without a key: none.')
    expect((await browser.post(PATH, { keyless: 'all', _csrf: token })).statusCode).toBe(303)
    expect(stored()).toBe(undefined)
  })

  it('403: users who are not administrators', async () => {
    const { stored } = await open()
    const reply = await (stage as SiteStage).browser(BEN).post(PATH, { keyless: 'all' })
    expect([reply.statusCode, stored()]).toEqual([403, undefined])
  })
})
