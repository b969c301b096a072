// Administration → Providers and Administration → Instance usage, in English. States, groups and troubles have the words
// of the status page.
export const adminEn = {
  providers: {
    title: 'Providers',
    month: (month: string, calls: string, money: string) => `${month} so far: ${calls}, ${money}.`,
    callCount: (count: number, written: string) => (count === 1 ? '1 call' : `${written} calls`),
    noCosts: 'What was spent cannot be read at the moment.',
    empty: 'No provider is configured',
    emptyHelp: 'Bind a provider to a slot with ENGINE_A, and restart. Many need no key.',
    hidden:
      'A provider that lacks a setting is not in this list. The command “bowerbird config” says what each one lacks.',
    serves: 'What it serves',
    calls: 'Calls this month',
    money: 'Spent this month',
    of: (used: string, most: string) => `${used} of ${most}`,
    idle: 'Not asked this month.',
    unpaid: (calls: string) => `${calls} this month, free of charge.`,
    paid: (calls: string, money: string, price: string) => `${calls} this month, ${money} at ${price} each.`,
    noCap: (setting: string) => `No cap: ${setting} sets one.`,
    spent: (day: string) => `The budget is used up. The provider is not asked before ${day}.`,
    changes: 'Changes of state',
    changesHelp: (days: number) => `Of the last ${days} days, the newest first.`,
    noChanges: (days: number) => `Nothing has changed in the last ${days} days.`,
    more: (count: number) => (count === 1 ? 'And an older one.' : `And ${count} older ones.`),
    when: 'When',
    provider: 'Provider',
    state: 'State',
    reason: 'Why',
    ok: 'It answered.',
  },
  usage: {
    title: 'Instance usage',
    intro: 'What programs have asked of this instance, with all keys of all users together.',
    unreadable: 'The usage cannot be read at the moment',
    unreadableHelp: 'The database does not answer, or is too busy. Nothing is lost: try again in a minute.',
    empty: 'No program has asked anything yet',
    emptyHelp: 'Requests with API keys are counted here. Users create keys in their settings.',
  },
}

export type AdminWords = typeof adminEn
