// What hits of every kind can say, for those who present all of them alike.
import type { Hit } from '@bowerbird/engines/engine.ts'

/** Its description; of a video, who published it; '' of an image. */
export function describeHit(hit: Hit): string {
  if (hit.kind === 'image') return ''
  return hit.kind === 'video' ? hit.publisher : hit.description
}

/** Images have no date. */
export const publishedAtOf = (hit: Hit): number | undefined => (hit.kind === 'image' ? undefined : hit.publishedAt)

/** RFC 3339, in UTC; '' if unknown. */
export function publicationDate(hit: Hit): string {
  const publishedAt = publishedAtOf(hit)
  return publishedAt === undefined ? '' : new Date(publishedAt).toISOString()
}
