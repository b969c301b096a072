// A PeerTube server: like `sepiasearch.ts`, plus `searchTarget`.
import { defineProvider } from './provider.ts'
import { sepiasearch } from './sepiasearch.ts'

export const peertube = defineProvider({ ...sepiasearch, slug: 'peertube' })
