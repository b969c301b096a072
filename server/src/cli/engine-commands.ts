// `bowerbird engines`: lists the engines, checks a document, and tries one.
import { TABS } from '@bowerbird/engines/engine.ts'
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { CatalogueEntry, CatalogueTab } from '../search/engine-catalogue.ts'
import type { Inability } from '../search/plan.ts'
import { readRegion } from '../search/regions.ts'
import type { TrialReport } from '../search/try-engine.ts'
import { administer } from './administer.ts'
import type { CheckedEngine, CliHost } from './cli-host.ts'
import { addExamples, alignLines, JSON_OPTION, printResult } from './command-parts.ts'
import { readStored } from './settings-commands.ts'

const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i

interface TryOptions {
  json?: boolean
  tab?: string
  lang: string
  region?: string
  safe: 'on' | 'off'
}

export function addEngineCommands(program: Command, host: CliHost): void {
  const engines = program
    .command('engines')
    .summary('list the search engines, check or try one')
    .description(
      'List every engine that can be bound to a slot: whether it is on, what it serves, in how many languages, what it filters, its price for 1,000 calls in US dollars, and what it needs. * always true for this engine’s index; + filtered by Bowerbird.',
    )
    .option(...JSON_OPTION)
    .action(async ({ json = false }: { json?: boolean }) => {
      const entries = host.listEngines((await readStored(host)).values)
      await printResult(host, json, {
        value: { engines: entries.map(presentEntry) },
        lines: describeEntries(entries),
      })
    })
  addExamples(engines, [
    'bowerbird engines',
    "bowerbird engines --json | jq -r '.engines[] | select(.needs == []) | .slug'",
  ])
  addCheck(engines, host)
  addTry(engines, host)
}

function addCheck(engines: Command, host: CliHost): void {
  const check = engines
    .command('check')
    .summary('check the document of an engine of your own')
    .description(
      'Check a document, and say on which line each mistake is. If there is none, say where its calls would go and which settings it reads. Nothing is called. The exit code is 1 if there is a mistake.',
    )
    .argument('<file>', 'the document')
    .option(...JSON_OPTION)
    .action(async (path: string) => {
      const { json = false }: { json?: boolean } = check.optsWithGlobals()
      const checked = host.checkEngineFile(path)
      const value = checked.ok ? { mistakes: [], engine: presentChecked(checked.engine) } : { ...checked, engine: null }
      await printResult(host, json, {
        value: { mistakes: value.mistakes, engine: value.engine },
        lines: checked.ok ? describeChecked(path, checked.engine) : checked.mistakes,
      })
      if (!checked.ok) throw new CommanderError(1, 'bowerbird.mistakes', '')
    })
  addExamples(check, ['bowerbird engines check notes.json', 'bowerbird engines check notes.json --json'])
}

function describeChecked(path: string, { slug, name, tabs, isPrivate, address, settings }: CheckedEngine): string[] {
  const rows = settings.map(({ env, isSecret, isRequired }) => [
    env,
    isRequired ? 'required' : 'optional',
    isSecret ? 'secret' : '',
  ])
  return [
    `${path} is a valid document of ${name}: ${tabs.join(', ')}${isPrivate ? '; private' : ''}.`,
    address === '' ? 'Its calls go to the address that you set.' : `Its calls go to ${address}.`,
    'It reads these settings:',
    ...indent(rows),
    `To use it, put it into the folder ENGINES_DIR and ${isPrivate ? `name it in MINE: MINE=${slug}` : `bind it to a slot: ENGINE_D=${slug}`}`,
  ]
}

const presentChecked = ({ slug, name, tabs, isPrivate, address, settings }: CheckedEngine) => ({
  slug,
  name,
  tabs,
  private: isPrivate,
  address,
  settings: settings.map(({ env, isSecret, isRequired }) => ({ name: env, secret: isSecret, required: isRequired })),
})

