// Every engine the operator can bind to a slot. One line each, alphabetical.
import { brave } from './brave.ts'
import { commons } from './commons.ts'
import { duckduckgo } from './duckduckgo.ts'
import type { Engine } from './engine.ts'
import { gdelt } from './gdelt.ts'
import { hackernews } from './hackernews.ts'
import { kagi } from './kagi.ts'
import { marginalia } from './marginalia.ts'
import { mojeek } from './mojeek.ts'
import { openverse } from './openverse.ts'
import { pixabay } from './pixabay.ts'
import { searxng } from './searxng.ts'
import { sepiasearch } from './sepiasearch.ts'
import { staan } from './staan.ts'
import { wikipedia } from './wikipedia.ts'
import { worldnews } from './worldnews.ts'

export const ALL_ENGINES: readonly Engine[] = [
  brave,
  commons,
  duckduckgo,
  gdelt,
  hackernews,
  kagi,
  marginalia,
  mojeek,
  openverse,
  pixabay,
  searxng,
  sepiasearch,
  staan,
  wikipedia,
  worldnews,
]
