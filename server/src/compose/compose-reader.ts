// The page reader, for keys with the scope `read` and for the website's Read view. Its extractor isn't loaded until somebody
// asks for a page.
import { createExtractor } from '@bowerbird/reader/extractor.ts'
import { createPageReading } from '../api/page-reading.ts'
import type { Admit } from '../api/pipeline/admission.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import type { Log } from '../log.ts'
import { createReadableUrls } from '../reader/readable-urls.ts'
import { createReader } from '../reader/reader.ts'
import { createRobots } from '../reader/robots.ts'
import type { RedisClient } from '../redis/redis-client.ts'
import { createKeyedHash } from '../text/cryptography.ts'
import { createPageFetch } from '../upstream/page-fetch.ts'

interface ReaderParts {
  robotOptions: Parameters<typeof createPageFetch>[0]
  redis: RedisClient | undefined
  cache: ResponseCache
  admit: Admit
  instanceSecret: string
  clock: () => number
  log: Log
}

export function composeReader({ robotOptions, redis, cache, admit, instanceSecret, clock, log }: ReaderParts) {
  const pages = createPageFetch(robotOptions)
  const extractor = createExtractor({
    onStartFailure: (err) => log.error({ err }, 'the process that reads pages could not be started'),
  })
  const { read, close } = createReader({ pages, robots: createRobots(pages), extractor, cache, clock })
  const urls = { redis, hash: createKeyedHash(instanceSecret, 'found addresses'), clock }
  const found = createReadableUrls({ ...urls, list: 'found' })
  const linked = createReadableUrls({ ...urls, list: 'linked' })
  return {
    forKeys: createPageReading({ read, found, linked, admit }),
    forPeople: { read, sign: createKeyedHash(instanceSecret, 'links to read') },
    close,
  }
}

export type PageReader = ReturnType<typeof composeReader>
