// Our client libraries. The TypeScript client, as packed, compiles strictly and runs in every supported version of
// Node.js and in a browser; the Python client runs under the system's Python; the first lines of their READMEs and all
// recipes work.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { launchBrowser, openTab } from '../support/browser.ts'
import { endWithWorker } from '../support/end-with-worker.ts'
import { installPackedClient, installWheel, type PackedClient } from '../support/packed-client.ts'
import { UNHURRIED } from '../support/site-pages.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
/** The Python that Debian's packages of httpx, pytest and mypy belong to. */
const PYTHON = process.env['PYTHON'] ?? '/usr/bin/python3'
const PYTHON_CLIENT = join(ROOT, 'clients/python')
const RECIPES = join(ROOT, 'docs/recipes')
const PATIENCE_MS = 240_000

const STRICT = {
  module: 'nodenext',
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
}

/** A client program; each line under @ts-expect-error must not compile. */
const PROGRAM = `
import { BadRequestError, Bowerbird, type SearchStatus, type WebResult } from '@bowerbird/client'

export async function program(url: string, key: string) {
  const bowerbird = new Bowerbird({ url, key })
  const page = await bowerbird.web({ q: 'climate', engine: ['engine_a', 'engine_b'], safe: true })
  const first: WebResult | undefined = page.results[0]
  const status: SearchStatus | undefined = page.meta.searchStatus
  // @ts-expect-error: it is a string
  const title: number | undefined = first?.title
  // @ts-expect-error: q is required
  const forgotten = () => bowerbird.web({ page: 2 })
  // @ts-expect-error: there is no such parameter
  const typo = () => bowerbird.web({ q: 'climate', language: 'de' })
  // @ts-expect-error: there is no such tab
  const unknown = () => bowerbird.pages('music', 'climate')
  const pages: number[] = []
  for await (const { page: number, tab } of bowerbird.pages('news', 'climate', { maxPages: 2 })) {
    pages.push(number)
    tab satisfies 'news'
  }
  let streamed = 0
  for await (const event of bowerbird.stream('images', 'climate')) {
    if (event.event === 'done') streamed = event.body.results.filter(({ thumbnail }) => thumbnail !== '').length
  }
  const answer = await bowerbird.instant('6 * 7')
  const { translated_text: text } = await bowerbird.translate({ q: 'hello', target: 'fr' })
  const refused = await bowerbird.web({ q: 'climate', page: 51 }).catch((error: unknown) => error)
  const read = await bowerbird.read({ url: first?.url ?? '', format: 'sections' })
  const withText = () => bowerbird.web({ q: 'climate', include: ['explain', 'content'], content_results: 1 })
  const content = async (): Promise<string | undefined> => (await withText()).results[0]?.content
  return {
    title, status, pages, streamed, text,
    engines: page.meta.engines.map(({ engine, outcome }) => engine + ' ' + outcome),
    answer: answer?.type === 'calculator' ? answer.text : undefined,
    refused: refused instanceof BadRequestError ? refused.errors : undefined,
    left: refused instanceof BadRequestError && (refused.meta.rateLimit['burst']?.remaining ?? 0) > 0,
    sections: read.sections?.filter(({ level, text }) => level > 0 && text !== '').length,
    unused: [forgotten, typo, unknown, content].map((one) => typeof one),
  }
}
`

/** Mypy reports an error that isn't one, so each ignored line must not pass. */
const TYPED_PROGRAM = `
import os
from bowerbird import Bowerbird, KeyReply

bowerbird = Bowerbird(os.environ["BOWERBIRD_URL"], os.environ["BOWERBIRD_KEY"])
key: KeyReply = bowerbird.key()
print(key.name, key.limits.burst)
try:
    bowerbird.web("climate", language="de")  # type: ignore[call-arg]
    print("a typo passed")
except TypeError:
    pass
title: int = bowerbird.web("climate", safe=False).results[0].title  # type: ignore[assignment]
`

const RUN = `
import { program } from './program.js'
process.stdout.write(JSON.stringify(await program(process.env.BOWERBIRD_URL, process.env.BOWERBIRD_KEY)))
`

const EXPECTED = {
  title: expect.stringMatching(/\w/),
  status: 'complete',
  pages: [1, 2],
  streamed: expect.toSatisfy((count: number) => count > 5),
  text: 'bonjour',
  engines: ['engine_a ok', 'engine_b ok'],
  answer: '6 × 7 = 42',
  refused: { page: ['Send a whole number from 1 to 50.'] },
  left: true,
  sections: expect.toSatisfy((count: number) => count > 0),
  unused: Array(4).fill('function'),
}

vi.setConfig({ testTimeout: PATIENCE_MS })

const run = promisify(execFile)
const pages = createServer()
let demo: Demo
let client: PackedClient
let env: Record<string, string | undefined>

/** Returns the compiler's output: empty on success. */
async function compile(name: string, compilerOptions: object, files: string[]): Promise<string> {
  const project = join(client.folder, `tsconfig.${name}.json`)
  await writeFile(project, JSON.stringify({ compilerOptions: { ...STRICT, ...compilerOptions }, files }))
  return run(process.execPath, [TSC, '-p', project]).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  )
}

