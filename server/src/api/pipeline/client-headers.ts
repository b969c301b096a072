// The response headers that say something to a client about its request, besides the few that every page may read. They
// are what CORS exposes, and what a reply inside a stream or a batch carries.
export const CLIENT_HEADERS = [
  'Allow',
  'Cache-Status',
  'Card-Status',
  'Deprecation',
  'Engine-Status',
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Search-Status',
  'Server-Timing',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
] as const
