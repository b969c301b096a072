// The private engines are for signed-in people: the parts of a page that show their results ask here, and a visitor gets
// none.
import type { PageContext } from './http/page.ts'

export const hasMine = ({ viewer, offers }: Pick<PageContext, 'viewer' | 'offers'>): boolean =>
  viewer !== undefined && offers.hasMine
