import { PAGE_SURFACES } from './page-surfaces.ts'
import { REPLY_SURFACES } from './reply-surfaces.ts'
import { REQUEST_SURFACES } from './request-surfaces.ts'
import type { Surface } from './surface.ts'

export const ALL_SURFACES: readonly Surface[] = [...REQUEST_SURFACES, ...PAGE_SURFACES, ...REPLY_SURFACES]
