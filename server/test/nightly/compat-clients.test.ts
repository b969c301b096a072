// Existing programs are pointed at an instance by changing an address and a key. Those programs, as published, find
// what the API finds, and show their users why a wrong key was refused.
// `what-programs-show.test.ts` has what they show when something is wrong.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { COMPAT_CLIENTS, installClients } from '../support/installed-clients.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const BOWERBIRD = join(ROOT, 'server/src/bowerbird.ts')
const PATIENCE_MS = 240_000

const run = promisify(execFile)
let instance: TestInstance
let pathKey: string
let folder: string
let outcomes: Record<string, unknown>
let args: string[]
let found: string[]

/** All of them, or one. */
async function runClients(only?: string): Promise<Record<string, unknown>> {
  const env = { ...process.env, ...(only !== undefined && { ONLY: only }) }
  const { stdout } = await run(process.execPath, args, { cwd: folder, env, timeout: PATIENCE_MS / 2 })
  return JSON.parse(stdout)
}

beforeAll(async () => {
  const installing = installClients(inject('temporaryFolder'))
  instance = await startTestInstance({ URL_KEYS: 'on' })
  pathKey = await instance.createKey({ scopes: ['search', 'address'], burst: '100000/min', sustained: '1000000/day' })
  folder = await installing
  const { json } = await instance.api.get('/api/v1/web/?q=climate')
  found = json.results.map(({ url }: { url: string }) => url)
  const readKey = await instance.createKey({
    scopes: ['search', 'read'],
    burst: '100000/min',
    sustained: '1000000/day',
  })
  const limitedKey = await instance.createKey({ burst: '1/min' })
  const domain = new URL(found[0] ?? '').hostname.replace(/^www\./, '')
  args = ['clients.mjs', instance.url, instance.key, pathKey, BOWERBIRD, readKey, limitedKey, domain]
  outcomes = await runClients()
}, PATIENCE_MS)

afterAll(() => instance?.close())

const TOOLS = ['search', 'answer', 'cards', 'find_place', 'translate', 'suggest', 'plan_search']
const SENTENCE = 'This is not a valid API key. Check that you copied all of it'
const summary = () => `${found.length} results for "climate" · web · complete`

describe('SearXNG clients', () => {
  it('searxng finds what the API finds', () => {
    expect(outcomes['searxng']).toEqual(found)
  })

  it('@agentic/searxng finds it, and the news that it asks for as well', () => {
    expect(outcomes['@agentic/searxng']).toEqual(expect.arrayContaining(found))
  })

  it.each(['@langchain/community', '@langchain/community, key in the path'])('%s finds what the API finds', (name) => {
    // It returns ten at most.
    expect(outcomes[name]).toEqual(found.slice(0, 10))
  })

  it('mcp-searxng works with filters that it checks against the configuration', () => {
    expect(outcomes['mcp-searxng, key as a password']).toEqual([
      expect.arrayContaining(['searxng_web_search']),
      // It shows related queries before the results.
      expect.stringMatching(/^(?:Suggestions|Title): \S/),
    ])
  })
})

describe('Tavily clients', () => {
  it.each(['@tavily/core', '@langchain/tavily'])('%s finds what the API finds', (name) => {
    expect(outcomes[name]).toEqual(found.slice(0, 20))
  })
})

describe('Firecrawl’s client', () => {
  it.each(['@mendable/firecrawl-js', '@mendable/firecrawl-js, v1'])('%s finds what the API finds', (name) => {
    expect(outcomes[name]).toEqual(found.slice(0, 20))
  })

  it('its filters are honoured', () => {
    const [isOfDomain, ofDomain, ofYear] = outcomes['@mendable/firecrawl-js, filters'] as [boolean, number, number]
    expect([isOfDomain, ofDomain > 0, ofDomain <= 3, ofYear]).toEqual([true, true, true, 3])
  })

  it('reads the text of pages that it has found', () => {
    expect(outcomes['@mendable/firecrawl-js, page text']).toEqual([true, 200])
  })

  it.each([
    ['over its limit', 'Request was throttled.'],
    ['a format that is not offered', 'Only markdown is offered here.'],
    ['crawl', 'This is not offered here'],
    ['v1, crawl', 'This is not offered here'],
  ])('%s: its user sees the reason', (situation, sentence) => {
    expect(outcomes[`@mendable/firecrawl-js, ${situation}`]).toMatch(/^failed: /)
    expect(outcomes[`@mendable/firecrawl-js, ${situation}`]).toContain(sentence)
  })
})

