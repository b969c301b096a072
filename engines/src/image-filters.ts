// What an image search can be limited to, and whether a picture keeps to it. Size, shape and licence can be told from a
// hit that has them; colour and kind only by the provider.
import type { ImageHit, Licence } from './engine.ts'

/** The words that callers use for each filter. */
export const IMAGE_FILTERS = {
  size: ['small', 'medium', 'large'],
  shape: ['wide', 'tall', 'square'],
  licence: ['public', 'share', 'commercial', 'modify'],
  color: [
    'red',
    'orange',
    'yellow',
    'green',
    'teal',
    'blue',
    'purple',
    'pink',
    'brown',
    'black',
    'gray',
    'white',
    'mono',
  ],
  kind: ['photo', 'drawing'],
} as const satisfies Record<string, readonly string[]>

export type ImageFilter = keyof typeof IMAGE_FILTERS

/** The filters of a search; those left out don't matter. */
export type ImageFilters = { readonly [Name in ImageFilter]?: (typeof IMAGE_FILTERS)[Name][number] }

/** 640 × 480 and 1,600 × 1,200 pixels. */
const MEDIUM_PIXELS = 307_200
const LARGE_PIXELS = 1_920_000

/** How much longer than the other a side of a square may be. */
const SQUARE_TOLERANCE = 1.1

interface Dimensions {
  width: number
  height: number
}

const sizeOf = ({ width, height }: Dimensions): NonNullable<ImageFilters['size']> => {
  const pixels = width * height
  if (pixels >= LARGE_PIXELS) return 'large'
  return pixels >= MEDIUM_PIXELS ? 'medium' : 'small'
}

const shapeOf = ({ width, height }: Dimensions): NonNullable<ImageFilters['shape']> => {
  if (width > height * SQUARE_TOLERANCE) return 'wide'
  return height > width * SQUARE_TOLERANCE ? 'tall' : 'square'
}

const PUBLIC_DOMAIN = /^CC0\b|^public domain\b/i
const CREATIVE_COMMONS = /^CC BY(?<conditions>(?:-(?:NC|SA|ND))*)\b/i
/** Licences of the sites that all of their pictures are under; they allow nearly everything. */
const SITE_LICENCE = /^(?:Pexels|Unsplash|Pixabay Content) License$/

/** Only licences that we know count: what others allow, their pages say. */
const allows = ({ name }: Licence, use: NonNullable<ImageFilters['licence']>): boolean => {
  if (PUBLIC_DOMAIN.test(name)) return true
  if (use === 'public') return false
  if (SITE_LICENCE.test(name)) return true
  const conditions = CREATIVE_COMMONS.exec(name)?.groups?.['conditions']?.toUpperCase()
  if (conditions === undefined) return false
  return !(use === 'commercial' ? conditions.includes('NC') : use === 'modify' && conditions.includes('ND'))
}

/** Whether the picture keeps to what can be told from the hit; `undefined` if the hit doesn't say. */
export function keepsTo(hit: ImageHit, name: ImageFilter, filters: ImageFilters): boolean | undefined {
  const { width, height, licence } = hit
  if (name === 'licence') return filters.licence && licence && allows(licence, filters.licence)
  if (width === undefined || height === undefined) return undefined
  if (name === 'size') return sizeOf({ width, height }) === filters.size
  return name === 'shape' ? shapeOf({ width, height }) === filters.shape : undefined
}
