// The private engines are for signed-in people: the parts of a page that show their results get them here, and a visitor gets none.
import type { PageContext } from './http/page.ts'
import type { SiteServices } from './site-services.ts'

export const mineFor = ({ viewer, services }: Pick<PageContext, 'viewer' | 'services'>): SiteServices['mine'] =>
  viewer && services.mine
