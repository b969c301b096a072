// GET /tools, the list of tools, and a page for each; and a tool above the results of a search for it.
import { z } from 'zod'
import { type ExtraScript, extraStylePath } from '../assets.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, type PageContext, type View } from '../http/page.ts'
import { pathOf, TOOLS_PATH, type Tool, type ToolParams, type ToolParts } from './define-tool.ts'
import { TOOLS } from './tools.ts'

const listPage = definePage({
  method: 'GET',
  path: TOOLS_PATH,
  access: 'searcher',
  handle({ words }) {
    const { label, intro } = words.tools
    const rows = TOOLS.map(
      (tool) => html`<dt><a href="${pathOf(tool)}">${tool.title(words)}</a></dt><dd>${tool.summary(words)}</dd>`,
    )
    const body = html`<div class="prose"><h1>${label}</h1><p>${intro}</p><dl class="operators-list">${rows}</dl></div>`
    return { title: label, body }
  },
})

const field = z.preprocess((value) => (Array.isArray(value) ? value[0] : value), z.string().catch(''))

/** Of its fields; made once, because its pages are made anew with the settings. */
const TOOL_SCHEMAS = TOOLS.map((tool) => ({
  tool,
  schema: z.object(Object.fromEntries(tool.fields.map((name) => [name, field]))),
}))

function pagesOf(parts: ToolParts, { tool, schema }: (typeof TOOL_SCHEMAS)[number]): Page[] {
  const { quota } = tool
  const shared = { path: pathOf(tool), access: 'searcher' as const }
  const metered = quota && { quota }
  if (tool.method !== 'POST') {
    const handle = (context: PageContext<ToolParams>) => viewOf(parts, context, { tool, params: context.query })
    return [definePage({ ...shared, ...metered, method: 'GET', query: schema, handle })]
  }
  return [
    definePage({ ...shared, method: 'GET', handle: (context) => viewOf(parts, context, { tool }) }),
    definePage({
      ...shared,
      ...metered,
      method: 'POST',
      form: () => schema,
      handle: (context) => viewOf(parts, context, { tool, params: context.form.ok ? context.form.values : {} }),
    }),
  ]
}

export const toolPages = (parts: ToolParts): Page[] => [
  listPage,
  ...TOOL_SCHEMAS.flatMap((each) => pagesOf(parts, each)),
]

interface FilledTool {
  tool: Tool
  params?: Partial<ToolParams>
}

async function viewOf(parts: ToolParts, context: PageContext, { tool, params = {} }: FilledTool): Promise<View> {
  const title = tool.title(context.words)
  const { tool: shown, ...rest } = await showTool(parts, context, { tool, params, heading: html`<h1>${title}</h1>` })
  const body = html`${shown}<p class="quiet"><a href="${TOOLS_PATH}">${context.words.tools.all}</a></p>`
  return { title, body, ...rest }
}

export interface ShownTool {
  tool: Html
  scripts: readonly ExtraScript[]
  styles: readonly string[]
  headers: Record<string, string>
}

/** Above the results, it leads to its own page, which can be bookmarked. */
export const toolAboveResults = (
  parts: ToolParts,
  context: PageContext,
  { tool, params = {} }: FilledTool,
): Promise<ShownTool> =>
  showTool(parts, context, {
    tool,
    params,
    heading: html`<h2 class="answer-question"><a href="${pathOf(tool)}">${tool.title(context.words)}</a></h2>`,
  })

async function showTool(
  parts: ToolParts,
  context: PageContext,
  { tool, params, heading }: Required<FilledTool> & { heading: Html },
): Promise<ShownTool> {
  const { script, method } = tool
  const filled = Object.fromEntries(tool.fields.map((name) => [name, params[name] ?? '']))
  const view = await tool.view(context, filled, parts)
  return {
    tool: html`<section class="answer tool" aria-label="${tool.title(context.words)}" data-tool="${tool.name}" data-locale="${context.locale}">${heading}
${view}</section>`,
    scripts: script ? [script] : [],
    styles: [extraStylePath('tools')],
    headers: method === 'POST' ? { 'Cache-Control': 'no-store' } : {},
  }
}
