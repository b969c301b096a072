// The documentation pages, in English. The reference itself comes from the OpenAPI document.
export const docsEn = {
  title: 'API documentation',
  intro:
    'One key and one response format for many search engines. Everything you can search on this site is also available as JSON over HTTP.',
  startTitle: 'Get started',
  stepKey: 'Create an API key. It is shown only once: put it in the environment variable BOWERBIRD_KEY.',
  stepKeyLink: 'API keys',
  stepAsk: 'Send a request:',
  stepRead:
    'Read the response. The Search-Status header says whether it is complete; Engine-Status says how each engine did.',
  referenceTitle: 'Reference',
  referenceHelp: 'Every endpoint, generated from the code that serves it.',
  documentLink: 'OpenAPI document',
  errorsTitle: 'Errors',
  errorsHelp:
    'Every error has a body that says what to do: messages by parameter name for a 400, a detail for everything else.',
  limitsTitle: 'Limits',
  limitsHelp:
    'Each key has two limits, one per minute and one per day. The RateLimit header says how much of each is left. After a 429, wait the number of seconds in Retry-After; the request will then go through.',
  connectTitle: 'Connect',
  connectHelp: 'Use this instance from a browser, a program or an agent.',
  connectLink: 'How to connect',
  examplesTitle: 'Examples',
  parametersTitle: 'Parameters',
  fieldsTitle: 'Response fields',
  kindsTitle: 'Types of answers',
  headersTitle: 'Response headers',
  nameLabel: 'Name',
  typeLabel: 'Type',
  meaningLabel: 'Meaning',
  statusLabel: 'Status',
  required: 'required',
  browserTitle: 'Your browser',
  browserHelp:
    'Open the home page and add this site as a search engine. Most browsers offer this in the address bar or in their search settings. If yours asks for a URL, use this one:',
  programTitle: 'A program',
  programHelp: 'Any language with an HTTP client will do.',
  agentTitle: 'An agent',
  agentHelp:
    'Give it its own key with only the scopes it needs, and the document that describes every endpoint. You can revoke the key at any time.',
  knownTitle: 'Programs you already have',
  knownHelp: (key: string) => `Choose yours, and put the key that you create for it in place of ${key}.`,
  createKeyFor: (name: string) => `Create a key for ${name}`,
}

export type DocsWords = typeof docsEn
