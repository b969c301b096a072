// The documentation pages, in English. The reference itself comes from the OpenAPI document.
export const docsEn = {
  title: 'API documentation',
  intro:
    'One key, one shape of answer, many search engines. Everything that this site finds can be asked for over HTTP and is answered in JSON.',
  startTitle: 'Get started',
  stepKey: 'Create an API key. It is shown once; put it into the environment variable BOWERBIRD_KEY.',
  stepKeyLink: 'API keys',
  stepAsk: 'Ask:',
  stepRead:
    'Read the answer. The header Search-Status says whether it is complete; Engine-Status says what became of each engine.',
  referenceTitle: 'Reference',
  referenceHelp: 'Every endpoint, from the same declarations that serve it.',
  documentLink: 'OpenAPI document',
  errorsTitle: 'Errors',
  errorsHelp:
    'An error has a body that says what to do: messages by parameter name for a 400, a detail for all others.',
  limitsTitle: 'Limits',
  limitsHelp:
    'Each key has two limits, one a minute and one a day. The header RateLimit says what is left of them. After a 429, wait as many seconds as Retry-After says: then the request passes.',
  connectTitle: 'Connect',
  connectHelp: 'Use this instance from a browser, a program or an agent.',
  connectLink: 'How to connect',
  examplesTitle: 'Examples',
  parametersTitle: 'Parameters',
  fieldsTitle: 'Fields of the answer',
  kindsTitle: 'Kinds of answers',
  headersTitle: 'Headers of the answer',
  nameLabel: 'Name',
  typeLabel: 'Type',
  meaningLabel: 'Meaning',
  statusLabel: 'Status',
  required: 'required',
  browserTitle: 'Your browser',
  browserHelp:
    'Open the home page and add this site as a search engine: most browsers offer it in the address bar or in their search settings. Where one asks for an address, it is this:',
  programTitle: 'A program',
  programHelp: 'Any language that speaks HTTP will do.',
  agentTitle: 'An agent',
  agentHelp:
    'Give it a key of its own with the scopes it needs, and the document that describes every endpoint. A key can be revoked at any time.',
}

export type DocsWords = typeof docsEn
