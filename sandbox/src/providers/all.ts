// Every provider the sandbox can play. One line each, alphabetical.
import { apertium } from './apertium.ts'
import { brave } from './brave.ts'
import { commons } from './commons.ts'
import { duckduckgo } from './duckduckgo.ts'
import { ecb } from './ecb.ts'
import { frankfurter } from './frankfurter.ts'
import { gdelt } from './gdelt.ts'
import { hackernews } from './hackernews.ts'
import { kagi } from './kagi.ts'
import { libretranslate } from './libretranslate.ts'
import { marginalia } from './marginalia.ts'
import { mojeek } from './mojeek.ts'
import { nominatim } from './nominatim.ts'
import { openlibrary } from './openlibrary.ts'
import { openmeteo } from './openmeteo.ts'
import { openmeteoplaces } from './openmeteoplaces.ts'
import { openverse } from './openverse.ts'
import { photon } from './photon.ts'
import { pixabay } from './pixabay.ts'
import { searxng } from './searxng.ts'
import { sepiasearch } from './sepiasearch.ts'
import { staan } from './staan.ts'
import { stackexchange } from './stackexchange.ts'
import { wikidata } from './wikidata.ts'
import { wikipedia } from './wikipedia.ts'
import { wiktionary } from './wiktionary.ts'
import { worldnews } from './worldnews.ts'

export const ALL_PROVIDERS = [
  apertium,
  brave,
  commons,
  duckduckgo,
  ecb,
  frankfurter,
  gdelt,
  hackernews,
  kagi,
  libretranslate,
  marginalia,
  mojeek,
  nominatim,
  openlibrary,
  openmeteo,
  openmeteoplaces,
  openverse,
  photon,
  pixabay,
  searxng,
  sepiasearch,
  staan,
  stackexchange,
  wikidata,
  wikipedia,
  wiktionary,
  worldnews,
] as const
