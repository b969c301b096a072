// GET /docs, /docs/api/<name>, /docs/connect, /llms.txt: how to use the API, with this instance's URL filled in. The reference is
// generated from the OpenAPI document, so the two can't contradict each other; both are in English. The pages are open to
// anyone and take milliseconds to make, so each is made once in each language.

import { PageError } from '../http/error-pages.ts'
import { Html, html, joined, type Piece } from '../http/html.ts'
import { definePage, type Page, type PageContext } from '../http/page.ts'
import { wordsIn } from '../i18n/messages.ts'
import { type Column, dataTable } from '../parts/data-table.ts'
import { copyable } from '../parts/notice.ts'
import { type ApiField, type ApiOperation, type ApiParameter, readApiDocument } from './api-document.ts'
import { llmsTxt } from './llms-txt.ts'
import { KEY_PLACEHOLDER, type ProgramLines, programsFor } from './program-lines.ts'

/** For endpoints whose parameters' own examples wouldn't make a good first request. */
const EXAMPLE_QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  maps: { q: 'Eiffel Tower' },
  translate: { q: 'hello', target: 'fr' },
  instant: { q: '100 usd to eur' },
  cards: { q: 'Eiffel Tower' },
  similar_image_search: { q: 'glacier' },
}

const DOCUMENT_PATH = '/api/v1/openapi.json'

/** Stands for this instance's URL in the bodies that are made once. */
const OWN_URL = 'https://this-instance.invalid'

/** What is made once for an OpenAPI document. */
interface Reference {
  operations: ApiOperation[]
  /** By language and page. */
  bodies: Map<string, Html>
}

const references = new WeakMap<object, Reference>()

function referenceOf(context: Pick<DocsContext, 'openapi'>): Reference {
  const openapi = context.openapi()
  const made = references.get(openapi) ?? { operations: readApiDocument(openapi), bodies: new Map() }
  references.set(openapi, made)
  return made
}

const operationsOf = (context: Pick<DocsContext, 'openapi'>): ApiOperation[] => referenceOf(context).operations

/** What the pages depend on: nothing of the request but its language. */
type DocsContext = Pick<PageContext, 'openapi' | 'words' | 'language' | 'baseUrl'>

/** Makes a body, or takes the one made before and fills in the URL of this request. */
function bodyOf({ openapi, language, baseUrl }: PageContext, page: string, make: (context: DocsContext) => Html): Html {
  const { bodies } = referenceOf({ openapi })
  const name = `${language} ${page}`
  const body = bodies.get(name) ?? make({ openapi, words: wordsIn(language), language, baseUrl: OWN_URL })
  bodies.set(name, body)
  const own = html`${baseUrl}`.text
  return new Html(body.text.replaceAll(OWN_URL, () => own))
}

const docsPage = definePage({
  method: 'GET',
  path: '/docs',
  access: 'anyone',
  handle: (context) => ({
    title: context.words.docs.title,
    isTagged: true,
    body: bodyOf(context, 'start', startBody),
  }),
})

function startBody(context: DocsContext): Html {
  const text = context.words.docs
  const operations = operationsOf(context)
  const first = operations.find(({ name }) => name === 'web_search')
  return html`<div class="docs"><h1>${text.title}</h1><p>${text.intro}</p>
<h2>${text.startTitle}</h2><ol class="docs-steps">
<li><p>${text.stepKey} <a href="/settings/keys">${text.stepKeyLink}</a></p></li>
<li><p>${text.stepAsk}</p>${first && exampleBlock(context, examplesOf(first, context.baseUrl)[0])}</li>
<li><p>${text.stepRead}</p></li></ol>
<h2>${text.referenceTitle}</h2><p>${text.referenceHelp} <a href="${DOCUMENT_PATH}">${text.documentLink}</a></p>
<ul class="docs-list" lang="en">${operations.map(operationLine)}</ul>
<h2>${text.errorsTitle}</h2><p>${text.errorsHelp}</p>${errorTable(context, first)}
<h2>${text.limitsTitle}</h2><p>${text.limitsHelp}</p>
<h2>${text.connectTitle}</h2><p>${text.connectHelp} <a href="/docs/connect">${text.connectLink}</a></p></div>`
}

const operationLine = ({ name, methods, path, summary }: ApiOperation): Html =>
  html`<li><a href="/docs/api/${name}">${summary}</a> <code>${methods} ${path}</code></li>`