describe('Firecrawl’s client, while engines are down', () => {
  const CLIENT = '@mendable/firecrawl-js, a search that nobody has asked before'
  const ENGINES = ['brave', 'mojeek', 'marginalia']
  afterEach(() => instance.sandbox.reset())

  it('none: no warning', () => {
    expect(outcomes[CLIENT]).toEqual([true, ''])
  })

  it('one: its program gets results and a warning', async () => {
    instance.sandbox.setFault('brave', { kind: 'blocked' })
    expect((await runClients(CLIENT))[CLIENT]).toEqual([true, expect.stringMatching(/^No results from Brave \(/)])
  })

  it('all: its user sees the reason', async () => {
    for (const slug of ENGINES) instance.sandbox.setFault(slug, { kind: 'blocked' })
    expect((await runClients(CLIENT))[CLIENT]).toMatch(/^failed: .*No search engine/)
  })
})

describe('MCP clients', () => {
  it.each([
    '@modelcontextprotocol/client, 2025',
    '@modelcontextprotocol/client, either',
    '@modelcontextprotocol/client, 2026',
    '@modelcontextprotocol/sdk',
    '@ai-sdk/mcp',
    '@langchain/mcp-adapters',
    'mcp-remote',
    '@modelcontextprotocol/inspector',
    'bowerbird mcp',
    'bowerbird mcp, address in a variable',
  ])('%s lists the tools and searches', (name) => {
    expect(outcomes[name]).toEqual([TOOLS, summary()])
  })

  it('a key in a URL can search and nothing else', () => {
    expect(outcomes['@modelcontextprotocol/sdk, key in the path']).toEqual([
      ['search', 'suggest', 'plan_search'],
      summary(),
    ])
  })
})

// The suite can pass a key only in the URL. Features we don't offer are in its list of expected failures.
describe('@modelcontextprotocol/conformance', () => {
  it.each([
    ['2025-11-25', ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']],
    [
      '2026-07-28',
      ['tools-list', 'dns-rebinding-protection', 'http-header-validation', 'input-required-result-unsupported-methods'],
    ],
  ])('%s: every applicable scenario passes', async (revision, scenarios) => {
    const suite = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
    const url = `${instance.url}/k/${pathKey}/mcp`
    const baseline = join(COMPAT_CLIENTS, 'conformance-baseline.yml')
    const args = [suite, 'server', '--url', url, '--requirements', revision, '--expected-failures', baseline]
    // Rejects if the suite exits with a status other than 0, which it does if the list and the outcome differ.
    const { stdout } = await run(process.execPath, args, { cwd: folder })
    const passed = [...stdout.matchAll(/^✓ (\S+): [1-9]\d* passed, 0 failed$/gm)].map(([, scenario]) => scenario)
    expect(passed).toEqual(expect.arrayContaining(scenarios))
  })
})

describe('a wrong key', () => {
  it.each([
    '@langchain/community, wrong key',
    '@tavily/core, wrong key',
    '@mendable/firecrawl-js, wrong key',
    '@mendable/firecrawl-js, v1, wrong key',
    '@ai-sdk/mcp, wrong key',
    'bowerbird mcp, wrong key',
  ])('%s: its user sees the reason', (name) => {
    expect(outcomes[name]).toEqual(expect.stringMatching(/^failed: /))
    expect(outcomes[name]).toEqual(expect.stringContaining(SENTENCE))
  })
})

describe('afterwards', () => {
  it('neither keys nor queries are in the log', () => {
    expect(instance.logged()).toContain('"route":"/searxng/search"')
    expect(instance.logged()).toContain('"route":"/mcp"')
    for (const secret of [instance.key, pathKey, 'climate']) expect(instance.logged()).not.toContain(secret)
  })

  it('every installed client was run', async () => {
    const { dependencies } = JSON.parse(await readFile(join(COMPAT_CLIENTS, 'package.json'), 'utf8'))
    const script = await readFile(join(COMPAT_CLIENTS, 'clients.mjs'), 'utf8')
    const OTHERS = ['@agentic/core', '@langchain/core', '@langchain/langgraph', '@modelcontextprotocol/conformance']
    expect(Object.keys(dependencies).filter((name) => !script.includes(name) && !OTHERS.includes(name))).toEqual([])
  })
})
