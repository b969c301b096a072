import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import { SANDBOX_KEYS, type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts'

const open: Sandbox[] = []
const start = async (options?: SandboxOptions) => {
  const sandbox = await startSandbox(options)
  open.push(sandbox)
  return sandbox
}
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close()
})

const mojeekUrl = (base: string, query = 'tea') => `${base}/search?q=${query}&fmt=json&api_key=${SANDBOX_KEYS.mojeek}`

describe('the sandbox', () => {
  it('answers every provider at its own base URL with its own key', async () => {
    const sandbox = await start()
    const token = { 'X-Subscription-Token': SANDBOX_KEYS.brave }
    const replies = await Promise.all([
      fetch(`${sandbox.urlOf('brave')}/res/v1/web/search?q=climate`, { headers: token }),
      fetch(mojeekUrl(sandbox.urlOf('mojeek'))),
      fetch(`${sandbox.urlOf('marginalia')}/search?query=climate`, { headers: { 'API-Key': SANDBOX_KEYS.marginalia } }),
    ])
    for (const reply of replies) {
      expect(reply.status).toBe(200)
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
      expect(await reply.json()).toBeTypeOf('object')
    }
  })

  it('sends the same bytes for the same seed and hour, from any instance', async () => {
    const read = async (options: SandboxOptions) =>
      (await fetch(mojeekUrl((await start(options)).urlOf('mojeek')))).text()
    const now = () => Date.UTC(2026, 10, 14, 12, 10)
    const first = await read({ now })
    expect(await read({ now: () => now() + 60_000 })).toBe(first)
    expect(await read({ now: () => now() + 86_400_000 })).not.toBe(first)
    expect(await read({ now, seed: 'other' })).not.toBe(first)
  })

  it('never sends a cached reply to another key', async () => {
    const sandbox = await start()
    const url = `${sandbox.urlOf('marginalia')}/search?query=tea`
    expect((await fetch(url, { headers: { 'API-Key': 'public' } })).status).toBe(200)
    expect((await fetch(url, { headers: { 'API-Key': 'wrong' } })).status).toBe(401)
  })

  it('404: an unknown path in the provider’s own format, an unknown provider plainly', async () => {
    const sandbox = await start()
    const reply = await fetch(`${sandbox.urlOf('brave')}/nowhere`)
    expect(reply.status).toBe(404)
    expect(await reply.json()).toMatchObject({ type: 'ErrorResponse', error: { status: 404 } })
    expect((await fetch(`${sandbox.url}/nobody/search`)).status).toBe(404)
    expect(() => sandbox.urlOf('nobody')).toThrow(/brave/)
  })

  it('logs its requests until it is reset', async () => {
    const sandbox = await start({ now: () => 1_800_000_000_000 })
    await fetch(mojeekUrl(sandbox.urlOf('mojeek'), 'a%20b'), { headers: { 'User-Agent': 'tester' } })
    expect(sandbox.callCount('mojeek')).toBe(1)
    expect(sandbox.callCount('brave')).toBe(0)
    expect(sandbox.calls('mojeek')).toMatchObject([
      {
        at: 1_800_000_000_000,
        method: 'GET',
        path: '/search',
        query: { q: 'a b' },
        headers: { 'user-agent': 'tester' },
      },
    ])
    sandbox.setFault('mojeek', { kind: 'html' })
    sandbox.reset()
    expect(sandbox.calls('mojeek')).toEqual([])
    expect((await fetch(mojeekUrl(sandbox.urlOf('mojeek')))).headers.get('content-type')).toMatch(/json/)
  })

  it('is controlled over HTTP', async () => {
    const sandbox = await start()
    const post = (path: string, body: unknown) =>
      fetch(`${sandbox.url}/control/${path}`, { method: 'POST', body: JSON.stringify(body) })
    const status = async () => (await fetch(mojeekUrl(sandbox.urlOf('mojeek')))).status

    expect((await post('faults', { mojeek: { kind: 'status', status: 503 } })).status).toBe(200)
    expect(await status()).toBe(503)
    expect((await post('faults', { mojeek: null })).status).toBe(200)
    expect(await status()).toBe(200)
    expect(await (await fetch(`${sandbox.url}/control/calls`)).json()).toMatchObject({
      brave: { calls: 0, rateLimitViolations: 0, maxConcurrent: 0 },
      mojeek: { calls: 2, rateLimitViolations: 0, maxConcurrent: 1 },
    })
    expect((await post('reset', {})).status).toBe(200)
    expect(await (await fetch(`${sandbox.url}/control/calls`)).json()).toMatchObject({ mojeek: { calls: 0 } })
  })

  it.each([
    { nobody: { kind: 'hang' } },
    { mojeek: { kind: 'explode' } },
    { mojeek: { kind: 'constructor' } },
    { mojeek: { kind: 'latency' } },
    { mojeek: { kind: 'status', status: 99 } },
    { mojeek: { kind: 'banAbove', calls: 1 } },
    { mojeek: { kind: 'banAbove', calls: 0.5, perMs: 1000 } },
    { mojeek: { kind: 'hang', latencyMs: '5' } },
    { mojeek: 'hang' },
    [],
  ])('400: the control refuses %o and changes nothing', async (faults) => {
    const sandbox = await start()
    const body = JSON.stringify(Array.isArray(faults) ? faults : { brave: { kind: 'html' }, ...faults })
    const reply = await fetch(`${sandbox.url}/control/faults`, { method: 'POST', body })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toEqual({ detail: expect.any(String) })
    expect((await fetch(`${sandbox.urlOf('brave')}/nowhere`)).status).toBe(404)
  })

  it('counts every one of hundreds of concurrent calls, from other processes', async () => {
    const sandbox = await start()
    const script = `
      const url = process.argv[1]
      const replies = await Promise.all(Array.from({ length: 300 }, () => fetch(url).then((reply) => reply.text())))
      process.exit(replies.length === 300 ? 0 : 1)`
    const children = [1, 2].map(() => {
      const url = mojeekUrl(sandbox.urlOf('mojeek'))
      return spawn(process.execPath, ['--input-type=module', '-e', script, url], { stdio: 'inherit' })
    })
    try {
      for (const [code] of await Promise.all(children.map((child) => once(child, 'exit')))) expect(code).toBe(0)
    } finally {
      for (const child of children) child.kill('SIGKILL')
    }
    expect(sandbox.callCount('mojeek')).toBe(600)
    expect(await (await fetch(`${sandbox.url}/control/calls`)).json()).toMatchObject({ mojeek: { calls: 600 } })
  })

  it('counts how many calls wait concurrently', async () => {
    const sandbox = await start()
    sandbox.setFault('mojeek', { kind: 'latency', latencyMs: 500 })
    const ask = () => fetch(mojeekUrl(sandbox.urlOf('mojeek'))).then((reply) => reply.text())
    await Promise.all([ask(), ask(), ask()])
    await ask()
    expect(sandbox.maxConcurrent('mojeek')).toBe(3)
    expect(sandbox.maxConcurrent('brave')).toBe(0)
  })

  it('has a picture for any name', async () => {
    const sandbox = await start()
    const picture = await fetch(`${sandbox.url}/pictures/climate.png`)
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(500)
    expect((await fetch(`${sandbox.url}/pictures/climate.gif`)).status).toBe(404)
  })

  it('closes soon, whatever is in progress', async () => {
    const sandbox = await start()
    const silent = connect(Number(new URL(sandbox.url).port), '127.0.0.1')
    await once(silent, 'connect')
    const ended = once(silent, 'close')
    sandbox.setFault('mojeek', { kind: 'drip' })
    sandbox.setFault('brave', { kind: 'hang' })
    sandbox.setFault('marginalia', { kind: 'huge' })
    const dripping = await fetch(mojeekUrl(sandbox.urlOf('mojeek')))
    const flooding = await fetch(`${sandbox.urlOf('marginalia')}/search`)
    const waiting = expect(fetch(sandbox.urlOf('brave'))).rejects.toThrow()
    while (sandbox.callCount('brave') === 0) await new Promise((resolve) => setTimeout(resolve, 5))

    const startedAt = performance.now()
    await sandbox.close()
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    await waiting
    await expect(dripping.text()).rejects.toThrow()
    await expect(flooding.text()).rejects.toThrow()
    await ended
  })

  it('runs as a separate process and stops on SIGTERM', async () => {
    const child = spawn(process.execPath, [`${import.meta.dirname}/serve.ts`], { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      const [line] = await once(createInterface(child.stdout), 'line')
      const { url } = JSON.parse(String(line))
      expect((await fetch(`${url}/control/calls`)).status).toBe(200)
      await fetch(`${url}/control/faults`, { method: 'POST', body: '{"mojeek":{"kind":"drip"}}' })
      const dripping = await fetch(mojeekUrl(`${url}/mojeek`))
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
      await expect(dripping.text()).rejects.toThrow()
    } finally {
      child.kill('SIGKILL')
    }
  })
})
