// An OpenAPI tool server, as Open WebUI and others import it: an operation for each tool and a small document that takes a bearer
// token, instead of the whole API, whose document alone would fill a model's context.
import { createPageContents } from '../../api/endpoints/page-contents.ts'
import type { PageReading } from '../../api/page-reading.ts'
import type { Admit } from '../../api/pipeline/admission.ts'
import { sendJson } from '../../api/pipeline/send-json.ts'
import { VERSION } from '../../config/version.ts'
import { publicAddress } from '../../text/public-address.ts'
import { OPEN } from '../../text/surface.ts'
import { type CompatError, type CompatFrame, mountCompatRoute, readBodyAs } from '../mount-compat-route.ts'
import { answerTool, cardsTool, placeTool, translateTool } from './fact-tools.ts'
import { readTool, searchTool, suggestTool } from './search-tools.ts'
import { schemaOf, type Tool, type ToolServices } from './tool.ts'

const DOCUMENT_PATH = '/tools/openapi.json'
/** Space for the other members. */
const OTHER_BYTES = 16_384
/** Four bytes, percent-encoded or escaped. */
const MAX_BYTES_PER_CHARACTER = 12

/** Planning isn't offered here. */
type Services = Omit<ToolServices, 'planSearch'>

const describeError = ({ sentence }: CompatError) => ({ detail: sentence })

interface ToolServerParts {
  current: () => Services
  /** undefined: this instance reads no pages. */
  reader: PageReading | undefined
  admit: Admit
  publicUrl: string
}

export function mountToolServer(frame: CompatFrame, { current, reader, admit, publicUrl }: ToolServerParts): void {
  const maxBytes = current().translate.maxCharacters * MAX_BYTES_PER_CHARACTER + OTHER_BYTES
  const tools: readonly Tool<Services>[] = [
    searchTool(reader && createPageContents(reader, admit)),
    answerTool,
    cardsTool,
    placeTool,
    translateTool,
    suggestTool,
    ...(reader ? [readTool(reader)] : []),
  ]
  for (const tool of tools) mountTool(frame, tool, { current, maxBytes })
  const paths = Object.fromEntries(tools.map((tool) => [`/tools/${tool.name}`, { post: operationOf(tool) }]))
  frame.http.get(DOCUMENT_PATH, { config: { surface: OPEN } }, (request, reply) => {
    const document = toolDocument(publicAddress(request, publicUrl), paths)
    return sendJson(reply.header('Cache-Control', 'no-cache'), document)
  })
}

function mountTool(
  frame: CompatFrame,
  tool: Tool<Services>,
  { current, maxBytes }: Pick<ToolServerParts, 'current'> & { maxBytes: number },
): void {
  mountCompatRoute(frame, {
    path: `/tools/${tool.name}`,
    methods: ['POST'],
    scope: tool.scope,
    countedAs: tool.countedAs,
    fields: { names: Object.keys(tool.params.shape), maxBytes },
    begin() {
      const services = current()
      return {
        read: (request, fields) => readBodyAs(request, tool.params, fields),
        handle: async (call) => (await tool.run(call, services)).structured,
      }
    },
    send: sendJson,
    describeError,
  })
}

const toolDocument = (url: string, paths: object) => ({
  openapi: '3.1.0',
  info: { title: 'Bowerbird', version: VERSION, description: 'Search, instant answers, places and translation.' },
  servers: [{ url }],
  security: [{ bearer: [] }],
  paths,
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
})

const operationOf = ({ name, title, description, params, reply }: Tool<Services>) => ({
  operationId: name,
  summary: title,
  description,
  requestBody: { required: true, content: { 'application/json': { schema: schemaOf(params, 'input') } } },
  responses: { 200: { description: title, content: { 'application/json': { schema: schemaOf(reply, 'output') } } } },
})