const referencePage = definePage({
  method: 'GET',
  path: '/docs/api/:name',
  access: 'anyone',
  handle(context) {
    const operation = operationsOf(context).find(({ name }) => name === context.params['name'])
    if (!operation) throw new PageError('notFound')
    const body = bodyOf(context, operation.name, (texts) => referenceBody(texts, operation))
    return { title: operation.summary, isTagged: true, layout: 'wide', body }
  },
})

const referenceBody = (context: DocsContext, operation: ApiOperation): Html =>
  html`<div class="settings"><div class="settings-nav">${endpointList(context, operation)}</div>
${reference(context, operation)}</div>`

const endpointList = (context: DocsContext, current: ApiOperation): Html =>
  html`<nav aria-label="${context.words.docs.referenceTitle}"><ul lang="en">${operationsOf(context).map(({ name, summary }) => html`<li><a href="/docs/api/${name}"${name === current.name && html` aria-current="page"`}>${summary}</a></li>`)}</ul></nav>`

/** What the API's document says is in English, whatever the language of the page; screen readers need to know. */
function reference(context: DocsContext, operation: ApiOperation): Html {
  const text = context.words.docs
  const { summary, methods, path, description, parameters, fields, shape, kinds, headers } = operation
  return html`<article class="docs"><p><a href="/docs">${text.title}</a></p><h1 lang="en">${summary}</h1>
<p><code class="docs-path">${methods} ${path}</code></p>${context.language !== 'en' && html`<p class="quiet">${text.inEnglish}</p>`}<p lang="en">${withCodeElements(description)}</p>
<h2>${text.examplesTitle}</h2>${examplesOf(operation, context.baseUrl).map((example) => exampleBlock(context, example))}
${parameters.length > 0 && html`<h2>${text.parametersTitle}</h2>${dataTable(text.parametersTitle, parameterColumns(context), parameters)}`}
${fields.length > 0 && html`<h2>${text.fieldsTitle}</h2>${shape !== '' && copyable(shape, context.words.frame, text.fieldsTitle)}${dataTable(text.fieldsTitle, fieldColumns(context), fields)}`}
${kinds.length > 0 && html`<h2>${text.kindsTitle}</h2><dl class="docs-kinds" lang="en">${kinds.map((kind) => html`<dt><code>${kind.name}</code></dt><dd>${withCodeElements(kind.description)}</dd>`)}</dl>`}
${headers.length > 0 && html`<h2>${text.headersTitle}</h2><dl class="docs-kinds" lang="en">${headers.map((header) => html`<dt><code>${header.name}</code></dt><dd>${withCodeElements(header.description)}</dd>`)}</dl>`}
<h2>${text.errorsTitle}</h2>${errorTable(context, operation)}</article>`
}

const parameterColumns = ({ words: { docs } }: DocsContext): Column<ApiParameter>[] => [
  {
    label: docs.nameLabel,
    isHeading: true,
    cell: ({ name, isRequired }) =>
      html`<code>${name}</code>${isRequired && html` <span class="beside">${docs.required}</span>`}`,
  },
  { label: docs.typeLabel, cell: ({ type }) => english(breakable(type)) },
  { label: docs.meaningLabel, cell: ({ description }) => english(withCodeElements(description)) },
]

const fieldColumns = ({ words: { docs } }: DocsContext): Column<ApiField>[] => [
  { label: docs.nameLabel, isHeading: true, cell: ({ path }) => html`<code>${breakable(path)}</code>` },
  {
    label: docs.typeLabel,
    // Few fields need more words than their name: a column for them would be empty.
    cell: ({ type, description }) =>
      english(
        html`${breakable(type)}${description !== '' && html`<span class="beside">${withCodeElements(description)}</span>`}`,
      ),
  },
]

const english = (text: Piece): Html => html`<span lang="en">${text}</span>`

/** Lets a long name break at its dots and underscores, and nowhere else. */
const breakable = (name: string): Html => joined(name.split(/(?<=[._|])/), html`<wbr>`)

function errorTable({ words: { docs } }: DocsContext, operation: ApiOperation | undefined): Html | false {
  if (!operation || operation.errors.length === 0) return false
  return dataTable(
    docs.errorsTitle,
    [
      { label: docs.statusLabel, isHeading: true, cell: ({ status }) => status },
      { label: docs.meaningLabel, cell: ({ description }) => english(description) },
    ],
    operation.errors,
  )
}

const exampleBlock = ({ words }: DocsContext, example: CodeExample | undefined): Html | false =>
  example !== undefined &&
  html`<h3 class="docs-language">${example.language}</h3>${copyable(example.code, words.frame, example.language)}`

