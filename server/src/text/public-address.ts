// The scheme and host under which clients reach this instance, for the addresses that it gives them.
const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

/** Without PUBLIC_URL the client's own words are used, but only if they look like a host. No trailing slash. */
export const publicAddress = ({ protocol, host }: { protocol: string; host: string }, publicUrl: string): string =>
  publicUrl || `${protocol}://${HOST.test(host) ? host : 'localhost'}`
