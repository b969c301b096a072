// The scheme and host at which clients reach this instance, for the URLs we send them.
const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

/** Without PUBLIC_URL, the client's Host header is used, but only if it looks like a host. No trailing slash. */
export const publicAddress = ({ protocol, host }: { protocol: string; host: string }, publicUrl: string): string =>
  publicUrl || `${protocol}://${HOST.test(host) ? host : 'localhost'}`
