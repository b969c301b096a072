// What the three pages that strangers read first deny: each such sentence with what would make it false, looked up in the
// real registries. A sentence that says what is there is kept true by whoever changes it; one that says what isn't there
// goes stale in silence, with a change somewhere else. So there are at most twelve, and a new one needs a row here.
//
// A denial is a sentence with an absolute word: no, none, never, nothing, nobody, nowhere, neither, nor, cannot, can't. Code,
// comments and the targets of links don't count. “Without a key”, “only” and “isn't” don't either: they mostly contrast or
// advise. Where such a sentence makes a promise all the same, it may have a row, too.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { TABS } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import { SETTING_SCHEMAS } from '../../tools/docs/setting-schema.ts'
import { setUpApi } from '../src/api/api.test-harness.ts'
import { readConfiguration } from '../src/settings/configuration.ts'
import { SETTINGS_OF_EVERY_PROVIDER } from '../src/settings/provider-configuration.ts'
import { PAGES as SITE_PAGES } from '../src/site/site.test-harness.ts'
import { readPrivacyDeclaration } from './support/privacy-declaration.ts'

const MOST = 12
const README = 'README.md'
const SECURITY = 'SECURITY.md'
const SEARXNG = 'docs/install/coming-from-searxng.md'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8')

const SETTINGS = [
  ...SETTING_SCHEMAS.keys(),
  ...SETTINGS_OF_EVERY_PROVIDER,
  ...ALL_ENGINES.flatMap(({ settings }) => Object.values(settings).map(({ env }) => env)),
]
const api = setUpApi()
/** The API is set up before the first test. */
const listRoutes = (): string[] => [...SITE_PAGES.map(({ path }) => path), ...Object.keys(api.document.paths)]
const COLUMNS = readColumns(read('server/src/store/schema.ts'))

/** `table.column`, of all tables. */
function readColumns(schema: string): string[] {
  const tables = [...schema.matchAll(/^ {2}(\w+): (\w+Table)$/gm)]
  return tables.flatMap(([, table = '', type = '']) => {
    const [, body = ''] = new RegExp(`interface ${type} \\{\\n(.*?)\\n\\}`, 's').exec(schema) ?? []
    return [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, column = '']) => `${table}.${column}`)
  })
}

const settingsLike = (name: RegExp): string[] => SETTINGS.filter((setting) => name.test(setting))
const routesLike = (path: RegExp): string[] => listRoutes().filter((route) => path.test(route))

const releasedVersions = (): string[] =>
  [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)]
    .map(([, title = '']) => title)
    .filter((title) => !title.endsWith(', not released yet'))

