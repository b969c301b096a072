// Administration → Providers and Administration → Instance usage, in English. Names of states and groups, and the texts
// for what went wrong, are those of the status page.
export const adminEn = {
  providers: {
    title: 'Providers',
    month: (month: string, calls: string, money: string) => `${month} so far: ${calls}, ${money}.`,
    callCount: (count: number, written: string) => (count === 1 ? '1 call' : `${written} calls`),
    noCosts: 'Costs are not available right now.',
    empty: 'No providers configured',
    emptyHelp: 'Set ENGINE_A to a provider and restart. Many providers need no key.',
    hidden: 'Providers with missing settings are not listed. Run “bowerbird config” to see what each one needs.',
    serves: 'Used for',
    calls: 'Calls this month',
    money: 'Spent this month',
    of: (used: string, most: string) => `${used} of ${most}`,
    idle: 'No calls this month.',
    unpaid: (calls: string) => `${calls} this month, free of charge.`,
    paid: (calls: string, money: string, price: string) => `${calls} this month, ${money} at ${price} each.`,
    noCap: (setting: string) => `No cap. Set ${setting} to add one.`,
    spent: (day: string) => `The budget is used up. This provider will not be used again until ${day}.`,
    changes: 'State changes',
    changesHelp: (days: number) => `In the last ${days} days, newest first.`,
    noChanges: (days: number) => `No changes in the last ${days} days.`,
    more: (count: number) => (count === 1 ? 'Plus one older change.' : `Plus ${count} older changes.`),
    when: 'When',
    provider: 'Provider',
    state: 'State',
    reason: 'Reason',
    ok: 'It responded.',
  },
  usage: {
    title: 'Instance usage',
    intro: 'API requests to this instance, across all users and keys.',
    unreadable: 'Usage is not available right now',
    unreadableHelp: 'The database is not responding or is too busy. No data is lost. Try again in a minute.',
    empty: 'No API requests yet',
    emptyHelp: 'Requests made with API keys are counted here. Users create keys in their settings.',
  },
}

export type AdminWords = typeof adminEn
