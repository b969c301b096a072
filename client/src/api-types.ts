// Names for what the OpenAPI document describes; schema.ts is generated from it.
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
export type MapsReply = Schemas['MapsReply']
export type Place = Schemas['Place']
export type TranslateReply = Schemas['TranslateReply']
export type TranslateLanguagesReply = Schemas['TranslateLanguagesReply']
/** One type for each kind of answer, told apart by `type`, and `OtherAnswer` for kinds that come later. */
export type InstantAnswer = NonNullable<Schemas['InstantReply']>
export type CardsReply = Schemas['CardsReply']
export type SuggestReply = Schemas['SuggestReply']
export type StatusReply = Schemas['StatusReply']
export type KeyReply = Schemas['KeyReply']
export type UsageReply = Schemas['UsageReply']
export type RootReply = Schemas['RootReply']

/** The parameters of an operation; several engines may also be a list. */
type ParamsOf<Name extends keyof operations> = {
  [Param in keyof QueryOf<Name>]: Param extends 'engine' ? string | readonly string[] : QueryOf<Name>[Param]
}
type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>

export type WebParams = ParamsOf<'web_search'>
export type ImagesParams = ParamsOf<'image_search'>
export type SimilarImagesParams = ParamsOf<'similar_image_search'>
export type NewsParams = ParamsOf<'news_search'>
export type VideosParams = ParamsOf<'video_search'>
export type MapsParams = ParamsOf<'maps'>
export type TranslateParams = ParamsOf<'translate'>
export type InstantParams = ParamsOf<'instant'>
export type CardsParams = ParamsOf<'cards'>
export type SuggestParams = ParamsOf<'suggest'>

/** What can be searched page by page and as a stream. */
export interface Tabs {
  web: { params: WebParams; body: WebReply }
  images: { params: ImagesParams; body: ImagesReply }
  news: { params: NewsParams; body: NewsReply }
  videos: { params: VideosParams; body: VideosReply }
}
export type Tab = keyof Tabs

/** What can be in a batch. */
export interface BatchEndpoints extends Tabs {
  maps: { params: MapsParams; body: MapsReply }
  translate: { params: TranslateParams; body: TranslateReply }
  instant: { params: InstantParams; body: InstantAnswer | null }
  cards: { params: CardsParams; body: CardsReply }
  suggest: { params: SuggestParams; body: SuggestReply }
}
