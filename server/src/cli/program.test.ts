import { Writable } from 'node:stream'
import type { Command } from 'commander'
import { describe, expect, it, vi } from 'vitest'
import type { CliHost, ConfigurationReport, Finding } from './cli-host.ts'
import { bowerbird, hostWith, json, typed } from './command-line.test-harness.ts'
import fixture from './configuration-report.test-fixture.json' with { type: 'json' }
import { createProgram } from './program.ts'

const PASSWORD = 'correct horse battery'

// A file of JSON has strings where the type has a choice of them.
const report = fixture as ConfigurationReport

const describeConfiguration = () => report

describe('errors', () => {
  it('name every wrong option, with exit code 1', async () => {
    const line = 'key create clumsy --scopes everything --burst fast --expires 2020-01-01'
    const { code, out, err } = await bowerbird(line)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/^--scopes: .*\n--expires: .*\n--burst: .*\n$/)
    const forScripts = await bowerbird(`${line} --json`)
    expect(JSON.parse(forScripts.err)).toEqual({
      error: { scopes: [expect.any(String)], expires: [expect.any(String)], burst: [expect.any(String)] },
    })
    expect((await bowerbird('key create clumsy --expires soon')).err).toMatch(/^--expires: .*90d/)
    expect((await bowerbird('key rotate 1 --grace long')).err).toMatch(/^--grace: .*24h/)
    expect((await bowerbird('user create x! --password-stdin', typed(PASSWORD))).err).toMatch(/^username: /)
  })

  it('in the command line itself are exit code 2, as text or JSON', async () => {
    for (const line of ['fly', 'user', 'user create', 'key create kay --wings', 'demo --port high', 'serve now']) {
      const { code, out, err } = await bowerbird(line)
      expect({ line, code, out }).toEqual({ line, code: 2, out: '' })
      expect(err).not.toBe('')
    }
    const { code, out, err } = await bowerbird('key create kay --wings --json')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(JSON.parse(err)).toEqual({ error: { detail: "unknown option '--wings'" } })
  })

  it('never repeat a password that was given as an argument', async () => {
    const { code, err } = await bowerbird(`user create nobody hunter2hunter2`)
    expect(code).toBe(2)
    expect(err).not.toContain('hunter2')
    expect((await bowerbird(`user create nobody --password hunter2hunter2`)).code).toBe(2)
  })

  it('of the system are one line, with exit code 1', async () => {
    const openAccess = () => Promise.reject(Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }))
    expect(await bowerbird('user list', { openAccess })).toEqual({
      code: 1,
      out: '',
      err: 'bowerbird: failed with ECONNREFUSED\n',
    })
  })

  it('do not include a reader that closes the pipe', async () => {
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
    })
    expect(await bowerbird('migrate', { stdout })).toMatchObject({ code: 0, err: '' })
  })
})

describe('the instance itself', () => {
  it('is run, demonstrated and migrated by the host', async () => {
    const calls: unknown[] = []
    const changes: Partial<CliHost> = {
      serve: async () => void calls.push('serve'),
      demo: async (options) => void calls.push(options),
    }
    const local = { host: '127.0.0.1' }
    await bowerbird('serve', changes)
    await bowerbird('demo', changes)
    await bowerbird('demo --port 18080 --engine kagi --json', changes)
    expect(calls).toEqual([
      'serve',
      { ...local, port: 8080, json: false },
      { ...local, port: 18080, engine: 'kagi', json: true },
    ])
    vi.stubEnv('PORT', '28080')
    await bowerbird('demo', changes)
    await bowerbird('demo --host 0.0.0.0 --port 18080', changes)
    vi.unstubAllEnvs()
    expect(calls.slice(3)).toEqual([
      { ...local, port: 28080, json: false },
      { host: '0.0.0.0', port: 18080, json: false },
    ])
    expect(await json('migrate')).toEqual({ ran: [] })
    expect((await bowerbird('migrate', { migrate: async () => ['0001-first'] })).out).toBe('Applied: 0001-first\n')
  })

  it('shows its configuration, what is hidden and why', async () => {
    const { code, out } = await bowerbird('config', { describeConfiguration })
    expect(code).toBe(0)
    expect(out).toContain('engine_a  Brave          web  hidden: BRAVE_API_KEY not set\n')
    expect(out).toContain('engine_c  Marginalia     web  on\n')
    expect(out).toContain('ECB        currency  on\n')
    expect(out).toContain('Nominatim  maps      hidden: NOMINATIM_URL or OPERATOR_CONTACT not set\n')
    expect(out).toContain('Photon     maps      hidden: PHOTON_URL not set\n')
    expect(out).toContain('PORT           8080 (default)\n')
    expect(await json('config', { describeConfiguration })).toMatchObject({
      settings: expect.arrayContaining([{ env: 'DATABASE_URL', shown: 'set', origin: 'environment' }]),
      storage: report.storage,
      sources: report.sources,
    })
  })

  it('names companies that receive queries without a contract', async () => {
    const you = { slug: 'youfree', name: 'You.com (keyless)', tabs: ['web'], state: 'on', missing: [] } as const
    const slots = [{ name: 'engine_d', providers: [{ ...you, tabs: [...you.tabs], missing: [], hasNoContract: true }] }]
    const { out } = await bowerbird('config', { describeConfiguration: () => ({ ...report, slots }) })
    expect(out).toMatch(/You\.com \(keyless\) +web +on; without a contract, this company receives queries/)
  })

  it('shows its mistakes with exit code 1', async () => {
    const mistakes = [{ env: 'PORT', message: 'must be a whole number.' }]
    const { code, out, err } = await bowerbird('config', { describeConfiguration: () => ({ ...report, mistakes }) })
    expect({ code, err }).toEqual({ code: 1, err: '' })
    expect(out).toContain('PORT  must be a whole number.\n')
  })
})

describe('doctor', () => {
  const finding = (state: Finding['state']): Finding => ({ about: 'Redis', state, detail: 'So.', advice: null })

  it.each([
    [['ok', 'not tried'], 'Everything is fine.', 0],
    [['broken', 'broken', 'warning'], '2 problems, 1 warning.', 1],
    [['warning', 'warning'], '2 warnings.', 0],
    [['broken'], '1 problem.', 1],
  ] as const)('%j: %s', async (states, total, expected) => {
    const { code, out } = await bowerbird('doctor', { diagnose: async () => states.map(finding) })
    expect({ code, total: out.split('\n').at(-2) }).toEqual({ code: expected, total })
  })
})

describe('help', () => {
  const everyCommand = (command: Command, path: string[] = []): string[][] => [
    path,
    ...command.commands.flatMap((child) => everyCommand(child, [...path, child.name()])),
  ]

  it('of every command has an example and is exit code 0', async () => {
    const paths = everyCommand(createProgram(hostWith().host))
    expect(paths.length).toBeGreaterThan(15)
    for (const path of paths) {
      const { code, out } = await bowerbird([...path, '--help'].join(' '))
      expect(code).toBe(0)
      expect(out).toContain(['  $ bowerbird', ...path].join(' '))
    }
  })
})
