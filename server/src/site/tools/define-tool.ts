// A tool is an answer that people work with: a timer, a calculator. It is one declared object, in a file of its
// own, and a line in `tools.ts`. Two places show it: its page, /tools/<name>, and the results of a search for one of its
// names. It is a form that works by itself; a script of its own may make it quicker to use, or let it run.
import type { InstantAnswer } from '@bowerbird/answers/answers.ts'
import type { Exchange } from '@bowerbird/answers/live/exchange.ts'
import type { Quota } from '../../rate-limit/searcher-limits.ts'
import type { ExtraScript } from '../assets.ts'
import type { Html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import type { Words } from '../i18n/messages.ts'

/** What was filled in; '' for a field that wasn't, and for all of them when the tool is opened. */
export type ToolParams<Field extends string = string> = Readonly<Record<Field, string>>

/** What tools ask. */
export interface ToolParts {
  exchange: Exchange
}

export interface Tool<Field extends string = string> {
  /** The last part of its path. The paths of the tool server (`compat/tools/`) are taken. */
  name: string
  title: (words: Words) => string
  /** One line for the list of tools. */
  summary: (words: Words) => string
  /**
   * The queries that open it, by language, also in those that the website isn't in. A query has to be one of them as a whole, whatever its case, accents and
   * spaces; so a name that people also search pages for, such as `time`, is not among them.
   */
  calls: Readonly<Record<string, readonly string[]>>
  /** The names of its fields, in the URL or, with `POST`, in the body. */
  fields: readonly Field[]
  /** For what must be in no URL: the form is sent by POST, and the page it leads to is never stored. */
  method?: 'POST'
  /** If it asks a provider or is expensive. */
  quota?: Quota
  /** Loaded only where the tool is shown. */
  script?: ExtraScript
  /** The fields for an instant answer that this tool is shown in place of; undefined: it is not one for this tool. */
  paramsOf?: (answer: InstantAnswer) => Partial<ToolParams<Field>> | undefined
  /**
   * The form and what came of it, without a heading. Its form leads to the path of the tool. What only works with
   * script has the class `needs-script`, and a `noscript` says what it would do.
   */
  view(context: PageContext, params: ToolParams<Field>, parts: ToolParts): Html | Promise<Html>
}

export const defineTool = <const Field extends string>(tool: Tool<Field>): Tool<Field> => tool

export const TOOLS_PATH = '/tools'

export const pathOf = ({ name }: Pick<Tool, 'name'>): string => `${TOOLS_PATH}/${name}`
