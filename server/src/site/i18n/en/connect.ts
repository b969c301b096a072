// Settings → Connect, in English.
export const connectEn = {
  title: 'Connect',
  intro: 'Choose a program. You get the exact lines for it, with the address of this instance, and a key of its own.',
  kinds: { agent: 'Agents', application: 'Applications and libraries', browser: 'Browsers' },
  linesHelp: (place: string) => `These lines belong here: ${place}`,
  replaceKey: (key: string) => `Put the key in place of ${key}.`,
  keyTitle: 'Key',
  keyHelp: (scopes: string) =>
    `The key is for this program alone, so that you can revoke it separately. It can be used for: ${scopes}.`,
  noKey: 'No key needed: a browser in which you are signed in uses your account.',
  createKey: (name: string) => `Create a key for ${name}`,
  createdTitle: (name: string) => `Your key for ${name}`,
  once: 'The lines below contain the key. Copy them now: the key will not be shown again.',
  until: (day: string) => `It works until ${day}.`,
  testTitle: 'Test it',
  testHelp: 'Let the program search once, then see what arrived here.',
  test: 'Test it',
  again: 'Look again',
  nothing:
    'No request with this key has arrived in the last hour. If the program reports an error, check the address and the key in its settings: requests with a wrong key are not shown.',
  verdicts: {
    works: 'It works. This is the last request with this key:',
    partial: 'It works, but not every engine answered. This is the last request with this key:',
    refused: 'A request arrived, and was refused. This is the last request with this key:',
  },
  labels: {
    received: 'Received',
    door: 'Interface',
    request: 'Request',
    carrier: 'Key sent as',
    status: 'Status',
    reason: 'Reason',
    search: 'Search',
    engines: 'Engines',
    took: 'Took',
  },
  inUrl: 'part of the URL',
  neverQuery: 'The query is not recorded.',
  back: 'All programs',
}

export type ConnectWords = typeof connectEn
