// Response headers that tell a client about its request, besides the few that every web page may read. CORS exposes
// them, and replies inside a stream or a batch carry them.
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
