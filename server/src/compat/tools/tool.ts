// A tool that a language model may call: its purpose, its parameters and its result, as text for a model and as JSON
// for a program. The MCP server and the OpenAPI tool server share them. Every call is one request of the API: it needs that endpoint's scope and counts as its usage.
import { visibleText } from '@bowerbird/reader/visible-text.ts'
import { z } from 'zod'
import type { Call } from '../../api/endpoint.ts'
import type { PlanSearch } from '../../api/endpoints/plan-endpoint.ts'
import type { Cards } from '../../cards/cards.ts'
import type { InstantAnswers } from '../../cards/instant-answers.ts'
import type { Scope } from '../../keys/scopes.ts'
import type { Maps } from '../../maps/maps.ts'
import type { Search } from '../../search/search.ts'
import type { Suggest } from '../../search/suggest.ts'
import type { Translate } from '../../translate/translate.ts'

interface ToolResult {
  /** For a model. In a list, each text from a page is on one line, so that no page can pretend to be another result. */
  text: string
  /** For a program; follows the tool's `reply`. */
  structured: Record<string, unknown>
}

/** What a tool may use of a request. */
type ToolCall<Params> = Pick<Call<Params>, 'params' | 'key' | 'caller' | 'client' | 'setHeader'>

/** The services of all tools. Each takes those that it uses, of when the call began: they change with the settings. */
export interface ToolServices {
  search: Search
  planSearch: PlanSearch
  suggest: Suggest
  maps: Maps
  translate: Translate
  answers: InstantAnswers
  cards: Cards
}

export interface Tool<Services = ToolServices, Params extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  params: Params
  reply: z.ZodObject
  scope: Scope
  /** The endpoint that a call is counted under; undefined: it isn't counted. */
  countedAs: (params: z.output<Params>) => string | undefined
  run: (call: ToolCall<z.output<Params>>, services: Services) => Promise<ToolResult>
}

/** The type of the parameters is known to the tool alone: its own schema parses them before its `run`. */
export const defineTool = <Services, Params extends z.ZodObject>(tool: Tool<Services, Params>): Tool<Services> => tool

/** Leaves out members that clients have no use for and that would cost a model tokens. */
export function schemaOf(type: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _schema, additionalProperties: _closed, ...schema } = z.toJSONSchema(type, { io })
  return schema
}

/**
 * Puts text from a page on one line, without characters that are invisible or change the direction of writing: in a list
 * for a language model, a page must not be able to add lines. Nor may it add a picture, which a program that shows the
 * text as Markdown would load, from an address that can carry what the model knows.
 */
export const oneLine = (text: string): string => visibleText(text).replace(/\s+/g, ' ').replaceAll('![', '!\\[').trim()
