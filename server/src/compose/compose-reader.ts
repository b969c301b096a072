// Builds the page reader. None of it runs, and its extractor isn't loaded, until a key with the read scope asks for a
// page.

import { createExtractor } from '@bowerbird/reader/extractor.ts'
import type { PageReading } from '../api/api-services.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import { VERSION } from '../config/version.ts'
import { createFoundAddresses } from '../reader/readable-urls.ts'
import { createReader } from '../reader/reader.ts'
import { createRobots, ROBOT_NAME } from '../reader/robots.ts'
import type { RedisClient } from '../redis/redis-client.ts'
import type { Configuration } from '../settings/configuration.ts'
import { createKeyedHash } from '../text/cryptography.ts'
import { createPageFetch } from '../upstream/page-fetch.ts'

interface ReaderParts {
  cache: ResponseCache
  redis: RedisClient | undefined
  instanceSecret: string
  /** Closes the reader with everything else. */
  opening: AsyncDisposableStack
}

/** Returns undefined if the reader is turned off. */
export function composeReader(configuration: Configuration, parts: ReaderParts): PageReading | undefined {
  const { cache, redis, instanceSecret, opening } = parts
  const { isReaderOn, readProxyUrl, publicUrl } = configuration
  if (!isReaderOn) return undefined
  const pages = createPageFetch({
    viaProxy: readProxyUrl,
    userAgent: userAgentOf(configuration),
    ownHost: publicUrl === '' ? '' : new URL(publicUrl).host,
  })
  const clock = Date.now
  const reader = createReader({ pages, robots: createRobots(pages), extractor: createExtractor(), cache, clock })
  const found = createFoundAddresses({ redis, hash: createKeyedHash(instanceSecret, 'found addresses'), clock })
  opening.defer(() => reader.close())
  return { read: reader.read, found }
}

/** Names the public URL, or else the operator's contact, so that site owners can find out who is fetching. */
function userAgentOf({ publicUrl, operatorContact }: Configuration): string {
  const contact = publicUrl === '' ? operatorContact : `+${publicUrl}`
  return `${ROBOT_NAME}/${VERSION}${contact && ` (${contact})`}`
}
