// Every data source. One line each, alphabetical.

import type { Source } from '../source.ts'
import { apertium } from './apertium.ts'
import { ecb } from './ecb.ts'
import { frankfurter } from './frankfurter.ts'
import { libretranslate } from './libretranslate.ts'
import { nominatim } from './nominatim.ts'
import { openlibrary } from './openlibrary.ts'
import { openmeteo } from './openmeteo.ts'
import { openmeteoplaces } from './openmeteoplaces.ts'
import { photon } from './photon.ts'
import { stackexchange } from './stackexchange.ts'
import { wikidata } from './wikidata.ts'
import { wikipediaArticles } from './wikipedia-articles.ts'
import { wiktionary } from './wiktionary.ts'

export const ALL_SOURCES: readonly Source[] = [
  apertium,
  ecb,
  frankfurter,
  libretranslate,
  nominatim,
  openlibrary,
  openmeteo,
  openmeteoplaces,
  photon,
  stackexchange,
  wikidata,
  wikipediaArticles,
  wiktionary,
]
