// Keeps to the filters for pictures, each by whoever can: the provider filters, or the hits say what they are and we
// filter, or the engine isn't asked.
import type { EngineTab, ImageHit } from '@bowerbird/engines/engine.ts'
import { IMAGE_FILTERS, type ImageFilter, type ImageFilters, keepsTo } from '@bowerbird/engines/image-filters.ts'

type Abilities = Pick<EngineTab<unknown, unknown>, 'knowsSizes' | 'knowsLicences' | 'imageFilters'>

const NAMES = Object.keys(IMAGE_FILTERS) as ImageFilter[]

/** The filters whose values are among ours; `undefined` without any. */
export function readImageFilters(written: (name: ImageFilter) => string | undefined): ImageFilters | undefined {
  const known = NAMES.flatMap((name) => {
    const value = IMAGE_FILTERS[name].find((each) => each === written(name))
    return value === undefined ? [] : [[name, value]]
  })
  return known.length === 0 ? undefined : Object.fromEntries(known)
}

const wantedOf = (filters: ImageFilters): [ImageFilter, string][] =>
  NAMES.flatMap((name) => {
    const value = filters[name]
    return value === undefined ? [] : [[name, value]]
  })

const isPassedOn = ({ imageFilters }: Abilities, name: ImageFilter, value: string): boolean =>
  imageFilters?.[name]?.some((known) => known === value) === true

const isTold = ({ knowsSizes, knowsLicences }: Abilities, name: ImageFilter): boolean =>
  name === 'licence' ? knowsLicences === true : (name === 'size' || name === 'shape') && knowsSizes === true

export const canFilterImages = (tab: Abilities, filters: ImageFilters): boolean =>
  wantedOf(filters).every(([name, value]) => isPassedOn(tab, name, value) || isTold(tab, name))

/** A hit that doesn't say is kept only if its engine filters by itself. */
export const keepsToImageFilters = (hit: ImageHit, filters: ImageFilters, tab: Abilities): boolean =>
  wantedOf(filters).every(([name, value]) => keepsTo(hit, name, filters) ?? isPassedOn(tab, name, value))
