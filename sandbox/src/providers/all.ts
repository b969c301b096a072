// Every provider the sandbox simulates. One line each, alphabetical.
import { apertium } from './apertium.ts'
import { arxiv } from './arxiv.ts'
import { brave } from './brave.ts'
import { codeberg } from './codeberg.ts'
import { commons } from './commons.ts'
import { crates } from './crates.ts'
import { crossref } from './crossref.ts'
import { dailymotion } from './dailymotion.ts'
import { duckduckgo } from './duckduckgo.ts'
import { ecb } from './ecb.ts'
import { europepmc } from './europepmc.ts'
import { exa } from './exa.ts'
import { firecrawl, firecrawlfree } from './firecrawl.ts'
import { frankfurter } from './frankfurter.ts'
import { gdelt } from './gdelt.ts'
import { github, githubfree } from './github.ts'
import { gnews } from './gnews.ts'
import { hackernews } from './hackernews.ts'
import { jina } from './jina.ts'
import { kagi } from './kagi.ts'
import { langsearch } from './langsearch.ts'
import { libretranslate } from './libretranslate.ts'
import { marginalia } from './marginalia.ts'
import { mediathekview } from './mediathekview.ts'
import { mojeek } from './mojeek.ts'
import { niconico } from './niconico.ts'
import { nominatim } from './nominatim.ts'
import { npm } from './npm.ts'
import { openalex, openalexfree } from './openalex.ts'
import { openlibrary } from './openlibrary.ts'
import { openmeteo } from './openmeteo.ts'
import { openmeteoplaces } from './openmeteoplaces.ts'
import { openverse } from './openverse.ts'
import { peertube } from './peertube.ts'
import { perplexity } from './perplexity.ts'
import { pexels } from './pexels.ts'
import { photon } from './photon.ts'
import { searchapi, serpapi } from './searchapi.ts'
import { searxng } from './searxng.ts'
import { semanticscholar } from './semanticscholar.ts'
import { sepiasearch } from './sepiasearch.ts'
import { serper } from './serper.ts'
import { staan } from './staan.ts'
import { stackexchange } from './stackexchange.ts'
import { tavily, tavilyfree } from './tavily.ts'
import { webiq } from './webiq.ts'
import { wikidata } from './wikidata.ts'
import { wikipedia } from './wikipedia.ts'
import { wiktionary } from './wiktionary.ts'
import { worldnews } from './worldnews.ts'
import { yacy } from './yacy.ts'
import { you, youfree } from './you.ts'
import { youtube } from './youtube.ts'

export const ALL_PROVIDERS = [
  apertium,
  arxiv,
  brave,
  codeberg,
  commons,
  crates,
  crossref,
  dailymotion,
  duckduckgo,
  ecb,
  europepmc,
  exa,
  firecrawl,
  firecrawlfree,
  frankfurter,
  gdelt,
  github,
  githubfree,
  gnews,
  hackernews,
  jina,
  kagi,
  langsearch,
  libretranslate,
  marginalia,
  mediathekview,
  mojeek,
  niconico,
  nominatim,
  npm,
  openalex,
  openalexfree,
  openlibrary,
  openmeteo,
  openmeteoplaces,
  openverse,
  peertube,
  perplexity,
  pexels,
  photon,
  searchapi,
  searxng,
  semanticscholar,
  sepiasearch,
  serpapi,
  serper,
  staan,
  stackexchange,
  tavily,
  tavilyfree,
  webiq,
  wikidata,
  wikipedia,
  wiktionary,
  worldnews,
  yacy,
  you,
  youfree,
  youtube,
] as const
