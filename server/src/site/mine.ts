// The private engines are for signed-in people, and services of one's own for their owner: the parts of a page that show
// their results get them here, and a visitor gets none.
import type { Search } from '../search/search.ts'
import type { PageContext } from './http/page.ts'

type Reader = Pick<PageContext, 'viewer' | 'services'>

export const hasMine = ({ viewer, services }: Reader): boolean =>
  viewer !== undefined && (services.mine.isForAll || viewer.hasServices === true)

/** What the reader may search besides the web; undefined: nothing. */
export async function mineFor({
  viewer,
  services,
  words,
}: Reader & Pick<PageContext, 'words'>): Promise<Search | undefined> {
  return viewer && hasMine({ viewer, services })
    ? await services.mine.of(viewer.userId, (name) => words.search.mine.yours({ name }))
    : undefined
}
