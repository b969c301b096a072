// Every engine an operator can bind to a slot: the adapters, one line each, alphabetical, and the documents, which have a
// list of their own.

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
import { codeberg } from './code/codeberg.ts'
import { crates } from './code/crates.ts'
import { github, githubfree } from './code/github.ts'
import { huggingface } from './code/huggingface.ts'
import { mdn } from './code/mdn.ts'
import { npm } from './code/npm.ts'
import { DOCUMENT_ENGINES } from './documents/all.ts'
import type { Engine } from './engine.ts'
import { commons } from './media/commons.ts'
import { dailymotion } from './media/dailymotion.ts'
import { europeana } from './media/europeana.ts'
import { mediathekview } from './media/mediathekview.ts'
import { niconico } from './media/niconico.ts'
import { openverse } from './media/openverse.ts'
import { peertube, sepiasearch } from './media/peertube.ts'
import { pexels } from './media/pexels.ts'
import { pixabay } from './media/pixabay.ts'
import { unsplash } from './media/unsplash.ts'
import { youtube } from './media/youtube.ts'
import { gdelt } from './news/gdelt.ts'
import { gnews } from './news/gnews.ts'
import { guardian } from './news/guardian.ts'
import { hackernews } from './news/hackernews.ts'
import { newsdata } from './news/newsdata.ts'
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
  codeberg,
  commons,
  crates,
  crossref,
  dailymotion,
  duckduckgo,
  europeana,
  europepmc,
  exa,
  firecrawl,
  firecrawlfree,
  gdelt,
  github,
  githubfree,
  gnews,
  guardian,
  hackernews,
  huggingface,
  jina,
  kagi,
  keenable,
  keenablefree,
  langsearch,
  linkup,
  marginalia,
  mdn,
  mediathekview,
  mojeek,
  newsdata,
  niconico,
  npm,
  ollama,
  openalex,
  openalexfree,
  openverse,
  peertube,
  perplexity,
  pexels,
  pixabay,
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
  unsplash,
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