function addTry(engines: Command, host: CliHost): void {
  const trial = engines
    .command('try')
    .summary('ask one engine, and show what it answers')
    .description(
      'Ask one engine, bound or not, and show the request without its key, how long the reply took, what was read from it and what was left out, and what the terms allow. A call that costs money is counted in the ledger. The exit code is 1 if the engine did not answer.',
    )
    .argument('<engine>', 'the engine, or the file of a document')
    .argument('<query>', 'what to search for')
    .addOption(new Option('--tab <name>', 'its first by default').choices(TABS))
    .option('--lang <tag>', 'a language', readLanguage, '')
    .option('--region <country>', 'a country such as DE', readCountryCode)
    .addOption(new Option('--safe <choice>', 'as in a search').choices(['on', 'off']).default('on'))
    .option(...JSON_OPTION)
    .action(async (engine: string, text: string) => {
      const { json = false, tab, lang, region, safe }: TryOptions = trial.optsWithGlobals()
      const count = (slug: string, micros: number) =>
        administer(host, async (perform) => void (await perform('provider-call-count', { provider: slug, micros })))
      const report = await host.tryEngine(
        { engine, text, tab, lang, region, safe: safe === 'on', count },
        (await readStored(host, true)).values,
      )
      await printResult(host, json, { value: presentTrial(report), lines: describeTrial(report) })
      if (report.error) throw new CommanderError(1, 'bowerbird.mistakes', '')
    })
  addExamples(trial, [
    'bowerbird engines try wikipedia "heat pump"',
    'bowerbird engines try brave climate --tab news --json',
    'bowerbird engines try ./notes.json "heat pump"',
  ])
}

function readLanguage(text: string): string {
  if (!LANGUAGE.test(text)) throw new InvalidArgumentError('Use a language tag such as de or pt-BR.')
  return text
}

function readCountryCode(text: string): string {
  const region = readRegion(text)
  if (!region) throw new InvalidArgumentError('Use a country such as DE or US.')
  return region
}

/** Converts a price per call in millionths of a dollar to dollars for 1,000 calls. */
const MICROS_TO_DOLLARS_PER_1000 = 1_000 / 1_000_000

function describeEntries(entries: readonly CatalogueEntry[]): string[] {
  const rows = entries.map((entry) => [
    entry.slug,
    entry.state === 'on' ? `on (${entry.slots.join(', ')})` : entry.state,
    entry.tabs.map(({ tab }) => tab).join(' '),
    languagesOf(entry.tabs),
    filtersOf(entry.tabs),
    entry.terms.isPriceUnknown
      ? 'unknown'
      : String(Number((entry.terms.pricePerCallMicros * MICROS_TO_DOLLARS_PER_1000).toFixed(3)) || ''),
    needsOf(entry),
  ])
  return alignLines([['ENGINE', 'STATE', 'TABS', 'LANGUAGES', 'FILTERS', 'US$/1000', 'NEEDS'], ...rows])
}

const needsOf = ({ needs, homepage, hasNoContract }: CatalogueEntry): string => {
  if (needs.length > 0) return `${needs.join(' and ')}, from ${homepage}`
  return hasNoContract ? 'nothing (no contract with the provider)' : 'nothing'
}

/** The largest number of languages that one of the tabs has. */
function languagesOf(tabs: readonly CatalogueTab[]): string {
  const counts = tabs
    .filter(({ filters, tab }) => filters.lang || tab === 'suggest')
    .map(({ languages }) => languages?.length)
  if (counts.length === 0) return ''
  return counts.includes(undefined) ? 'any' : String(Math.max(...counts.map((count) => count ?? 0)))
}

const FILTER_MARKS = { provider: '', nature: '*', bowerbird: '+' }

const filtersOf = (tabs: readonly CatalogueTab[]): string =>
  [
    ...new Set(
      tabs.flatMap(({ filters }) => Object.entries(filters).map(([filter, by]) => `${filter}${FILTER_MARKS[by]}`)),
    ),
  ].join(' ')

