// Every engine an operator can bind to a slot: the adapters, one line each, alphabetical, and the documents, which have a
// list of their own.

import { exa } from './ai-search/exa.ts'
import { firecrawl, firecrawlfree } from './ai-search/firecrawl.ts'
import { jina } from './ai-search/jina.ts'
import { langsearch } from './ai-search/langsearch.ts'
import { perplexity } from './ai-search/perplexity.ts'
import { tavily, tavilyfree } from './ai-search/tavily.ts'
import { you, youfree } from './ai-search/you.ts'
import { DOCUMENT_ENGINES } from './documents/all.ts'
import type { Engine } from './engine.ts'
import { commons } from './media/commons.ts'
import { dailymotion } from './media/dailymotion.ts'
import { mediathekview } from './media/mediathekview.ts'
import { niconico } from './media/niconico.ts'
import { peertube, sepiasearch } from './media/peertube.ts'
import { pexels } from './media/pexels.ts'
import { youtube } from './media/youtube.ts'
import { gdelt } from './news/gdelt.ts'
import { gnews } from './news/gnews.ts'
import { hackernews } from './news/hackernews.ts'
import { worldnews } from './news/worldnews.ts'
import { arxiv } from './science/arxiv.ts'
import { crossref } from './science/crossref.ts'
import { europepmc } from './science/europepmc.ts'
import { openalex, openalexfree } from './science/openalex.ts'
import { semanticscholar } from './science/semanticscholar.ts'
import { brave } from './web/brave.ts'
import { duckduckgo } from './web/duckduckgo.ts'
import { kagi } from './web/kagi.ts'
import { marginalia } from './web/marginalia.ts'
import { mojeek } from './web/mojeek.ts'
import { searchapi, serpapi } from './web/searchapi.ts'
import { searxng } from './web/searxng.ts'
import { serper } from './web/serper.ts'
import { staan } from './web/staan.ts'
import { stackexchange } from './web/stackexchange-search.ts'
import { webiq } from './web/webiq.ts'
import { wikipedia } from './web/wikipedia.ts'
import { yacy } from './web/yacy.ts'

const ADAPTERS: readonly Engine[] = [
  arxiv,
  brave,
  commons,
  crossref,
  dailymotion,
  duckduckgo,
  europepmc,
  exa,
  firecrawl,
  firecrawlfree,
  gdelt,
  gnews,
  hackernews,
  jina,
  kagi,
  langsearch,
  marginalia,
  mediathekview,
  mojeek,
  niconico,
  openalex,
  openalexfree,
  peertube,
  perplexity,
  pexels,
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
  wikipedia,
  worldnews,
  yacy,
  you,
  youfree,
  youtube,
]

export const ALL_ENGINES: readonly Engine[] = [...ADAPTERS, ...DOCUMENT_ENGINES].sort((a, b) =>
  a.slug < b.slug ? -1 : 1,
)
