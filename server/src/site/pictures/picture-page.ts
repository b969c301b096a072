// GET /pictures/<kind>: a third-party picture, fetched by this server. No session is required: the signature proves
// that a page of this instance showed the picture, and a session would keep browsers and caches from storing it. A
// picture that can't be fetched is a bare 404, because no one sees an error page in place of a picture.

import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { z } from 'zod'
import { definePage, type Page, type Verbatim } from '../http/page.ts'

const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
}

const NO_PICTURE: Verbatim = {
  status: 404,
  contentType: 'text/plain; charset=utf-8',
  content: 'No image.\n',
  headers: { ...HEADERS, 'Cache-Control': 'private, max-age=60' },
}

const picturePage = definePage({
  method: 'GET',
  path: '/pictures/:kind',
  access: 'anyone',
  quota: 'picture',
  isData: true,
  query: z.object({ u: z.string().catch(''), s: z.string().catch('') }),
  async handle({ params, query, services }) {
    const found = services.pictures?.find({ kind: params['kind'] ?? '', address: query.u, signature: query.s })
    if (!found) return NO_PICTURE
    try {
      const { type, bytes } = await found
      const headers = { ...HEADERS, 'Cache-Control': 'private, max-age=86400, immutable' }
      return { contentType: type, content: bytes, headers }
    } catch (error) {
      if (error instanceof UpstreamError) return NO_PICTURE
      throw error
    }
  },
})

export const picturePages: readonly Page[] = [picturePage]
