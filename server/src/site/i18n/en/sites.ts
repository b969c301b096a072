// Shaping results, in English: the menu at a result, the page with one's sites, and the operators of the search field.

export const sites = {
  menu: {
    label: (site: string) => `Options for ${site}`,
    more: 'More from this site',
    block: 'Block this site',
    raise: 'Raise',
    lower: 'Lower',
    pin: 'Pin to the top',
    none: 'Treat as usual',
    choose: 'Block or rank this site',
  },
  changed: {
    block: (site: string) => `${site} is blocked.`,
    raise: (site: string) => `${site} is raised.`,
    lower: (site: string) => `${site} is lowered.`,
    pin: (site: string) => `${site} is pinned to the top.`,
    none: (site: string) => `${site} is treated as usual.`,
  },
  why: { raise: 'Raised by a rule', lower: 'Lowered by a rule', pin: 'Pinned by a rule', prefer: 'Preferred' },
  blocked: (count: number) =>
    count === 1 ? 'One result of a blocked site isn’t shown.' : `${count} results of blocked sites aren’t shown.`,
  undo: 'Undo',
  folded: (count: number, site: string) => `${count} more from ${site}`,
  choosing: {
    title: (site: string) => `Results from ${site}`,
    help: 'Your choice is stored in a cookie of this browser, and nowhere else.',
    back: 'Back to the results',
  },
  page: {
    titles: { person: 'Sites', browser: 'Sites', instance: 'Sites', key: 'Sites for this key' },
    intros: {
      person: 'Sites that you want to see first, less, or never. This applies to your searches on this website.',
      browser:
        'Sites that you want to see first, less, or never. The list is stored in a cookie of this browser, and nowhere else.',
      instance:
        'This applies to everyone, on the website and with every key. A site that is blocked here is blocked for all; otherwise what people and keys choose comes first.',
      key: 'This applies to searches with this key.',
    },
    full: (most: number) => `A browser has room for ${most} sites. Remove one first.`,
    list: {
      caption: 'Sites',
      site: 'Site',
      action: 'What happens',
      remove: 'Remove',
      removeSite: (site: string) => `Remove ${site}`,
      empty: 'No sites yet',
      emptyHelp: 'Use the menu at a result, or add one below.',
      find: 'Find a site',
      findSubmit: 'Find',
      all: 'Show all',
      noneFound: 'None of your sites has this in its name.',
      shown: (shown: number, all: number) => `${shown} of ${all} are shown. Search to find the others.`,
    },
    actions: { block: 'Blocked', lower: 'Lowered', raise: 'Raised', pin: 'Pinned to the top' },
    rewrite: (host: string) => `Shown at ${host}`,
    add: {
      title: 'Add a site',
      site: 'Site',
      siteHelp:
        'A domain such as example.org, which includes its subdomains; one with a path, such as example.org/shop/*; or an ending such as *.example.',
      action: 'What should happen',
      choices: {
        block: 'Block it',
        lower: 'Lower it',
        raise: 'Raise it',
        pin: 'Pin it to the top',
        rewrite: 'Show another address',
      },
      to: 'Address to show',
      toHelp: 'For “Show another address”: the host of a private front end, for example.',
      submit: 'Add site',
      badSite: 'This is no site. Write a domain, such as example.org.',
      badTarget: 'Write the host to show instead, such as front.example.org.',
    },
    import: {
      title: 'Import and export',
      help: 'One site per line, or a list from uBlacklist, Brave Goggles, Kagi, SearXNG (hostnames.yml) or a hosts file.',
      text: 'List',
      file: 'Or from a file',
      submit: 'Import',
      nothing: 'Paste a list or choose a file first.',
      problems: (count: number) => (count === 1 ? 'One line was left out:' : `${count} lines were left out:`),
      more: (count: number) => `… and ${count} more`,
      download: 'Download the list',
    },
    lists: {
      title: 'Subscriptions',
      help: 'Lists that others publish. They are fetched once a day.',
      caption: 'Subscriptions',
      address: 'Address of the list',
      action: 'For sites without an action of their own',
      submit: 'Subscribe',
      unsubscribe: 'Unsubscribe',
      unsubscribeFrom: (address: string) => `Unsubscribe from ${address}`,
      list: 'List',
      publisher: 'Published by',
      licence: 'Licence',
      size: 'Sites',
      fetched: 'Last fetched',
      never: 'Not yet',
      badAddress: 'Write an address that begins with https://.',
    },
    done: {
      added: 'Saved.',
      removed: 'Removed.',
      subscribed: 'Subscribed. The list is being fetched.',
      unsubscribed: 'Unsubscribed.',
    },
    imported: (count: number) => (count === 1 ? 'One site was added.' : `${count} sites were added.`),
  },
}

export const operators = {
  label: 'Search operators',
  intro:
    'They can be combined. They apply to every engine: one that doesn’t understand them has its results checked here.',
  word: 'oak',
  phrase: 'oak tree',
  meanings: {
    site: 'Only pages of this site. Several are alternatives.',
    notSite: 'No pages of this site.',
    after: 'Published on this day or later; a year or a month will do.',
    before: 'Published before this day.',
    filetype: 'Only files of this type.',
    intitle: 'Only pages with this word in the title.',
    quotes: 'Only pages with exactly these words, in this order.',
  },
  datesHelp: 'Engines that don’t know when a page was published aren’t asked when there is a date.',
  notUnderstood: (words: string) => `Searched for as words, because it isn’t an operator: ${words}.`,
  unchecked: (engines: string) => `Results from ${engines} may not contain exactly the words in quotation marks.`,
  leftOut: (count: number) =>
    count === 1 ? 'One result that didn’t fit was left out.' : `${count} results that didn’t fit were left out.`,
  without: 'Search without operators',
}

export type SitesWords = typeof sites
export type OperatorsWords = typeof operators