/** The first code block of a README. */
async function firstLines(file: string): Promise<string> {
  return /^```\w+\n(.*?)^```/ms.exec(await readFile(join(ROOT, file), 'utf8'))?.[1] ?? ''
}

/** Runs a program to its end; returns its output. */
async function output(command: string, args: string[], { input = '', cwd = client.folder } = {}): Promise<string> {
  const child = endWithWorker(spawn(command, args, { cwd, env }))
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  // Test runners write failures to stdout, where the report would be.
  expect({ code, stderr, report: code === 0 ? '' : stdout }).toEqual({ code: 0, stderr: '', report: '' })
  return stdout
}

/** Without a bundler, a page imports a package by URL. */
function scriptOf(url: string): string {
  const path = url.replace(/^\/client\//, '/node_modules/@bowerbird/client/dist/')
  return readFileSync(join(client.folder, path), 'utf8').replace("'@bowerbird/client'", "'/client/bowerbird.js'")
}

beforeAll(async () => {
  await new Promise<void>((listening) => pages.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
  const installing = installPackedClient(join(inject('temporaryFolder'), 'client-libraries'))
  demo = await startDemo({ port: 0, settings: { ...UNHURRIED, CORS_ORIGINS: origin } })
  client = await installing
  env = {
    PATH: process.env['PATH'],
    HOME: client.folder,
    PYTHONPATH: join(PYTHON_CLIENT, 'src'),
    PYTHONDONTWRITEBYTECODE: '1',
    BOWERBIRD_URL: demo.url,
    BOWERBIRD_KEY: demo.key,
  }
  await writeFile(join(client.folder, 'program.ts'), PROGRAM)
  await writeFile(join(client.folder, 'run.js'), RUN)
  for (const file of await readdir(RECIPES)) await copyFile(join(RECIPES, file), join(client.folder, file))
}, PATIENCE_MS)

afterAll(async () => {
  pages.close()
  await demo?.close()
})

describe('@bowerbird/client', () => {
  it('is packed with its licence, has no dependencies, and imports nothing from Node.js', async () => {
    expect(client.files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/bowerbird.js', 'package.json']))
    expect(
      client.files.filter((file) => !/^(?:LICENSE|README\.md|package\.json|dist\/[\w-]+\.(?:js|d\.ts))$/.test(file)),
    ).toEqual([])
    const installed = join(client.folder, 'node_modules/@bowerbird/client')
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
    expect([manifest.dependencies, manifest.peerDependencies]).toEqual([undefined, undefined])
    const scripts = client.files.filter((file) => file.endsWith('.js'))
    const sources = await Promise.all(scripts.map((file) => readFile(join(installed, file), 'utf8')))
    expect(sources.flatMap((source) => source.match(/from '(?!\.\/)[^']*'/g) ?? [])).toEqual([])
  })

  it('compiles strictly with browser types and with Node.js types, and so do the recipes', async () => {
    const recipes = (await readdir(RECIPES)).filter((file) => file.endsWith('.mjs'))
    const browser = { lib: ['es2022', 'dom', 'dom.iterable'], types: [], noEmit: false }
    expect(await compile('browser', browser, ['program.ts'])).toBe('')
    const node = { lib: ['es2023'], types: ['node'], allowJs: true, checkJs: true, skipLibCheck: true }
    expect(await compile('node', node, ['program.ts', ...recipes])).toBe('')
  })

  it.each([20, 24, 26])('runs in Node.js %i, including the first lines of its README', async (version) => {
    const node = client.nodes.get(version) ?? ''
    await writeFile(join(client.folder, 'readme.mjs'), await firstLines('clients/typescript/README.md'))
    expect(await output(node, ['--version'])).toMatch(new RegExp(`^v${version}\\.`))
    expect(JSON.parse(await output(node, ['run.js']))).toEqual(EXPECTED)
    expect(await output(node, ['readme.mjs'])).toMatch(/^\S.* https?:\/\/\S+\n(?:.*\n)*complete\n$/)
  })

  it('runs in Deno, allowed only the network and its two settings', async () => {
    const rights = ['--allow-net=127.0.0.1', '--allow-env=BOWERBIRD_URL,BOWERBIRD_KEY', '--no-prompt']
    const found = await output(client.deno, ['run', '--quiet', '--no-check', ...rights, 'run.js'])
    expect(JSON.parse(found)).toEqual(EXPECTED)
  })

  it('runs in Bun', async () => {
    expect(JSON.parse(await output(client.bun, ['run', 'run.js']))).toEqual(EXPECTED)
  })

  it('runs in a browser, on a page of another origin', async () => {
    pages.on('request', ({ url = '' }, response) => {
      const isScript = url.endsWith('.js')
      response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
      response.end(isScript ? scriptOf(url) : '<!doctype html>')
    })
    const browser = await launchBrowser()
    try {
      const tab = await openTab(browser, `http://127.0.0.1:${(pages.address() as AddressInfo).port}`)
      await tab.page.goto('/')
      const found = await tab.page.evaluate(
        `import('/program.js').then(({ program }) => program('${demo.url}', '${demo.key}'))`,
      )
      expect(found).toEqual(EXPECTED)
      expect(tab.complaints).toEqual([])
    } finally {
      await browser.close()
    }
  })
})

describe('bowerbird for Python', () => {
  it('passes its own tests, also against the demo, with none skipped', async () => {
    const report = await output(PYTHON, ['-m', 'pytest', '-q', '--no-header'], { cwd: PYTHON_CLIENT })
    expect(report).toMatch(/\b\d{3} passed in /)
    expect(report).not.toMatch(/skipped|xfailed|warning/)
  })

  it('is fully typed, and so are the recipes', async () => {
    const recipes = (await readdir(RECIPES)).filter((file) => file.endsWith('.py')).map((file) => join(RECIPES, file))
    const cache = `--cache-dir=${join(client.folder, 'mypy')}`
    const report = await output(PYTHON, ['-m', 'mypy', cache, 'src', 'tests', ...recipes], { cwd: PYTHON_CLIENT })
    expect(report).toMatch(/^Success: no issues found in \d+ source files\n$/)
  })

  it('is built into a wheel offline, and works installed: the first lines of its README, and its types', async () => {
    const python = await installWheel(join(client.folder, 'wheel'), PYTHON)
    const where = await output(python, ['-I', '-c', 'import bowerbird; print(bowerbird.__file__)'])
    expect(where).toContain('/wheel/env/lib/')
    await writeFile(join(client.folder, 'readme.py'), await firstLines('clients/python/README.md'))
    expect(await output(python, ['-I', 'readme.py'])).toMatch(/^complete\n(?:https?:\/\/\S+\n){5,}$/)
    await writeFile(join(client.folder, 'typed.py'), TYPED_PROGRAM)
    const checked = ['-m', 'mypy', '--strict', '--enable-incomplete-feature=Unpack', '--python-executable', python]
    expect(await output(PYTHON, [...checked, `--cache-dir=${join(client.folder, 'mypy-wheel')}`, 'typed.py'])).toBe(
      'Success: no issues found in 1 source file\n',
    )
    expect(await output(python, ['-I', 'typed.py'])).toBe('demo 100000/min\n')
  })
})

describe('the recipes', () => {
  it('a prompt for a language model, with sources and citations', async () => {
    const prompt = await output(PYTHON, ['cited_answer.py', 'climate'])
    expect(prompt).toContain('<source number="1">\nClimate – Open Compendium\n')
    expect(prompt).toContain('Question: climate\n')
    expect(prompt).toMatch(/this \[\[1\]\]\(https:\/\/\S+\), or invent a source \.\n$/)
  })

  it('an agent stops before exceeding its budget', async () => {
    const report = await output(PYTHON, ['careful_agent.py', '3', '6 * 7', 'climate', '6 * 7', 'tides', 'oceans'])
    expect(report.split('\n').slice(0, 5)).toEqual([
      '1 6 * 7 → 6 × 7 = 42',
      expect.stringMatching(/^2 climate → .+: https:/),
      '0 6 * 7 → 6 × 7 = 42',
      'stopped before: tides',
      expect.stringMatching(/^spent 3 of 3; \d+ of \d+ requests left this minute$/),
    ])
  })

  it('a watch reports each news item once', async () => {
    expect(await output(process.execPath, ['watch.mjs', 'climate', 'seen.json'])).toMatch(/^\S.*\n {2}\S.*\n {2}https:/)
    expect(await output(process.execPath, ['watch.mjs', 'climate', 'seen.json'])).toBe('')
  })

  it('an image board shows pictures and escapes the query', async () => {
    const board = await output(process.execPath, ['image-board.mjs', 'climate <script>'])
    expect(board.match(/<img src="https:/g)?.length).toBeGreaterThan(5)
    expect(board).toContain('<h1>climate &#60;script&#62;</h1>')
    expect(board).not.toContain('<script>')
  })

  it('a list of places becomes GeoJSON', async () => {
    const places = await output(process.execPath, ['place-finder.mjs'], { input: 'Eiffel Tower\n\n' })
    expect(JSON.parse(places)).toMatchObject({
      type: 'FeatureCollection',
      features: [{ geometry: { type: 'Point', coordinates: [expect.closeTo(2.29, 1), expect.closeTo(48.86, 1)] } }],
    })
  })

  it('every recipe is run here and listed in the README', async () => {
    const here = await readFile(import.meta.filename, 'utf8')
    const list = await readFile(join(RECIPES, 'README.md'), 'utf8')
    const programs = (await readdir(RECIPES)).filter((file) => file !== 'README.md')
    expect(programs.length).toBeGreaterThanOrEqual(5)
    expect(programs.filter((file) => !here.includes(`['${file}'`) || !list.includes(`](${file})`))).toEqual([])
  })
})
