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
import { europeana } from './europeana.ts'
import { europepmc } from './europepmc.ts'
import { exa } from './exa.ts'
import { firecrawl, firecrawlfree } from './firecrawl.ts'
import { frankfurter } from './frankfurter.ts'
import { gdelt } from './gdelt.ts'
import { github, githubfree } from './github.ts'
import { gnews } from './gnews.ts'
import { guardian } from './guardian.ts'
import { hackernews } from './hackernews.ts'
import { huggingface } from './huggingface.ts'
import { jina } from './jina.ts'
import { kagi } from './kagi.ts'
import { keenable, keenablefree } from './keenable.ts'
import { langsearch } from './langsearch.ts'
import { libretranslate } from './libretranslate.ts'
import { linkup } from './linkup.ts'
import { marginalia } from './marginalia.ts'
import { mdn } from './mdn.ts'
import { mediathekview } from './mediathekview.ts'
import { mojeek } from './mojeek.ts'
import { newsdata } from './newsdata.ts'
import { niconico } from './niconico.ts'
import { nominatim } from './nominatim.ts'
import { npm } from './npm.ts'
import { ollama } from './ollama.ts'
import { openalex, openalexfree } from './openalex.ts'
import { openlibrary } from './openlibrary.ts'
import { openmeteo } from './openmeteo.ts'
import { openmeteoplaces } from './openmeteoplaces.ts'
import { openverse } from './openverse.ts'
import { peertube } from './peertube.ts'
import { perplexity } from './perplexity.ts'
import { pexels } from './pexels.ts'
import { photon } from './photon.ts'
import { pixabay } from './pixabay.ts'
import { searchapi, serpapi } from './searchapi.ts'
import { searxng } from './searxng.ts'
import { semanticscholar } from './semanticscholar.ts'
import { sepiasearch } from './sepiasearch.ts'
import { serper } from './serper.ts'
import { staan } from './staan.ts'
import { stackexchange } from './stackexchange.ts'
import { tavily, tavilyfree } from './tavily.ts'
import { unsplash } from './unsplash.ts'
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
  europeana,
  europepmc,
  exa,
  firecrawl,
  firecrawlfree,
  frankfurter,
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
  libretranslate,
  linkup,
  marginalia,
  mdn,
  mediathekview,
  mojeek,
  newsdata,
  niconico,
  nominatim,
  npm,
  ollama,
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
  wikidata,
  wikipedia,
  wiktionary,
  worldnews,
  yacy,
  you,
  youfree,
  youtube,
] as const
