import { spawn } from 'node:child_process'
import { once } from 'node:events'
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
    const url = `${(await start()).urlOf('marginalia')}/search?query=tea`
    expect((await fetch(url, { headers: { 'API-Key': 'public' } })).status).toBe(200)
    expect((await fetch(url, { headers: { 'API-Key': 'wrong' } })).status).toBe(401)
  })

  it('answers 404 for an unknown provider', async () => {
    const sandbox = await start()
    expect((await fetch(`${sandbox.url}/nobody/search`)).status).toBe(404)
    expect(() => sandbox.urlOf('nobody')).toThrow(/brave/)
  })

  it('lists its calls, and how many waited at once, until it is reset', async () => {
    const sandbox = await start({ now: () => 1_800_000_000_000 })
    sandbox.setFault('mojeek', { kind: 'latency', latencyMs: 200 })
    const ask = () => fetch(mojeekUrl(sandbox.urlOf('mojeek'), 'a%20b'), { headers: { 'User-Agent': 'tester' } })
    await Promise.all([ask(), ask()])
    expect(sandbox.maxConcurrent('mojeek')).toBe(2)
    expect(sandbox.callCount('brave')).toBe(0)
    const call = { at: 1_800_000_000_000, method: 'GET', path: '/search', query: { q: 'a b' } }
    expect(sandbox.calls('mojeek')).toMatchObject([{ ...call, headers: { 'user-agent': 'tester' } }, call])
    sandbox.setFault('mojeek', { kind: 'html' })
    sandbox.reset()
    expect(sandbox.calls('mojeek')).toEqual([])
    expect((await ask()).headers.get('content-type')).toMatch(/json/)
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
  ])('400: the control refuses %j and changes nothing', async (faults) => {
    const sandbox = await start()
    const body = JSON.stringify(Array.isArray(faults) ? faults : { brave: { kind: 'html' }, ...faults })
    const reply = await fetch(`${sandbox.url}/control/faults`, { method: 'POST', body })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toEqual({ detail: expect.any(String) })
    expect((await fetch(`${sandbox.urlOf('brave')}/nowhere`)).status).toBe(404)
  })

  it('has a picture for any name', async () => {
    const sandbox = await start()
    const picture = await fetch(`${sandbox.url}/pictures/climate.png`)
    const bytes = Buffer.from(await picture.arrayBuffer())
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(bytes.readUInt32BE(16)).toBe(320)
    expect(bytes.readUInt32BE(20)).toBe(180)
    expect((await fetch(`${sandbox.url}/pictures/climate.gif`)).status).toBe(404)
  })

  it('closes whatever is in progress', async () => {
    const sandbox = await start()
    sandbox.setFault('mojeek', { kind: 'drip' })
    sandbox.setFault('brave', { kind: 'hang' })
    const dripping = await fetch(mojeekUrl(sandbox.urlOf('mojeek')))
    const hanging = expect(fetch(sandbox.urlOf('brave'))).rejects.toThrow()
    await expect.poll(() => sandbox.callCount('brave')).toBe(1)
    await sandbox.close()
    await hanging
    await expect(dripping.text()).rejects.toThrow()
  })

  it('runs as a separate process, is controlled over HTTP, and stops on SIGTERM', async () => {
    const child = spawn(process.execPath, [`${import.meta.dirname}/serve.ts`], { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      const [line] = await once(createInterface(child.stdout), 'line')
      const { url } = JSON.parse(String(line))
      const control = (path: string, body: unknown) =>
        fetch(`${url}/control/${path}`, { method: 'POST', body: JSON.stringify(body) })
      const counts = async () => (await fetch(`${url}/control/calls`)).json()
      const status = async () => (await fetch(mojeekUrl(`${url}/mojeek`))).status

      expect((await control('faults', { mojeek: { kind: 'status', status: 503 } })).status).toBe(200)
      expect(await status()).toBe(503)
      await control('faults', { mojeek: null })
      expect(await status()).toBe(200)
      expect(await counts()).toMatchObject({ mojeek: { calls: 2, rateLimitViolations: 0, maxConcurrent: 1 } })
      await control('reset', {})
      expect(await counts()).toMatchObject({ mojeek: { calls: 0 } })

      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
    } finally {
      child.kill('SIGKILL')
    }
  })
})
