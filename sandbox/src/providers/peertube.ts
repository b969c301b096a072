// A PeerTube server: what `sepiasearch.ts` plays, and `searchTarget`.
import { defineProvider } from './provider.ts'
import { sepiasearch } from './sepiasearch.ts'

export const peertube = defineProvider({ ...sepiasearch, slug: 'peertube' })
