// Every engine the operator can bind to a slot. One line each, alphabetical.
import { brave } from '../providers/engines/web/brave.ts'
import { commons } from './commons.ts'
import { duckduckgo } from '../providers/engines/web/duckduckgo.ts'
import type { Engine } from '../providers/engine.ts'
import { gdelt } from '../providers/engines/news/gdelt.ts'
import { hackernews } from '../providers/engines/news/hackernews.ts'
import { kagi } from '../providers/engines/web/kagi.ts'
import { marginalia } from '../providers/engines/web/marginalia.ts'
import { mojeek } from '../providers/engines/web/mojeek.ts'
import { openverse } from '../providers/engines/media/openverse.ts'
import { pixabay } from '../providers/engines/media/pixabay.ts'
import { searxng } from '../providers/engines/web/searxng.ts'
import { sepiasearch } from './sepiasearch.ts'
import { staan } from '../providers/engines/web/staan.ts'
import { wikipedia } from './wikipedia.ts'
import { worldnews } from '../providers/engines/news/worldnews.ts'

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
