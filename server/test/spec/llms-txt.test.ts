// /llms.txt, the page about the API for language models: short, for everyone, and true.
import { beforeAll, describe, expect, it } from 'vitest'
import { type SharedInstance, shareInstance } from '../support/shared-instance.ts'

let server: SharedInstance
let page: string
beforeAll(async () => {
  server = await shareInstance()
  page = await (await fetch(`${server.url}/llms.txt`)).text()
})

describe('/llms.txt', () => {
  it('is plain text, needs no key, and begins as the format asks: a title, then a summary', async () => {
    const { status, headers } = await fetch(`${server.url}/llms.txt`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(page).toMatch(/^# Bowerbird\n\n> \S.*\n\n/)
  })

  it('names every endpoint of the root', async () => {
    const { json: root } = await server.api.get('/api/v1/')
    const paths = Object.values<string>(root).map((url) => new URL(url).pathname)
    expect(paths.filter((path) => !page.includes(` ${path}\``))).toEqual([])
  })

  it('names every parameter of every endpoint, and explains each once', async () => {
    const { paths } = JSON.parse(await (await fetch(`${server.url}/api/v1/openapi.json`)).text())
    for (const [path, { get }] of Object.entries<{ get?: { parameters?: { name: string }[] } }>(paths)) {
      const section = page.split('\n- ').find((entry) => entry.includes(` ${path}\``)) ?? ''
      for (const { name } of get?.parameters ?? [])
        expect([path, section]).toEqual([path, expect.stringContaining(`\`${name}\``)])
    }
    expect(page.match(/Safe search: /g)).toHaveLength(1)
    expect(page).toMatch(/`q` \(required\)/)
  })

  it('leads only to what is there', async () => {
    const addresses = [...page.matchAll(/\]\((\S+?)\)/g)].map(([, address = '']) => address)
    expect(addresses.length).toBeGreaterThan(15)
    for (const address of addresses) expect([address, (await fetch(address)).status]).not.toEqual([address, 404])
  })
})
