// The status page, in English. What went wrong is told to everybody, what can be done to administrators.
export const statusEn = {
  title: 'Status',
  allUp: 'Every provider is up.',
  noneDown: (unknown: number) =>
    unknown === 1
      ? 'Nothing is down. One provider has not been asked yet.'
      : `Nothing is down. ${unknown} providers have not been asked yet.`,
  someDown: (down: number, all: number) =>
    down === 1 ? `One of ${all} providers is down.` : `${down} of ${all} providers are down.`,
  noHistory: 'The history cannot be read at the moment. What is up now is known all the same.',
  empty: 'No provider is configured',
  emptyHelp: 'An administrator chooses which search engines this instance asks. Until then there is nothing to watch.',
  states: { up: 'Up', down: 'Down', unknown: 'Not asked yet' },
  groups: {
    web: 'Web',
    images: 'Images',
    news: 'News',
    videos: 'Videos',
    suggest: 'Suggestions',
    maps: 'Places',
    translate: 'Translation',
    weather: 'Weather',
    currency: 'Exchange rates',
    cards: 'Cards',
  } as Record<string, string>,
  noData: 'Nothing observed yet',
  upShare: (share: string) => `Up ${share} of the time observed`,
  day: (day: string, share: string | undefined) =>
    share === undefined ? `${day}: nothing observed` : `${day}: up ${share}`,
  daysAgo: (days: number) => `${days} days ago`,
  today: 'Today',
  troubles: {
    timeout: 'It does not answer in time.',
    unreachable: 'It cannot be reached.',
    throttled: 'It asks for fewer requests.',
    blocked: 'It refuses this server.',
    rejected: 'It refuses our requests.',
    malformed: 'It answers with something that cannot be read.',
  } as Record<string, string>,
  advice: {
    timeout: 'Nothing to do unless it lasts. A slow provider can be given more time with SEARCH_TIMEOUT_MS.',
    unreachable: 'Check the address in its settings, and whether this server may reach it.',
    throttled: 'Lower its pace, or ask the provider for a larger plan.',
    blocked: 'Set OPERATOR_CONTACT so that it knows who asks, or use another provider for this slot.',
    rejected: 'Its key is wrong, expired or without credit: look at its settings and its account.',
    malformed: 'Its interface may have changed: look for a newer version of Bowerbird.',
  } as Record<string, string>,
}

export type StatusWords = typeof statusEn