/** What the nightly tests start and ask, and what an engine says of itself. */
function triedPublicEngines(): string[] {
  const started = [...read('server/test/nightly/real-services.test.ts').matchAll(/^describe\('([^']+)'/gm)]
  const declared = ALL_ENGINES.filter(
    ({ settings, terms }) =>
      settings.baseUrl.fallback !== undefined && /with which it was tried/.test(terms.unverified ?? ''),
  )
  return [...started.map(([, name = '']) => name), ...declared.map(({ slug }) => slug)].filter(
    (name) => !['Kiwix', 'MediaWiki', 'another Bowerbird'].includes(name),
  )
}

/** Fields of a log line and labels of a metric; other tests compare both lists with what a server really writes. */
function loggedQueries(): string[] {
  const { logFields, metrics } = readPrivacyDeclaration()
  return [...logFields, ...metrics.flatMap(({ labels }) => labels)].filter((name) => /^q$|query|text|words/i.test(name))
}

function installScripts(): string[] {
  const { packages }: { packages: Record<string, { dev?: boolean; hasInstallScript?: boolean }> } = JSON.parse(
    read('package-lock.json'),
  )
  return Object.entries(packages).flatMap(([path, { dev, hasInstallScript }]) => (hasInstallScript && !dev ? path : []))
}

const isSocksTaken = (): boolean => readConfiguration({ OUTGOING_PROXY: 'socks5://127.0.0.1:9050' }).verdict.ok

/** Engines that the page says only SearXNG has. */
const ONLY_IN_SEARXNG = /startpage|qwant|yandex|baidu|flickr|pinterest|googlescholar|pypi|invidious|deepl/

interface Denial {
  page: string
  /** As it stands on the page. */
  sentence: string
  /** What is there and makes it false. */
  findContradictions: () => readonly string[]
}

const DENIALS: readonly Denial[] = [
  {
    page: README,
    sentence: 'Nothing is released yet, so you build the package and the image from a clone:',
    findContradictions: releasedVersions,
  },
  {
    page: README,
    sentence:
      'None of the public engines has been tried against the live service by us; Kiwix, MediaWiki and another Bowerbird have.',
    findContradictions: triedPublicEngines,
  },
  {
    page: SECURITY,
    sentence: 'Nothing is released yet, so fixes go into `main`.',
    findContradictions: releasedVersions,
  },
  {
    page: SECURITY,
    sentence: 'There is no default password',
    // Those of engines aren't passwords of this instance.
    findContradictions: () => [...SETTING_SCHEMAS.keys()].filter((name) => name.endsWith('PASSWORD')),
  },
  {
    page: SECURITY,
    sentence: 'They never appear in a log or a metric.',
    findContradictions: loggedQueries,
  },
  {
    page: SECURITY,
    sentence: 'and none of them, nor of theirs, has an install script.',
    findContradictions: installScripts,
  },
  {
    page: SEARXNG,
    sentence: 'There are no tabs for music, files, social media or shops.',
    findContradictions: () => [
      ...TABS.filter((tab) => /music|file|social|shop|torrent/.test(tab)),
      ...routesLike(/music|files|social|shop|torrent/),
    ],
  },
  {
    page: SEARXNG,
    sentence: 'there is no Tor, no SOCKS proxy and no choice of source addresses.',
    findContradictions: () => [
      ...settingsLike(/(?:^|_)TOR(?:_|$)|ONION|SOCKS|SOURCE_(?:IP|ADDRESS)/),
      ...(isSocksTaken() ? ['OUTGOING_PROXY takes SOCKS'] : []),
    ],
  },
  {
    page: SEARXNG,
    sentence: 'There are no custom templates and no CSS of your own.',
    findContradictions: () => [...settingsLike(/CSS|TEMPLATE|STYLE/), ...routesLike(/css|template|style/)],
  },
  {
    page: SEARXNG,
    sentence: 'there are no plugins.',
    findContradictions: () => [...settingsLike(/PLUGIN|EXTENSION/), ...routesLike(/plugin|extension/)],
  },
  {
    page: SEARXNG,
    sentence: 'it cannot be served at `https://example.org/search/`.',
    findContradictions: () => settingsLike(/^(?:BASE_PATH|BASE_URL|PATH_PREFIX|ROOT_PATH)$/),
  },
  {
    page: SEARXNG,
    sentence:
      'Startpage, Qwant, Yandex, Baidu, Flickr, Pinterest, Google Scholar, PyPI, Invidious and DeepL are engines that only SearXNG has.',
    findContradictions: () => ALL_ENGINES.map(({ slug }) => slug).filter((slug) => ONLY_IN_SEARXNG.test(slug)),
  },
  {
    page: SECURITY,
    sentence:
      'The database has the searches that people subscribe to as feeds, encrypted, and those that an administrator chooses for a calibration, in plain text.',
    findContradictions: () =>
      COLUMNS.filter((column) => /(?:query|queries|_search|\.search)$/.test(column)).filter(
        (column) => !['feeds.sealed_search', 'calibration_searches.query'].includes(column),
      ),
  },
]

const ABSOLUTE = /\b(?:no|none|never|nothing|nobody|nowhere|neither|nor|cannot|can['’]t)\b/i

/** On one line, without code, comments and the targets of links. */
const plain = (text: string): string =>
  text
    .replace(/^\s*```.*?^\s*```/gms, '')
    .replace(/<!--.*?-->/gs, '')
    .replace(/`[^`\n]*`/g, '`')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/\s+/g, ' ')

/** Cells of a table, items of a list and headings end a sentence, too. */
const sentencesIn = (page: string): string[] =>
  page
    .split(/\n\s*\n|\n(?=\s*(?:[-#|]|\d\.))|(?<=^\|.*)\|/m)
    .flatMap((block) => plain(block).split(/(?<=[.?!]) /))
    .map((sentence) => sentence.trim())

const denialsIn = (text: string): string[] =>
  sentencesIn(text.replace(/^```.*?^```/gms, '')).filter((sentence) => ABSOLUTE.test(sentence))

describe.each(DENIALS)('$page: “$sentence”', ({ page, sentence, findContradictions }) => {
  it('stands on the page, word for word', () => {
    expect(read(page).replace(/\s+/g, ' ')).toContain(sentence)
  })

  it('is true', () => {
    expect(findContradictions()).toEqual([])
  })
})

it.each([README, SECURITY, SEARXNG])('%s: every denial is in this table', (page) => {
  const rows = DENIALS.filter((row) => row.page === page).map(({ sentence }) => plain(sentence))
  const unguarded = denialsIn(read(page)).filter((sentence) =>
    ABSOLUTE.test(rows.reduce((rest, row) => rest.replace(row, ''), sentence)),
  )
  expect(unguarded).toEqual([])
})

it(`the three pages deny at most ${MOST} things`, () => {
  const denials = [README, SECURITY, SEARXNG].flatMap((page) => denialsIn(read(page)))
  expect(denials.length).toBeLessThanOrEqual(MOST)
})

describe('a denial is found', () => {
  it.each([
    ['There is no logo.', 1],
    ['| a | none | nothing |', 2],
    ['Nothing `never` happens. Notes say `none`.', 1],
    ['<!-- no fact -->3<!-- /no --> engines, [one](no/never.md).', 0],
    ['```sh\nnothing\n```\nIt notes another.', 0],
  ])('in %j', (text, count) => {
    expect(denialsIn(text)).toHaveLength(count)
  })
})

it('the registries are read', () => {
  for (const registry of [SETTINGS, listRoutes(), COLUMNS]) expect(registry.length).toBeGreaterThan(80)
  expect(SETTINGS).toContain('INSTANCE_NAME')
  expect(listRoutes()).toEqual(expect.arrayContaining(['/settings/sites', '/api/v1/web/']))
  expect(COLUMNS).toEqual(expect.arrayContaining(['users.preferences', 'calibration_searches.query']))
})

describe('coming-from-searxng.md', () => {
  /** What stands in backticks in the second cell of each row of the section's table. */
  const namesIn = (heading: string): string[] => {
    const [, section = ''] = read(SEARXNG).split(`\n## ${heading}\n`)
    const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'))
    return rows.flatMap((row) =>
      [...(row.split(' | ')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace(/=.*/, '')),
    )
  }

  it('names only engines that exist', () => {
    const slugs = ALL_ENGINES.map(({ slug }) => slug)
    const named = namesIn('Your engines')
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((name) => !slugs.includes(name))).toEqual([])
  })

  it('names only settings that exist', () => {
    const families = [
      'ENGINE_A',
      'ENGINE_Z',
      'ENGINE_A_WEIGHT',
      '<NAME>_API_KEY',
      ...SETTINGS_OF_EVERY_PROVIDER.map((name) => `<NAME>_${name}`),
    ]
    const named = namesIn('Your settings').filter((name) => /^[A-Z<]/.test(name))
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter((name) => !SETTINGS.includes(name) && !families.includes(name))).toEqual([])
  })
})
