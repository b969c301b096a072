// Renders docs/reference/engines.md from the engines' declarations.

import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import {
  type Engine,
  type EngineTab,
  type Filter,
  indexOf,
  TABS,
  type Tab,
  UNKNOWN_INDEX,
} from '@bowerbird/engines/engine.ts'
import { COUNTRIES, regionsTakenBy } from '../../server/src/search/regions.ts'

const FILTERS: readonly Filter[] = ['safe', 'date', 'lang']

type Abilities = Pick<
  EngineTab<unknown, unknown>,
  | 'honours'
  | 'byNature'
  | 'languages'
  | 'knowsDates'
  | 'hasTextInAnyLanguage'
  | 'siteOperators'
  | 'operators'
  | 'takesRegion'
>

const MOST_LANGUAGES = 8

function filterText(tab: Abilities, filter: Filter): string {
  if (tab.byNature?.includes(filter)) return `${filter}\\*`
  if (tab.honours.includes(filter)) return filter
  if (filter === 'date' && tab.knowsDates) return 'date†'
  return filter === 'lang' && tab.hasTextInAnyLanguage ? 'lang†' : ''
}

const languagesOf = ({ languages = [] }: Abilities): string => {
  if (languages.length === 0) return ''
  return languages.length > MOST_LANGUAGES ? ` (${languages.length} languages)` : ` (${languages.join(', ')})`
}

const regionsOf = (tab: Abilities): string => {
  const taken = regionsTakenBy([tab]).length
  if (taken === 0) return ''
  return taken === COUNTRIES.size ? ', region' : `, region (${taken} countries)`
}

const operatorsOf = ({ siteOperators, operators = [] }: Abilities): string => {
  const names = [...(siteOperators ? ['site'] : []), ...operators]
  return names.length === 0 ? '' : ` · ${names.join(', ')}`
}

const tabText = (name: Tab, tab: Abilities): string => {
  const filters = FILTERS.map((filter) => filterText(tab, filter)).filter(Boolean)
  return `**${name}** ${filters.join(', ')}${languagesOf(tab)}${regionsOf(tab)}${operatorsOf(tab)}`.trim()
}

const serves = ({ tabs, suggest }: Engine): string =>
  [
    ...TABS.flatMap((name) => {
      const tab = tabs[name]
      return tab ? [tabText(name, tab)] : []
    }),
    ...(suggest ? ['**suggest**'] : []),
  ].join('<br>')

const shownIndex = (engine: Engine): string => {
  const index = indexOf(engine)
  return index === engine.slug ? 'own' : index === UNKNOWN_INDEX ? 'not known' : `\`${index}\``
}

const needs = ({ settings }: Engine): string => {
  const missing = Object.values(settings).filter(({ fallback }) => fallback === undefined)
  return missing.map(({ env }) => `\`${env}\``).join(', ') || 'nothing'
}

const host = ({ settings }: Engine): string => {
  const address = settings.baseUrl.fallback
  return address === undefined ? 'yours' : `\`${new URL(address).hostname}\``
}

const duration = (seconds: number): string => {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

const cached = ({ terms: { cacheSeconds, cacheIn } }: Engine): string =>
  cacheSeconds === 0 ? 'never' : `${duration(cacheSeconds)}${cacheIn === 'memory' ? ', memory' : ''}`

const limits = ({ terms: { rateLimit, dailyCalls } }: Engine): string =>
  [
    rateLimit ? `${rateLimit.calls.toLocaleString('en')} in ${duration(rateLimit.perSeconds)}` : '',
    dailyCalls === undefined ? '' : `${dailyCalls} a day`,
  ]
    .filter(Boolean)
    .join(', ')

/** The price of 1,000 calls, and of tabs that cost more. */
function price({ terms: { pricePerCallMicros, isPriceUnknown }, tabs }: Engine): string {
  if (isPriceUnknown) return 'not known'
  if (pricePerCallMicros === 0) return ''
  const perThousand = (factor: number) => `${(pricePerCallMicros * factor) / 1000}`
  const special = TABS.flatMap((name) => {
    const factor = tabs[name]?.priceFactor
    return factor === undefined ? [] : [`${name} ${perThousand(factor)}`]
  })
  return [perThousand(1), ...special].join('; ')
}

const row = (engine: Engine): string =>
  `| \`${engine.slug}\` | [${engine.name}](${engine.homepage})${engine.hasNoContract ? ' ‡' : ''} | ${[
    serves(engine),
    shownIndex(engine),
    needs(engine),
    host(engine),
    cached(engine),
    limits(engine),
    price(engine),
    engine.terms.asOf,
    engine.terms.unverified ?? '',
  ].join(' | ')} |`

export const makeEnginesDocument = (): string => `# Search engines

Every engine that can be [bound to a slot](settings.md#search). \`npm run docs\` generates this page from what the
engines declare.

An engine is only asked if it can honour the filters of a search. \`safe\` is on by default, so an engine without it is only asked with
\`safe=off\`.

- \`*\`: by nature. There is nothing else in the index: a newspaper has no adult section, a broadcaster speaks one language, and a picture has
  none. Closed lists of news publishers and the text of encyclopaedias count as safe.
- \`†\`: Bowerbird does it, because the provider can't. It drops results that are too old, or that are clearly in another language.

- \`region\`: it can favour the results for a country, or keep to them. Some take a country only beside a language, or only one in which the language is
  spoken. The others are asked all the same, and \`Engine-Status\` says that the region has no effect on them. Without a language and a region,
  Firecrawl and Serper favour the United States.
- After \`·\`: the [operators](../set-up/website.md#operators) of the website that the provider understands. What the others find is checked. We
  declare only what a provider documents, so more may understand them.

"Index" is [whose index it shows](../set-up/engines.md#whose-index): its own, that of the engine or company named, or one that its provider doesn't tell, or several.

"Host" is the server that gets the queries, unless you set another. "Memory" means that a response is only kept in the process, because the provider's terms require it or we don't know what they say. Prices are
list prices in US dollars, without free allowances. Prices, limits and terms change: "as of" is when we last looked them up, and
"not verified" is what we couldn't try with the real provider or read on its own pages. The attribution that a provider requires is shown
with its results.

An engine whose name ends in \`free\` is the same vendor without a key. Its quota is per IP address and small: fine for one household, too
little for a public instance. When it's used up, the engine rests for an hour and the others answer.

\`‡\`: a company answers without a key. You have no contract with this company, so you have no promise about how it treats your users' queries. It
gets the query, its language and filters, and the address of your server. Of these, only DuckDuckGo is asked by default, for suggestions.

| name | provider | serves | index | needs | host | cached for | upstream rate limit | US$ per 1,000 | as of | not verified |
|---|---|---|---|---|---|---|---|---|---|---|
${ALL_ENGINES.map(row).join('\n')}
`
