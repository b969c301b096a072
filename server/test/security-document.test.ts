// Keeps docs/security/ true: page access, cryptography, addresses, tables, log fields, cookies, the providers asked by
// default, and the files that bound expensive functions.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import { describe, expect, it } from 'vitest'
import { RECOMMENDED_COST } from '../src/accounts/passwords.ts'
import { readConfiguration, requireConfiguration } from '../src/settings/configuration.ts'
import { PAGES } from '../src/site/site.test-harness.ts'
import { readPrivacyDeclaration } from './support/privacy-declaration.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SOURCE = resolve(ROOT, 'server/src')
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8')
const PAGE = read('docs/security/README.md')

/** A section of the page by heading, up to the next heading of the same level. */
const section = (heading: string): string => {
  const [, text = ''] = PAGE.split(`\n## ${heading}\n`)
  expect(text).not.toBe('')
  return text.split('\n## ')[0] ?? ''
}

/** The rows, as cells, of the table whose header starts with this text. */
function rows(text: string, head: string): string[][] {
  const [, table = ''] = text.split(`\n| ${head}`)
  const lines = table.split('\n').slice(2)
  const end = lines.findIndex((line) => !line.startsWith('|'))
  return lines.slice(0, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')

describe('who may do what', () => {
  /** For a row of paths: the paths named, and everything below those followed by "and below". */
  const covers = (cell: string, path: string): boolean => {
    const deep = cell.replace(/\(.*?\)/g, '').split(/,? and below,? ?/)
    const isBelow = deep.slice(0, -1).some((part) => quoted(part).some((root) => path.startsWith(`${root}/`)))
    return isBelow || quoted(cell).includes(path)
  }
  const table = rows(section('Who may do what'), 'pages | access |')

  it('lists every page of the website with its access level', () => {
    expect(table).toHaveLength(5)
    const wrong = PAGES.map(({ path, access }) => {
      const said = table.filter(([pages = '']) => covers(pages, path)).map(([, level = '']) => quoted(level)[0])
      return { path, access, said }
    }).filter(({ access, said }) => said.length !== 1 || said[0] !== access)
    expect(wrong).toEqual([])
  })

  it('lists every way to sign in', () => {
    const ways = PAGES.filter(({ access, method }) => access === 'signed-out' && method === 'POST')
    expect(
      ways
        .map(({ path }) => path)
        .sort()
        .join(' '),
    ).toBe(
      '/invitation/:token /invitation/:token/with/:provider /login /login/code /login/code/passkey /login/code/passkey/options /login/passkey /login/passkey/options /login/password /login/with/:provider /setup',
    )
    const listed = rows(section('Signing in'), 'way | strength |').map(([way = '']) => way)
    const words =
      /password|passkey|app code|recovery code|setup token|invitation|API key|command line|identity provider|header of a proxy/g
    expect(new Set(listed.join().match(words)).size).toBe(10)
  })

  it('has no password hints or security questions', () => {
    const fields = PAGES.flatMap(({ form }) => (form ? [form.toString()] : []))
    expect(fields.length).toBeGreaterThan(10)
    expect(fields.filter((field) => /hint|question|mother|birth/i.test(field))).toEqual([])
    expect(read('server/src/store/schema.ts')).not.toMatch(/hint|secret_question|secret_answer/)
  })
})

it('the threat model says of every attacker what stops them, and covers every kind of STRIDE', () => {
  const threats = rows(section('Threat model'), 'who | wants | kind |')
  expect(threats.length).toBeGreaterThan(10)
  for (const [, wants, kind, stops] of threats) expect([wants, kind, stops]).not.toContain('')
  const kinds = new Set(threats.flatMap(([, , kind = '']) => kind.split(', ')))
  const stride = ['spoofing', 'tampering', 'repudiation', 'information disclosure', 'denial of service']
  expect([...kinds].sort()).toEqual([...stride, 'elevation of privilege'].sort())
})

describe('cryptography', () => {
  const text = section('Cryptography')
  const sources = globSync('**/*.ts', { cwd: SOURCE })
    .filter((file) => !/\.test(?:-\w+)?\.ts$/.test(file))
    .map((file) => ({ file, code: readFileSync(resolve(SOURCE, file), 'utf8') }))

  it('lists every key derived from the instance secret', () => {
    const written = (pattern: RegExp) =>
      sources.flatMap(({ code }) => [...code.matchAll(pattern)].map((match) => match[1] ?? ''))
    const whole = written(/(?:hkdfSync\(|createEncryption\()[^)]*['`](bowerbird [^'`]*)['`]/g)
    // Helpers that prefix the purpose with the name of the service.
    const short = written(/(?:createKeyedHash\([^)'`]*|createDailyHash\([^)]*purpose: )['`]([^'`]*)['`]/g)
    const derived = [...new Set([...whole, ...short.map((purpose) => `bowerbird ${purpose}`)])]
      .map((purpose) => purpose.replace(/\$\{purpose\}/, '<purpose>').replace(/\$\{day\}/, '<day>'))
      .filter((purpose) => !/^bowerbird <purpose>(?: of day <day>)?$/.test(purpose))
    expect(derived.length).toBeGreaterThanOrEqual(5)
    expect(derived.filter((purpose) => !text.includes(`\`${purpose}\``))).toEqual([])
  })

  it('lists every file that hashes, signs or encrypts to protect something', () => {
    const protecting = sources
      .filter(({ code }) =>
        /createHmac\(|hkdfSync\(|createCipheriv\(|(?:from |import\()'(?:@node-rs\/argon2|otpauth)'/.test(code),
      )
      .map(({ file }) => file)
    expect(protecting.length).toBeGreaterThanOrEqual(6)
    expect(protecting.filter((file) => !text.includes(`\`${file}\``))).toEqual([])
  })

  it('names files that exist, and the cost of password hashing', () => {
    const named = quoted(text).filter((name) => name.endsWith('.ts'))
    expect(named.length).toBeGreaterThan(8)
    expect(named.filter((file) => !existsSync(resolve(SOURCE, file)))).toEqual([])
    const { memoryCost, timeCost, parallelism } = RECOMMENDED_COST
    expect(text).toContain(`argon2id, ${memoryCost / 1024} MiB, ${timeCost} passes, ${parallelism} lane`)
  })
})

describe('connections', () => {
  const providers = [...ALL_ENGINES, ...ALL_SOURCES]

  it('are encrypted to every provider by default', () => {
    const defaults = providers.flatMap(({ settings }) => settings['baseUrl']?.fallback ?? [])
    expect(defaults.length).toBeGreaterThan(20)
    expect(defaults.filter((address) => !address.startsWith('https://'))).toEqual([])
  })

  it('bowerbird config shows the address of every bound engine', () => {
    const { shown } = readConfiguration({ ENGINE_D: ALL_ENGINES.map(({ slug }) => slug).join(' ') })
    const names = shown.map(({ env }) => env)
    // Engines that only suggest are bound by another setting.
    const bound = ALL_ENGINES.filter(({ tabs }) => Object.keys(tabs).length > 0)
    expect(bound.map(({ settings }) => settings.baseUrl.env).filter((env) => !names.includes(env))).toEqual([])
  })
})

it('every database table has a level and a retention period', () => {
  const tables = [...read('server/src/store/schema.ts').matchAll(/^ {2}(\w+): \w+Table$/gm)].map(
    (match) => match[1] ?? '',
  )
  expect(tables.length).toBeGreaterThan(10)
  const listed = rows(section('Data'), 'table | level |').flatMap(([names = '']) => quoted(names))
  expect(listed.sort()).toEqual(tables.sort())
})

it('privacy.md lists exactly the cookies that the website sets', () => {
  const names = globSync('site/**/*.ts', { cwd: SOURCE }).flatMap((file) =>
    [...readFileSync(resolve(SOURCE, file), 'utf8').matchAll(/^(?:export )?const [A-Z_]*COOKIE = '(\w+)'/gm)].map(
      (match) => match[1] ?? '',
    ),
  )
  expect(readPrivacyDeclaration().cookies.toSorted()).toEqual([...new Set(names)].toSorted())
})

it('privacy.md lists exactly the providers that are asked without settings', () => {
  const { engines, sources } = requireConfiguration(readConfiguration({}))
  const listed = rows(read('docs/security/privacy.md'), 'provider | gets |').flatMap(([names = '']) => quoted(names))
  expect(listed.toSorted()).toEqual([...new Set([...engines.keys(), ...sources.keys()])].toSorted())
})

it('every limit on an expensive function names the file that enforces it, and settings that exist', () => {
  const table = rows(section('Expensive functions'), 'function | what bounds it |')
  expect(table.length).toBeGreaterThanOrEqual(8)
  const { shown } = readConfiguration({})
  for (const [name, bound = '', where = ''] of table) {
    const missing = quoted(where).filter(
      (file) => !existsSync(resolve(SOURCE, file)) && !existsSync(resolve(ROOT, file)),
    )
    expect(missing, name).toEqual([])
    expect(
      quoted(bound).filter((setting) => !shown.some(({ env }) => env === setting)),
      name,
    ).toEqual([])
  }
})

it('has a row for everything that fetches, reads or does several things at once', () => {
  const where = rows(section('Expensive functions'), 'function | what bounds it |').flatMap(([, , files = '']) =>
    quoted(files),
  )
  // Whatever answers several requests in one, or makes the instance connect or compute for long.
  const costly = globSync(['upstream/*-fetch.ts', 'compat/mcp/mcp-api.ts'], { cwd: SOURCE })
  expect(costly.length).toBeGreaterThanOrEqual(5)
  const others = ['reader/reader.ts', 'reader/robots.ts', 'api/pipeline/event-reply.ts', 'translate/translate.ts']
  const missing = [...costly, ...others].filter((file) => !where.includes(file))
  expect(missing).toEqual(['upstream/untrusted-fetch.ts'])
})

it('vulnerable dependencies have a deadline for the fix', () => {
  const table = rows(section('Dependencies'), 'what | updated within |')
  expect(table.filter(([, within = '']) => !/\d+ days|next release/.test(within))).toEqual([])
  expect(table.length).toBeGreaterThanOrEqual(4)
})