/** The document's only markup is back-ticks around code. */
const withCodeElements = (description: string): Html =>
  joined(description.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part)))

const connectPage = (areUrlKeysOn: boolean) =>
  definePage({
    method: 'GET',
    path: '/docs/connect',
    access: 'anyone',
    handle: (context) => ({
      title: context.words.docs.connectTitle,
      isTagged: true,
      body: bodyOf(context, 'connect', (texts) => connectBody(areUrlKeysOn, texts)),
    }),
  })

function connectBody(areUrlKeysOn: boolean, context: DocsContext): Html {
  const text = context.words.docs
  const web = operationsOf(context).find(({ name }) => name === 'web_search')
  return html`<div class="docs"><p><a href="/docs">${text.title}</a></p><h1>${text.connectTitle}</h1>
<h2>${text.browserTitle}</h2><p>${text.browserHelp}</p>${copyable(`${context.baseUrl}/search?q=%s`, context.words.frame, text.browserTitle)}
<h2>${text.programTitle}</h2><p>${text.programHelp}</p>${web && examplesOf(web, context.baseUrl).map((example) => exampleBlock(context, example))}
<h2>${text.agentTitle}</h2><p>${text.agentHelp} <a href="${DOCUMENT_PATH}">${text.documentLink}</a>, <a href="/llms.txt">llms.txt</a></p>
<p>MCP: <code>${context.baseUrl}/mcp</code></p>
<h2>${text.knownTitle}</h2><p>${text.knownHelp({ key: KEY_PLACEHOLDER })}</p>
${withoutBrowsers(programsFor(context.baseUrl, areUrlKeysOn)).map((program) => programLines(context, program))}</div>`
}

/** Browsers have their own section on the page. */
const withoutBrowsers = (programs: readonly ProgramLines[]) => programs.filter(({ kind }) => kind !== 'browser')

function programLines({ words }: DocsContext, { slug, name, place, lines }: ProgramLines): Html {
  const { docs, frame } = words
  return html`<details class="docs-program"><summary>${name} <span class="quiet">${place}</span></summary>
${copyable(lines, frame, `${name}: ${place}`)}<p><a href="/settings/connect/${slug}">${docs.createKeyFor({ name })}</a></p></details>`
}

interface CodeExample {
  language: 'curl' | 'TypeScript' | 'Python'
  code: string
}

/** One request in three languages. The examples run as they are once the key is in the environment, where a key belongs. */
function examplesOf(operation: ApiOperation, baseUrl: string): CodeExample[] {
  const query = new URLSearchParams(queryOf(operation)).toString()
  const address = `${baseUrl}${operation.path}${query && `?${query}`}`
  if (!operation.needsKey) return [{ language: 'curl', code: `curl '${address}'` }]
  return [
    { language: 'curl', code: `curl -H "Authorization: Api-Key $BOWERBIRD_KEY" \\\n  '${address}'` },
    {
      language: 'TypeScript',
      code: `const reply = await fetch('${address}', {
  headers: { Authorization: \`Api-Key \${process.env.BOWERBIRD_KEY}\` },
})
if (!reply.ok) throw new Error(await reply.text())
console.log(await reply.json())`,
    },
    {
      language: 'Python',
      code: `import json, os, urllib.request

request = urllib.request.Request(
    "${address}",
    headers={"Authorization": "Api-Key " + os.environ["BOWERBIRD_KEY"]},
)
print(json.load(urllib.request.urlopen(request)))`,
    },
  ]
}

function queryOf({ name, parameters }: ApiOperation): Record<string, string> {
  const exampleQuery = EXAMPLE_QUERIES[name]
  if (exampleQuery) return { ...exampleQuery }
  const required = parameters.filter(({ isRequired, example }) => isRequired && example !== '')
  return Object.fromEntries(required.map((parameter) => [parameter.name, parameter.example]))
}

const llmsPage = definePage({
  method: 'GET',
  path: '/llms.txt',
  access: 'anyone',
  handle: (context) => ({
    contentType: 'text/plain; charset=utf-8',
    content: llmsTxt(operationsOf(context), { baseUrl: context.baseUrl, documentPath: DOCUMENT_PATH }),
  }),
})

export interface DocsPagesParts {
  /** Whether keys with the scope for it are accepted in URLs. */
  areUrlKeysOn: boolean
}

export const docsPages = ({ areUrlKeysOn }: DocsPagesParts): Page[] => [
  docsPage,
  connectPage(areUrlKeysOn),
  referencePage,
  llmsPage,
]
