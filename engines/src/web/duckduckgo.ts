// DuckDuckGo: its search bar's completions. JSON over HTTP, no key. Its search has no API, so only completions are
// used. This endpoint is undocumented too, but has been stable for years; it may disappear or refuse us any day. A
// language is favoured through a region (`kl`), never filtered for, so all languages are accepted.

import { defineEngine } from '../engine.ts'
import { openSearchCompletions } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { setting } from '../setting.ts'

const WHOLE_WORLD = 'wt-wt'

/** Every `kl` of the form region-language whose codes match ours. */
const REGIONS = new Set(
  (
    'ar-es at-de au-en be-fr be-nl bg-bg br-pt ca-en ca-fr ch-de ch-fr ch-it cl-es co-es de-de ee-et es-es fi-fi ' +
    'fr-fr hr-hr hu-hu id-en id-id ie-en in-en it-it lt-lt lv-lv mx-es my-en my-ms nl-nl no-no nz-en pe-es ph-en pl-pl ' +
    'pt-pt ro-ro ru-ru sg-en sk-sk th-th tr-tr us-en za-en'
  ).split(' '),
)

/** Languages whose home region isn't of the form `it-it`, and tags that DuckDuckGo spells differently. */
const REGION_EXCEPTIONS = new Map(
  Object.entries({
    ar: 'xa-ar',
    ca: 'ct-ca',
    cs: 'cz-cs',
    da: 'dk-da',
    el: 'gr-el',
    en: 'us-en',
    'en-GB': 'uk-en',
    et: 'ee-et',
    he: 'il-he',
    ja: 'jp-jp',
    ko: 'kr-kr',
    ms: 'my-ms',
    nb: 'no-no',
    sl: 'sl-sl',
    sv: 'se-sv',
    uk: 'ua-uk',
    vi: 'vn-vi',
    zh: 'cn-zh',
    'zh-HK': 'hk-tzh',
    'zh-TW': 'tw-tzh',
  }),
)

const regionFor = (lang: string): string => {
  const { base, region } = languageTag(lang)
  const exact = `${region.toLowerCase()}-${base}`
  const home = `${base}-${base}`
  return (
    REGION_EXCEPTIONS.get(`${base}-${region}`) ??
    (REGIONS.has(exact) ? exact : undefined) ??
    REGION_EXCEPTIONS.get(base) ??
    (REGIONS.has(home) ? home : WHOLE_WORLD)
  )
}

export const duckduckgo = defineEngine({
  slug: 'duckduckgo',
  name: 'DuckDuckGo',
  homepage: 'https://duckduckgo.com',
  hasNoContract: true,
  settings: { baseUrl: setting('DUCKDUCKGO_URL', 'https://duckduckgo.com') },
  terms: { cacheSeconds: 3600, cacheIn: 'shared', pricePerCallMicros: 0, attribution: '', asOf: '2026-11-15' },
  tabs: {},
  suggest: {
    request: ({ text, lang }) => getJson('/ac/', { q: text, type: 'list', kl: regionFor(lang) }),
    parse: openSearchCompletions,
  },
})
