// What a hit of each tab must look like, field by field, whatever the provider sent. The checks are plain predicates
// with one assertion a page, because the rules read some ten thousand spoilt pages.
import { hasInvisible, visibleText } from '@bowerbird/reader/visible-text.ts'
import { expect } from 'vitest'
import type { EngineResponse, Hit, HitOf, Paper, Software, Tab } from '../src/engine.ts'

type Check = (value: unknown) => boolean

/** Spoilt pages have mostly the same texts, so each is judged once. */
const judgedOnce = (check: (text: string) => boolean): Check => {
  const verdicts = new Map<unknown, boolean>()
  return (text) => {
    const known = verdicts.get(text)
    if (known !== undefined) return known
    const verdict = typeof text === 'string' && check(text)
    verdicts.set(text, verdict)
    return verdict
  }
}

export const isPlain = judgedOnce((text) => !/<\/?b>|&amp;|\p{Cc}|^\s|\s$/u.test(text) && visibleText(text) === text)

export const isAddress = judgedOnce(
  (address) => /^https?:\/\/[^\s/]/i.test(address) && URL.canParse(address) && !hasInvisible(address),
)

const isAddressOrNone: Check = (address) => address === '' || isAddress(address)

const isQuantityOrNone: Check = (value) => value === undefined || (Number.isFinite(value) && Number(value) > 0)

const isSitelink: Check = (value) => {
  if (typeof value !== 'object' || value === null || Object.keys(value).toSorted().join() !== 'title,url') return false
  const fields = new Map<string, unknown>(Object.entries(value))
  return isPlain(fields.get('title')) && isAddress(fields.get('url'))
}

const areSitelinks: Check = (sitelinks) => Array.isArray(sitelinks) && sitelinks.every(isSitelink)

const isLicence: Check = (value) => {
  if (typeof value !== 'object' || value === null || Object.keys(value).toSorted().join() !== 'name,url') return false
  const fields = new Map<string, unknown>(Object.entries(value))
  return fields.get('name') !== '' && isPlain(fields.get('name')) && isAddressOrNone(fields.get('url'))
}

const isText: Check = (text) => text !== '' && isPlain(text)

/** A positive whole number. */
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) > 0

const SOFTWARE: { readonly [Name in keyof Required<Software>]: Check } = {
  stars: isCount,
  downloads: isCount,
  language: isText,
  licence: isText,
  version: isText,
  votes: isCount,
  isAnswered: (value) => value === true,
}

const isSoftware: Check = (value) => {
  if (typeof value !== 'object' || value === null) return false
  const checks = new Map<string, Check>(Object.entries(SOFTWARE))
  const facts = Object.entries(value)
  return facts.length > 0 && facts.every(([name, fact]) => checks.get(name)?.(fact) === true)
}

const PAPER: { readonly [Name in keyof Required<Paper>]: Check } = {
  authors: (names) => Array.isArray(names) && names.length > 0 && names.length <= 25 && names.every(isText),
  authorCount: (count) => Number.isInteger(count) && Number(count) > 0,
  venue: isText,
  year: (year) => Number.isInteger(year) && Number(year) >= 1000 && Number(year) <= 2999,
  doi: (doi) => typeof doi === 'string' && /^10\.\d{4,9}\/[^\s"<>A-Z]+$/.test(doi) && isPlain(doi),
  abstract: isText,
  citedBy: (count) => Number.isInteger(count) && Number(count) >= 0,
  isOpenAccess: (value) => value === true,
}

/** Only what is known, and the number of authors beside their names. */
const isPaper: Check = (value) => {
  if (typeof value !== 'object' || value === null || 'authors' in value !== 'authorCount' in value) return false
  const checks = new Map<string, Check>(Object.entries(PAPER))
  return Object.entries(value).every(([field, given]) => checks.get(field)?.(given) === true)
}

/** Left out where the provider doesn't say. */
const OPTIONAL: ReadonlySet<string> = new Set(
  'imageUrl width height creator licence software views previewUrl paper'.split(' '),
)

const everyHit = (kind: Hit['kind']) => ({ kind: (value: unknown) => value === kind, title: isPlain, url: isAddress })

const WEB_HIT = {
  ...everyHit('web'),
  description: isPlain,
  paper: isPaper,
  faviconUrl: isAddressOrNone,
  publishedAt: isQuantityOrNone,
  sitelinks: areSitelinks,
  software: isSoftware,
}

const FIELDS: { [Name in Tab]: Record<keyof HitOf[Name], Check> } = {
  web: WEB_HIT,
  science: WEB_HIT,
  code: WEB_HIT,
  images: {
    ...everyHit('image'),
    thumbnailUrl: isAddress,
    imageUrl: isAddress,
    width: isCount,
    height: isCount,
    creator: isText,
    licence: isLicence,
  },
  news: {
    ...everyHit('news'),
    description: isPlain,
    publishedAt: isQuantityOrNone,
    publisher: isPlain,
    thumbnailUrl: isAddressOrNone,
  },
  videos: {
    ...everyHit('video'),
    publishedAt: isQuantityOrNone,
    publisher: isPlain,
    durationSeconds: isQuantityOrNone,
    thumbnailUrl: isAddressOrNone,
    views: isCount,
    previewUrl: isAddress,
  },
}

/** What is wrong with a hit: fields of another tab, missing fields, and fields that fail their check. */
const faultsOf = (tab: Tab, hit: Hit): string[] => {
  const checks = new Map<string, Check>(Object.entries(FIELDS[tab]))
  const values = new Map<string, unknown>(Object.entries(hit))
  const faults: string[] = values.has('width') === values.has('height') ? [] : ['one side without the other']
  for (const field of values.keys()) if (!checks.has(field)) faults.push(`${field} does not belong here`)
  for (const [field, isRight] of checks) {
    if (OPTIONAL.has(field) && !values.has(field)) continue
    if (!values.has(field)) faults.push(`${field} is missing`)
    else if (!isRight(values.get(field))) faults.push(`${field} is ${JSON.stringify(values.get(field))}`)
  }
  return faults
}

/** Plain texts, absolute addresses, and exactly the fields of the tab. */
export const expectWellFormedPage = (tab: Tab, page: EngineResponse): void => {
  const faults = page.hits.flatMap((hit) => faultsOf(tab, hit))
  if (!isPlain(page.correction)) faults.push(`correction is ${JSON.stringify(page.correction)}`)
  if (faults.length > 0) expect(faults).toEqual([])
}
