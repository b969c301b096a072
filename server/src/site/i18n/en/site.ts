// The frame of every page, the status page and the documentation, in English.

// The frame of every page: header, footer, errors, and labels shared by many forms.
export const frame = {
  skipToContent: 'Skip to content',
  search: 'Search',
  searchLabel: 'Search',
  welcome: 'Asks many search engines at the same time, and tells none of them who you are.',
  addToBrowser: 'Add it to your browser',
  tabs: {
    web: 'Web',
    images: 'Images',
    news: 'News',
    videos: 'Videos',
    science: 'Science',
    code: 'Code',
    maps: 'Maps',
    translate: 'Translate',
    mine: 'Mine',
  },
  tabsLabel: 'Types of results',
  account: 'Account',
  settings: 'Settings',
  signIn: 'Sign in',
  signOut: 'Sign out',
  status: 'Status',
  docs: 'Docs',
  allUp: 'All providers are up',
  someDown: (down: number) => (down === 1 ? '1 provider is down' : `${down} providers are down`),
  language: (name: string) => `Language: ${name}`,
  footerLabel: 'About this site',
  settingsLabel: 'Settings',
  settingsPages: {
    search: 'Search',
    sites: 'Sites',
    services: 'My services',
    keys: 'API keys',
    connect: 'Connect',
    usage: 'Usage',
    account: 'Account',
  },
  adminLabel: 'Administration',
  adminPages: {
    engines: 'Engines',
    ranking: 'Ranking',
    providers: 'Providers',
    instance: 'Instance',
    sites: 'Sites',
    users: 'Users',
    usage: 'Instance usage',
    audit: 'Security events',
  },
  copy: 'Copy',
  copied: 'Copied',
  save: 'Save',
  cancel: 'Cancel',
  back: 'Back',
  optional: 'optional',
  apply: 'Apply',
  clear: 'Clear',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  pagesLabel: 'Pages',
  page: (page: number) => `Page ${page}`,
  formHasMistakes: 'Some fields need your attention.',
  errors: {
    goHome: 'Go to the home page',
    tryAgain: 'Try again',
    badRequest: 'This address is not valid',
    badRequestHelp: 'Check these values:',
    forbidden: 'You do not have access to this page',
    forbiddenHelp: 'Only administrators can see it. If you are one, sign in with your administrator account.',
    formExpired: 'This form has expired',
    formExpiredHelp:
      'It belongs to another session, or cookies are turned off. Nothing was changed. Go back, reload the page and submit the form again.',
    notFound: 'Page not found',
    notFoundHelp: 'The page may have moved, or the address may contain a typo.',
    notAllowed: 'This address does not accept that kind of request',
    notAllowedHelp: 'Go back and use the form on the page.',
    tooLarge: 'The request is too large',
    tooLargeHelp: 'Shorten the text and try again.',
    tooMany: 'Too many requests',
    tooManyWhose: 'This site limits how many requests one account or network can make in a short time.',
    tooManyHelp: (seconds: number) => (seconds === 1 ? 'Try again in one second.' : `Try again in ${seconds} seconds.`),
    overloaded: 'This server has too many requests',
    overloadedHelp: (seconds: number) =>
      seconds === 1 ? 'Try again in one second.' : `Try again in ${seconds} seconds.`,
    broken: 'Something went wrong',
    brokenHelp: (id: string) =>
      `This is an error on the server. It is logged under request ID ${id}; give that ID to the operator.`,
    unavailable: 'This is not available right now',
    refused: 'The request could not be completed',
  },
}

export type FrameWords = typeof frame

// The status page. Everyone sees what went wrong (`troubles`); only administrators see `advice`.
export const status = {
  title: 'Status',
  allUp: 'All providers are up.',
  noneDown: (unknown: number) =>
    unknown === 1
      ? 'No provider is down. One has not been used yet.'
      : `No provider is down. ${unknown} have not been used yet.`,
  someDown: (down: number, all: number) =>
    down === 1 ? `One of ${all} providers is down.` : `${down} of ${all} providers are down.`,
  withoutContract: (names: string) =>
    `Used without a contract: ${names}. The query, its language and filters, and the address of this server are sent there; your own address is not.`,
  noHistory: 'The history is not available right now. The current states are up to date.',
  empty: 'No providers configured',
  emptyHelp: 'An administrator chooses which search engines this instance uses. Until then, there is nothing to show.',
  states: { up: 'Up', down: 'Down', unknown: 'Not used yet' },
  groups: {
    web: 'Web',
    images: 'Images',
    news: 'News',
    videos: 'Videos',
    science: 'Science',
    code: 'Code',
    suggest: 'Suggestions',
    maps: 'Places',
    translate: 'Translation',
    weather: 'Weather',
    currency: 'Exchange rates',
    cards: 'Cards',
    mine: 'Mine (shown to administrators only)',
  } as Record<string, string>,
  noData: 'No data yet',
  upShare: (share: string) => `Up ${share} of the observed time`,
  day: (day: string, share: string | undefined) => (share === undefined ? `${day}: no data` : `${day}: up ${share}`),
  barsHelp: (days: number) =>
    `Each bar is a day of the last ${days}; the share is of the time in which the provider was observed.`,
  daysAgo: (days: number) => `${days} days ago`,
  today: 'Today',
  troubles: {
    timeout: 'It does not respond in time.',
    unreachable: 'It cannot be reached.',
    serverError: 'It responds with a server error.',
    proxy: 'The outgoing proxy does not connect to it.',
    throttled: 'It is rate-limiting this server.',
    blocked: 'It is blocking this server.',
    rejected: 'It is rejecting our requests.',
    malformed: 'Its responses cannot be read.',
  } as Record<string, string>,
  advice: {
    timeout: 'Nothing to do unless this lasts. To give slow providers more time, raise SEARCH_TIMEOUT_MS.',
    unreachable: 'Check the address in its settings, and whether this server can reach it.',
    serverError: 'Nothing to do unless this lasts; then ask the provider, or look at the log of a server of your own.',
    proxy: 'Check OUTGOING_PROXY and the settings of the proxy; bowerbird doctor shows what it says.',
    throttled: 'Lower its rate limit, or ask the provider for a larger plan.',
    blocked: 'Set OPERATOR_CONTACT so the provider knows who is calling, or use another provider for this slot.',
    rejected: 'Its key is wrong, expired or out of credit. Check its settings and your account with the provider.',
    malformed: 'Its API may have changed. Check for a newer version of Bowerbird.',
  } as Record<string, string>,
}

export type StatusWords = typeof status

// The documentation pages. The reference itself comes from the OpenAPI document.
export const docs = {
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
  inEnglish: 'This page is in English.',
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

export type DocsWords = typeof docs
