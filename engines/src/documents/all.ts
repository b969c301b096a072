// Every engine that is a document. One line each, alphabetical. They are valid: `check-document.test.ts` checks them, so
// that a start doesn't have to.

import artifacthub from '../../documents/artifacthub.json' with { type: 'json' }
import bookstack from '../../documents/bookstack.json' with { type: 'json' }
import bowerbird from '../../documents/bowerbird.json' with { type: 'json' }
import chatnoir from '../../documents/chatnoir.json' with { type: 'json' }
import codeberg from '../../documents/codeberg.json' with { type: 'json' }
import crates from '../../documents/crates.json' with { type: 'json' }
import datasette from '../../documents/datasette.json' with { type: 'json' }
import discourse from '../../documents/discourse.json' with { type: 'json' }
import dockerhub from '../../documents/dockerhub.json' with { type: 'json' }
import dokuwiki from '../../documents/dokuwiki.json' with { type: 'json' }
import elasticsearch from '../../documents/elasticsearch.json' with { type: 'json' }
import europeana from '../../documents/europeana.json' with { type: 'json' }
import flathub from '../../documents/flathub.json' with { type: 'json' }
import freshrss from '../../documents/freshrss.json' with { type: 'json' }
import github from '../../documents/github.json' with { type: 'json' }
import githubfree from '../../documents/githubfree.json' with { type: 'json' }
import gitlab from '../../documents/gitlab.json' with { type: 'json' }
import guardian from '../../documents/guardian.json' with { type: 'json' }
import gutendex from '../../documents/gutendex.json' with { type: 'json' }
import huggingface from '../../documents/huggingface.json' with { type: 'json' }
import internetarchive from '../../documents/internetarchive.json' with { type: 'json' }
import karakeep from '../../documents/karakeep.json' with { type: 'json' }
import keenable from '../../documents/keenable.json' with { type: 'json' }
import keenablefree from '../../documents/keenablefree.json' with { type: 'json' }
import kiwix from '../../documents/kiwix.json' with { type: 'json' }
import lemmy from '../../documents/lemmy.json' with { type: 'json' }
import linkding from '../../documents/linkding.json' with { type: 'json' }
import linkup from '../../documents/linkup.json' with { type: 'json' }
import linkwarden from '../../documents/linkwarden.json' with { type: 'json' }
import manticore from '../../documents/manticore.json' with { type: 'json' }
import mdn from '../../documents/mdn.json' with { type: 'json' }
import mediawiki from '../../documents/mediawiki.json' with { type: 'json' }
import meilisearch from '../../documents/meilisearch.json' with { type: 'json' }
import miniflux from '../../documents/miniflux.json' with { type: 'json' }
import mwmbl from '../../documents/mwmbl.json' with { type: 'json' }
import newsdata from '../../documents/newsdata.json' with { type: 'json' }
import nextcloud from '../../documents/nextcloud.json' with { type: 'json' }
import npm from '../../documents/npm.json' with { type: 'json' }
import ollama from '../../documents/ollama.json' with { type: 'json' }
import opensearch from '../../documents/opensearch.json' with { type: 'json' }
import openverse from '../../documents/openverse.json' with { type: 'json' }
import outline from '../../documents/outline.json' with { type: 'json' }
import paperless from '../../documents/paperless.json' with { type: 'json' }
import parallelfree from '../../documents/parallelfree.json' with { type: 'json' }
import pixabay from '../../documents/pixabay.json' with { type: 'json' }
import postgrest from '../../documents/postgrest.json' with { type: 'json' }
import quickwit from '../../documents/quickwit.json' with { type: 'json' }
import readeck from '../../documents/readeck.json' with { type: 'json' }
import solr from '../../documents/solr.json' with { type: 'json' }
import trilium from '../../documents/trilium.json' with { type: 'json' }
import typesense from '../../documents/typesense.json' with { type: 'json' }
import unsplash from '../../documents/unsplash.json' with { type: 'json' }
import wiby from '../../documents/wiby.json' with { type: 'json' }
import wikijs from '../../documents/wikijs.json' with { type: 'json' }
import zimi from '../../documents/zimi.json' with { type: 'json' }
import type { Engine } from '../engine.ts'
import type { EngineDocument } from './document-format.ts'
import { engineFrom } from './engine-from.ts'
import { extended } from './extend-document.ts'

const WRITTEN: readonly unknown[] = [
  artifacthub,
  bookstack,
  bowerbird,
  chatnoir,
  codeberg,
  crates,
  datasette,
  discourse,
  dockerhub,
  dokuwiki,
  elasticsearch,
  europeana,
  flathub,
  freshrss,
  github,
  githubfree,
  gitlab,
  guardian,
  gutendex,
  huggingface,
  internetarchive,
  karakeep,
  keenable,
  keenablefree,
  kiwix,
  lemmy,
  linkding,
  linkup,
  linkwarden,
  manticore,
  mdn,
  mediawiki,
  meilisearch,
  miniflux,
  mwmbl,
  newsdata,
  nextcloud,
  npm,
  ollama,
  opensearch,
  openverse,
  outline,
  paperless,
  parallelfree,
  pixabay,
  postgrest,
  quickwit,
  readeck,
  solr,
  trilium,
  typesense,
  unsplash,
  wiby,
  wikijs,
  zimi,
]

// The types that JSON is imported with know neither choices nor optional members; a test checks each against the format.
export const DOCUMENTS: readonly EngineDocument[] = WRITTEN.map(
  (document) => extended(document, WRITTEN) as EngineDocument,
)

export const DOCUMENT_ENGINES: readonly Engine[] = DOCUMENTS.map(engineFrom)
