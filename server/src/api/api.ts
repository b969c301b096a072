// The endpoints of the API, each built from the services that it uses, and the OpenAPI document that describes them. All of
// it is built again when settings change, with the same names: a route takes the endpoint of its name.
import type { Cards } from '../cards/cards.ts'
import type { InstantAnswers } from '../cards/instant-answers.ts'
import type { ProviderStatusBoard } from '../health/provider-status.ts'
import type { Maps } from '../maps/maps.ts'
import type { Search } from '../search/search.ts'
import type { Suggest } from '../search/suggest.ts'
import type { Translate } from '../translate/translate.ts'
import type { Endpoint } from './endpoint.ts'
import { cardsEndpoint } from './endpoints/cards-endpoint.ts'
import { imagesEndpoint, similarImagesEndpoint } from './endpoints/images-endpoint.ts'
import { instantEndpoint } from './endpoints/instant-endpoint.ts'
import { type KeyUsage, keyEndpoint } from './endpoints/key-endpoint.ts'
import { mapsEndpoint } from './endpoints/maps-endpoint.ts'
import { newsEndpoint } from './endpoints/news-endpoint.ts'
import { createPageContents } from './endpoints/page-contents.ts'
import { type PlanSearch, planEndpoint } from './endpoints/plan-endpoint.ts'
import { readEndpoint } from './endpoints/read-endpoint.ts'
import { rootEndpoint } from './endpoints/root-endpoint.ts'
import { statusEndpoint } from './endpoints/status-endpoint.ts'
import { suggestEndpoint } from './endpoints/suggest-endpoint.ts'
import { translateEndpoint, translateLanguagesEndpoint } from './endpoints/translate-endpoint.ts'
import { usageEndpoint } from './endpoints/usage-endpoint.ts'
import { videosEndpoint } from './endpoints/videos-endpoint.ts'
import { codeEndpoint, mineEndpoint, scienceEndpoint, webEndpoint } from './endpoints/web-endpoint.ts'
import { openapiDocument } from './openapi.ts'
import type { PageReading } from './page-reading.ts'
import type { Admit } from './pipeline/admission.ts'

export interface Api {
  /** By name. */
  endpoints: ReadonlyMap<string, Endpoint>
  /** The OpenAPI document, without `servers`. Made when it is first asked for, which takes a while. */
  openapi: () => object
}

interface ApiParts extends KeyUsage {
  search: Search
  /** The private engines; without any, it has no slots. */
  mine: Search
  maps: Maps
  translate: Translate
  answers: InstantAnswers
  cards: Cards
  suggest: Suggest
  planSearch: PlanSearch
  /** undefined: this instance reads no pages. */
  reader: PageReading | undefined
  admit: Admit
  status: Pick<ProviderStatusBoard, 'list'>
}

export function createApi(parts: ApiParts): Api {
  const { search, mine, maps, translate, answers, cards, suggest, planSearch, reader, admit, status } = parts
  const contents = reader && createPageContents(reader, admit)
  const endpoints = [
    webEndpoint(search, contents),
    imagesEndpoint(search),
    similarImagesEndpoint(search),
    newsEndpoint(search, contents),
    videosEndpoint(search),
    scienceEndpoint(search),
    codeEndpoint(search),
    mapsEndpoint(maps),
    translateEndpoint(translate),
    translateLanguagesEndpoint(translate),
    instantEndpoint(answers),
    cardsEndpoint(cards, search.slotNames),
    suggestEndpoint(suggest),
    mineEndpoint(mine),
    ...(reader ? [readEndpoint(reader)] : []),
    planEndpoint(planSearch, search.slotNames),
    statusEndpoint(status),
    keyEndpoint(parts),
    usageEndpoint(parts),
  ]
  const listed = endpoints.filter(({ isListed = true }) => isListed)
  const root = rootEndpoint(listed)
  let document: object | undefined
  return {
    endpoints: new Map([root, ...endpoints].map((endpoint) => [endpoint.name, endpoint])),
    openapi() {
      document ??= openapiDocument([root, ...listed])
      return document
    },
  }
}
