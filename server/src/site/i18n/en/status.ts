// The status page, in English. Everyone sees what went wrong (`troubles`); only administrators see `advice`.
export const statusEn = {
  title: 'Status',
  allUp: 'All providers are up.',
  noneDown: (unknown: number) =>
    unknown === 1
      ? 'No provider is down. One has not been used yet.'
      : `No provider is down. ${unknown} have not been used yet.`,
  someDown: (down: number, all: number) =>
    down === 1 ? `One of ${all} providers is down.` : `${down} of ${all} providers are down.`,
  withoutContract: (names: string) =>
    `Asked without a contract: ${names}. The query, its language and filters, and the address of this server are sent there; your own address is not.`,
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
  } as Record<string, string>,
  noData: 'No data yet',
  upShare: (share: string) => `Up ${share} of the observed time`,
  day: (day: string, share: string | undefined) => (share === undefined ? `${day}: no data` : `${day}: up ${share}`),
  daysAgo: (days: number) => `${days} days ago`,
  today: 'Today',
  troubles: {
    timeout: 'It does not respond in time.',
    unreachable: 'It cannot be reached.',
    serverError: 'It responds with a server error.',
    throttled: 'It is rate-limiting this server.',
    blocked: 'It is blocking this server.',
    rejected: 'It is rejecting our requests.',
    malformed: 'Its responses cannot be read.',
  } as Record<string, string>,
  advice: {
    timeout: 'Nothing to do unless this lasts. To give slow providers more time, raise SEARCH_TIMEOUT_MS.',
    unreachable: 'Check the address in its settings, and whether this server can reach it.',
    serverError: 'Nothing to do unless this lasts; then ask the provider, or look at the log of a server of your own.',
    throttled: 'Lower its rate limit, or ask the provider for a larger plan.',
    blocked: 'Set OPERATOR_CONTACT so the provider knows who is calling, or use another provider for this slot.',
    rejected: 'Its key is wrong, expired or out of credit. Check its settings and your account with the provider.',
    malformed: 'Its API may have changed. Check for a newer version of Bowerbird.',
  } as Record<string, string>,
}

export type StatusWords = typeof statusEn
