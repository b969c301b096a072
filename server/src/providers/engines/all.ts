// Every engine the operator can bind to a slot. One line each, alphabetical.

import type { Engine } from '../engine.ts'
import { exa } from './ai-search/exa.ts'
import { firecrawl, firecrawlfree } from './ai-search/firecrawl.ts'
import { jina } from './ai-search/jina.ts'
import { keenable, keenablefree } from './ai-search/keenable.ts'
import { langsearch } from './ai-search/langsearch.ts'
import { linkup } from './ai-search/linkup.ts'
import { ollama } from './ai-search/ollama.ts'
import { perplexity } from './ai-search/perplexity.ts'
import { tavily, tavilyfree } from './ai-search/tavily.ts'
import { you, youfree } from './ai-search/you.ts'
import { commons } from './media/commons.ts'
import { dailymotion } from './media/dailymotion.ts'
import { europeana } from './media/europeana.ts'
import { mediathekview } from './media/mediathekview.ts'
import { niconico } from './media/niconico.ts'
import { openverse } from './media/openverse.ts'
import { peertube } from './media/peertube.ts'
import { pexels } from './media/pexels.ts'
import { pixabay } from './media/pixabay.ts'
import { sepiasearch } from './media/sepiasearch.ts'
import { unsplash } from './media/unsplash.ts'
import { youtube } from './media/youtube.ts'
import { gdelt } from './news/gdelt.ts'
import { gnews } from './news/gnews.ts'
import { guardian } from './news/guardian.ts'
import { hackernews } from './news/hackernews.ts'
import { newsdata } from './news/newsdata.ts'
import { worldnews } from './news/worldnews.ts'
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

export const ALL_ENGINES: readonly Engine[] = [
  brave,
  commons,
  dailymotion,
  duckduckgo,
  europeana,
  exa,
  firecrawl,
  firecrawlfree,
  gdelt,
  gnews,
  guardian,
  hackernews,
  jina,
  kagi,
  keenable,
  keenablefree,
  langsearch,
  linkup,
  marginalia,
  mediathekview,
  mojeek,
  newsdata,
  niconico,
  ollama,
  openverse,
  peertube,
  perplexity,
  pexels,
  pixabay,
  searchapi,
  searxng,
  sepiasearch,
  serpapi,
  serper,
  staan,
  stackexchange,
  tavily,
  tavilyfree,
  unsplash,
  webiq,
  wikipedia,
  worldnews,
  yacy,
  you,
  youfree,
  youtube,
]
