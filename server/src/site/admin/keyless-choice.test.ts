import { describe, expect, it } from 'vitest'
import type { KeylessSetting } from '../../settings/keyless-setting.ts'
import { openAdminStage } from '../site.test-harness.ts'

const PATH = '/admin/engines/keyless'
const NAMES = { none: [], foundations: ['Wikipedia', 'Marginalia'], all: ['You.com (keyless)'] }

const open = (choice: Partial<KeylessSetting> = {}) =>
  openAdminStage({
    services: { keyless: { current: 'foundations', isFixed: false, names: NAMES, ...choice } },
    under: ['/admin/engines'],
  })

/** The choice that is marked. */
const marked = (body: string) => /name="keyless" value="(\w+)" checked/.exec(body)?.[1]

describe('the choice of engines without a key', () => {
  it('explains what each choice gives and who receives the queries', async () => {
    const { body, text } = await (await open()).admin.get('/admin/engines')
    expect(marked(body)).toBe('foundations')
    expect(text).toContain('Without a key, nothing is found.')
    expect(text).toContain('Wikipedia and Marginalia. Web')
    expect(text).toContain('Also You.com (keyless). Companies')
  })

  it('is stored if it is one of the offered values', async () => {
    const { admin, saved } = await open()
    await admin.submit(PATH, { keyless: 'everybody' }, '/admin/engines')
    const reply = await admin.submit(PATH, { keyless: 'all' }, '/admin/engines')
    expect(reply).toMatchObject({ status: 303, location: '/admin/engines#keyless' })
    expect(saved).toEqual([{ KEYLESS_ENGINES: 'all' }])
  })

  it('cannot be changed if the environment sets it', async () => {
    const { admin, saved } = await open({ current: 'none', isFixed: true })
    const { body, text } = await admin.get('/admin/engines')
    expect(marked(body)).toBeUndefined()
    expect(text).toContain('The setting KEYLESS_ENGINES decides which engines are asked without a key: none.')
    expect((await admin.submit(PATH, { keyless: 'all' }, '/admin/engines')).status).toBe(303)
    expect(saved).toEqual([])
  })
})
