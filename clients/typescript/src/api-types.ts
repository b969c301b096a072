// Names for what the OpenAPI document describes. `tools/make-client-types.ts` makes schema.ts from it, which isn't committed.
import type { components, operations } from './schema.ts'

type Schemas = components['schemas']

export type WebReply = Schemas['WebReply']
export type WebResult = Schemas['WebResult']
export type ImagesReply = Schemas['ImagesReply']
export type ImageResult = Schemas['ImageResult']
export type SimilarImagesReply = Schemas['SimilarImagesReply']
export type NewsReply = Schemas['NewsReply']
export type NewsResult = Schemas['NewsResult']
export type VideosReply = Schemas['VideosReply']
export type VideoResult = Schemas['VideosResult']
export type ScienceReply = Schemas['ScienceReply']
export type ScienceResult = Schemas['ScienceResult']
export type CodeReply = Schemas['CodeReply']
export type CodeResult = Schemas['CodeResult']
export type MineReply = Schemas['MineReply']
export type MineResult = Schemas['MineResult']
export type MapsReply = Schemas['MapsReply']
export type Place = Schemas['Place']
export type TranslateReply = Schemas['TranslateReply']
export type TranslateLanguagesReply = Schemas['TranslateLanguagesReply']
/** One type for each kind of answer, told apart by `type`, and `OtherAnswer` for kinds that come later. */
export type InstantAnswer = NonNullable<Schemas['InstantReply']>
export type CardsReply = Schemas['CardsReply']
export type SuggestReply = Schemas['SuggestReply']
export type ReadReply = Schemas['ReadReply']
export type PlanReply = Schemas['PlanReply']
export type StatusReply = Schemas['StatusReply']
export type KeyReply = Schemas['KeyReply']
export type UsageReply = Schemas['UsageReply']
export type RootReply = Schemas['RootReply']

/** What `include` can ask for, as far as the endpoint has it. */
export type Include = 'explain' | 'content' | 'date' | 'image'

/** What an operation takes, with lists for what may be several, and a boolean for what is on or off. */
type ParamsIn<Query> = {
  [Param in keyof Query]:
    | Query[Param]
    | (Param extends 'engine' | 'include_domains' | 'exclude_domains' | 'prefer_domains' ? readonly string[] : never)
    | (Param extends 'include' ? readonly Include[] : never)
    | (Param extends 'safe' ? boolean : never)
}
type ParamsOf<Name extends keyof operations> = ParamsIn<NonNullable<operations[Name]['parameters']['query']>>

export type WebParams = ParamsOf<'web_search'>
export type ImagesParams = ParamsOf<'image_search'>
export type SimilarImagesParams = ParamsOf<'similar_image_search'>
export type NewsParams = ParamsOf<'news_search'>
export type VideosParams = ParamsOf<'video_search'>
export type ScienceParams = ParamsOf<'science_search'>
export type CodeParams = ParamsOf<'code_search'>
export type MineParams = ParamsOf<'mine_search'>
export type MapsParams = ParamsOf<'maps'>
export type TranslateParams = ParamsOf<'translate'>
export type InstantParams = ParamsOf<'instant'>
export type CardsParams = ParamsOf<'cards'>
export type SuggestParams = ParamsOf<'suggest'>
export type ReadParams = ParamsOf<'read'>
export type PlanParams = ParamsOf<'plan'>

/** What can be searched page by page and as a stream. */
export interface Tabs {
  web: { params: WebParams; body: WebReply }
  images: { params: ImagesParams; body: ImagesReply }
  news: { params: NewsParams; body: NewsReply }
  videos: { params: VideosParams; body: VideosReply }
  science: { params: ScienceParams; body: ScienceReply }
  code: { params: CodeParams; body: CodeReply }
  mine: { params: MineParams; body: MineReply }
}
export type Tab = keyof Tabs
