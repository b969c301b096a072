// All tools, in the order of the list of tools, and the queries that open them.
import type { InstantAnswer } from '@bowerbird/answers/answers.ts'
import { fold } from '@bowerbird/answers/question.ts'
import { calculatorTool } from './calculator-tool.ts'
import { colourTool } from './colour-tool.ts'
import { currencyTool } from './currency-tool.ts'
import type { Tool, ToolParams } from './define-tool.ts'
import { qrCodeTool } from './qr-code-tool.ts'
import { timerTool } from './timer-tool.ts'
import { unitsTool } from './units-tool.ts'

export const TOOLS: readonly Tool[] = [calculatorTool, unitsTool, currencyTool, timerTool, colourTool, qrCodeTool]

const toolsByCall = new Map(TOOLS.flatMap((tool) => callsOf(tool).map((call) => [call, tool] as const)))

/** The queries that open a tool, as they are compared. */
export function callsOf({ calls }: Tool): string[] {
  return Object.values(calls).flat().map(fold)
}

/** Longer than any name of a tool. */
const MAX_CALL_LENGTH = 60

export const toolCalledBy = (query: string): Tool | undefined =>
  query.length > MAX_CALL_LENGTH ? undefined : toolsByCall.get(fold(query).trim().replace(/\s+/g, ' '))

export interface OpenedTool {
  tool: Tool
  params: Partial<ToolParams>
}

/** The tool that is shown in place of an instant answer. */
export function toolForAnswer(answer: InstantAnswer): OpenedTool | undefined {
  for (const tool of TOOLS) {
    const params = tool.paramsOf?.(answer)
    if (params) return { tool, params }
  }
  return undefined
}
