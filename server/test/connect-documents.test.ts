// The pages of docs/connect/ match the website, link to routes that exist, and name settings that exist.
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { setUpApi } from '../src/api/api.test-harness.ts'
import { MCP_REMOTE_VERSION } from '../src/site/docs/program-lines.ts'
import { PAGES } from '../src/site/site-router.ts'
import { connectDocuments, connectTable, factsWithoutProgram } from './support/connect-documents.ts'

const DOCS = resolve(import.meta.dirname, '../../docs')
const FOLDER = resolve(DOCS, 'connect')
const HAND_WRITTEN = ['README.md', 'agents.md']
/** Has no addresses. `spec/compat-situations.test.ts` holds it against what programs show. */
const SITUATIONS = 'what-programs-show.md'
const read = (name: string) => readFileSync(resolve(FOLDER, name), 'utf8')
const DOCUMENTS = [...connectDocuments(), ...HAND_WRITTEN.map((name) => [name, read(name)] as const)]
const stage = setUpApi()

/** Clients append the rest. */
const BASES: Record<string, string> = {
  '/tavily': '/tavily/search',
  '/firecrawl/v1': '/firecrawl/v1/search',
  '/firecrawl/v2': '/firecrawl/v2/search',
}

function hasRoute(path: string): boolean {
  const url = BASES[path] ?? path
  if (url === '' || PAGES.some((page) => page.path === url)) return true
  return (['GET', 'POST'] as const).some((method) => stage.http.hasRoute({ method, url }))
}

describe('docs/connect', () => {
  it('is what tools/make-connect-docs.ts generates from the website text', () => {
    const pages = connectDocuments()
    expect(factsWithoutProgram()).toEqual([])
    for (const [name, content] of pages) expect(read(name)).toBe(content)
    expect(read('README.md')).toContain(connectTable())
    const files = readdirSync(FOLDER).filter((name) => ![...HAND_WRITTEN, SITUATIONS].includes(name))
    expect(files.toSorted()).toEqual([...pages.keys()].toSorted())
  })

  it('names the version of mcp-remote that the nightly tests run', () => {
    const lock = readFileSync(resolve(DOCS, '../tools/compat-clients/package-lock.json'), 'utf8')
    expect(JSON.parse(lock).packages['node_modules/mcp-remote'].version).toBe(MCP_REMOTE_VERSION)
    expect(read('claude-desktop.md')).toContain(`"mcp-remote@${MCP_REMOTE_VERSION}"`)
  })

  it.each(DOCUMENTS)('%s links to existing routes', (_name, page) => {
    const addresses = [...page.matchAll(/https:\/\/(?:key:<key>@)?host(?:\/k\/<key>)?([\w./]*)/g)]
    expect(addresses.length).toBeGreaterThan(0)
    expect(addresses.map(([, path = '']) => path.replace(/\.$/, '')).filter((path) => !hasRoute(path))).toEqual([])
  })

  it.each(DOCUMENTS)('%s names existing settings', (_name, page) => {
    const settings = readFileSync(resolve(DOCS, 'reference/settings.md'), 'utf8')
    const linked = [...page.matchAll(/\[`([A-Z_]+)(?:=\w+)?`\]\([^)]*settings\.md/g)].map(([, name]) => name)
    expect(linked.filter((name) => !settings.includes(`\`${name}\``))).toEqual([])
  })
})