const indent = (rows: string[][]): string[] => alignLines(rows).map((line) => `  ${line}`)

const REASONS: Readonly<Record<Inability, string>> = {
  safe: 'cannot leave out adult results (--safe off)',
  date: 'cannot filter by date',
  lang: 'does not search in',
  page: 'has no such page',
  length: 'takes no query of that length',
  image: 'cannot filter images in this way',
}

function describeTrial({ request, terms, ...report }: TrialReport): string[] {
  const { cacheSeconds, cacheIn, attribution } = terms
  const headers = Object.entries(request.headers).map(([name, value]) => `  ${name}: ${value}`)
  const reply = report.status === undefined ? 'no reply' : `status ${report.status}, ${report.bytes} bytes`
  return [
    `${report.name}, ${report.tab}`,
    '',
    `${request.method} ${request.path}`,
    ...headers,
    ...(request.body === '' ? [] : ['', `  ${request.body}`]),
    '',
    `${reply} after ${report.ms} ms`,
    ...(report.ignoresRegion ? ['It cannot favour this region, and was asked without it.'] : []),
    ...(report.skippedFor ? [`A search would not ask it this: ${REASONS[report.skippedFor]}.`] : []),
    ...(report.error ? [`${report.error.kind}: ${report.error.message}`] : [`${report.hits.length} results:`]),
    ...report.hits.flatMap(({ title, url, description }, at) => [
      `${String(at + 1).padStart(3)}. ${title}`,
      `     ${url}`,
      ...(description === '' ? [] : [`     ${description}`]),
    ]),
    ...(report.dropped.length === 0 ? [] : ['', 'Left out:', ...report.dropped.map((sentence) => `  ${sentence}`)]),
    '',
    `Terms as of ${terms.asOf}: ${cacheSeconds === 0 ? 'no caching' : `cached for ${cacheSeconds} s${cacheIn === 'memory' ? ', in memory only' : ''}`}; ${describePrice(terms)}${attribution === '' ? '' : `; attribution: ${attribution}`}.`,
    ...(terms.unverified === undefined ? [] : [`Not verified: ${terms.unverified}.`]),
  ]
}

function describePrice({ pricePerCallMicros, isPriceUnknown }: CatalogueEntry['terms']): string {
  if (isPriceUnknown) return 'not free, at a price that we do not know'
  return pricePerCallMicros === 0 ? 'free' : `US$ ${pricePerCallMicros * MICROS_TO_DOLLARS_PER_1000} for 1,000 calls`
}

const presentTerms = (terms: CatalogueEntry['terms']) => ({
  cache_seconds: terms.cacheSeconds,
  cache_in: terms.cacheIn,
  attribution: terms.attribution,
  rate_limit: terms.rateLimit ? { calls: terms.rateLimit.calls, per_seconds: terms.rateLimit.perSeconds } : null,
  daily_calls: terms.dailyCalls ?? null,
  as_of: terms.asOf,
  unverified: terms.unverified ?? '',
})

const presentEntry = (entry: CatalogueEntry) => ({
  slug: entry.slug,
  name: entry.name,
  homepage: entry.homepage,
  state: entry.state,
  slots: entry.slots,
  tabs: entry.tabs.map(({ tab, filters, languages, pricePerCallMicros }) => ({
    tab,
    filters,
    languages: languages ?? null,
    price_per_call_micros: pricePerCallMicros,
  })),
  needs: entry.needs,
  missing: entry.missing,
  has_no_contract: entry.hasNoContract,
  terms: presentTerms(entry.terms),
})

const presentTrial = ({ skippedFor, ignoresRegion, terms, status, error, ...report }: TrialReport) => ({
  ...report,
  status: status ?? null,
  error: error ?? null,
  skipped_for: skippedFor ?? null,
  ...(ignoresRegion && { region: 'ignored' }),
  terms: presentTerms(terms),
})
