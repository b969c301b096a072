// Wikidata: `GET /w/api.php?action=wbgetentities`, keyless: statements of items, and labels of items and properties. An
// unknown id is reported within the reply; an invalid one is an HTTP 200 with an error. With `languagefallback` a label
// that is missing in a language comes in English, and is marked as such.
import { EMPTY_CORPUS } from '../corpus/corpus.ts'
import { findItem, isInventedItem } from '../corpus/encyclopedia.ts'
import type { Claim, EncyclopediaEntry } from '../corpus/encyclopedia-entry.ts'
import { ENCYCLOPEDIA_NAMES } from '../corpus/encyclopedia-names.ts'
import { hash } from '../corpus/random.ts'
import { mediaWikiError, mediaWikiFailures, mediaWikiGate } from './mediawiki.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'

const MOST_IDS = 50
const ENTITY = 'http://www.wikidata.example/entity/'

export const wikidata = defineProvider({
  slug: 'wikidata',
  key: '',
  readsHeaders: ['user-agent'],
  optionalMembers: ['labels', 'descriptions', 'aliases', 'claims', 'qualifiers', 'references', 'pageid', 'modified'],
  answer(request, corpus) {
    if (request.method !== 'GET' || request.path !== '/w/api.php') return undefined
    return mediaWikiGate(request) ?? getEntities(request, corpus === EMPTY_CORPUS)
  },
  ...mediaWikiFailures,
})

interface Wanted {
  props: ReadonlySet<string>
  languages: readonly string[]
  fallsBack: boolean
}

function getEntities({ query }: ProviderRequest, hasNothing: boolean): ProviderReply {
  const action = query.get('action') ?? ''
  if (action !== 'wbgetentities') {
    return mediaWikiError('badvalue', `Unrecognized value for parameter "action": ${action}.`)
  }
  const ids = (query.get('ids') ?? '').split('|').filter(Boolean)
  if (ids.length === 0) return mediaWikiError('param-missing', 'Either provide the Item "ids" or pairs of "sites".')
  if (ids.length > MOST_IDS) return mediaWikiError('toomanyvalues', 'Too many values supplied for parameter "ids".')
  const wrong = ids.find((id) => !/^[QP][1-9]\d{0,11}$/.test(id))
  if (wrong !== undefined) return mediaWikiError('no-such-entity', 'Could not find an entity with the ID given.')
  const wanted = {
    props: new Set((query.get('props') ?? 'labels|aliases|claims').split('|')),
    languages: (query.get('languages') ?? 'en').split('|'),
    fallsBack: query.get('languagefallback') === '1',
  }
  const entities = ids.map((id) => [id, hasNothing ? absent(id) : presentEntity(id, wanted)])
  return { status: 200, json: { entities: Object.fromEntries(entities), success: 1 } }
}

const absent = (id: string) => ({ id, missing: '' })

function presentEntity(id: string, wanted: Wanted) {
  const entry = findItem(id)
  const names = entry ? entry.titles : ENCYCLOPEDIA_NAMES.get(id)
  if (!names && !isInventedItem(id)) return absent(id)
  const { props } = wanted
  return {
    type: id.startsWith('P') ? 'property' : 'item',
    id,
    pageid: hash(id) % 100_000_000,
    modified: '2026-11-10T00:00:00Z',
    ...(props.has('labels') && { labels: presentLabels(withoutQualifiers(names ?? {}), wanted) }),
    ...(props.has('aliases') && { aliases: entry ? presentAliases(entry, wanted) : {} }),
    ...(props.has('claims') && { claims: entry ? presentClaims(entry) : {} }),
  }
}

/** `Mercury (planet)` is an article's title; the label of the item is Mercury. */
const withoutQualifiers = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([lang, name]) => [lang, name.replace(/ \([^()]*\)$/, '')]))

function presentLabels(names: Readonly<Record<string, string>>, { languages, fallsBack }: Wanted) {
  const labels = languages.flatMap((lang) => {
    const own = names[lang]
    if (own !== undefined) return [[lang, { language: lang, value: own }]]
    const english = fallsBack ? names['en'] : undefined
    return english === undefined ? [] : [[lang, { language: 'en', 'for-language': lang, value: english }]]
  })
  return Object.fromEntries(labels)
}

function presentAliases({ redirects }: EncyclopediaEntry, { languages }: Wanted) {
  const names = redirects.filter((name) => !name.includes('#') && !name.includes('('))
  if (names.length === 0 || !languages.includes('en')) return {}
  return { en: names.map((value) => ({ language: 'en', value })) }
}

const presentClaims = ({ id, claims }: EncyclopediaEntry) =>
  Object.fromEntries(
    Object.entries(claims).map(([property, values]) => [
      property,
      values.map((value, at) => ({
        mainsnak: { snaktype: 'value', property, hash: hash(`${id}${at}`).toString(16), ...presentValue(value) },
        type: 'statement',
        ...(value.type === 'quantity' && value.year !== undefined && { qualifiers: presentYear(value.year) }),
        id: `${id}$${property}-${at}`,
        rank: 'normal',
        references: [],
      })),
    ]),
  )

const presentTime = (time: string, precision: number) => ({
  value: { time, timezone: 0, before: 0, after: 0, precision, calendarmodel: `${ENTITY}Q1985727` },
  type: 'time',
})

const presentYear = (year: string) => ({
  P585: [{ snaktype: 'value', property: 'P585', datavalue: presentTime(`+${year}-01-01T00:00:00Z`, 9) }],
})

function presentValue(claim: Claim) {
  if (claim.type === 'item') {
    const value = { 'entity-type': 'item', 'numeric-id': Number(claim.id.slice(1)), id: claim.id }
    return { datavalue: { value, type: 'wikibase-entityid' }, datatype: 'wikibase-item' }
  }
  if (claim.type === 'time') return { datavalue: presentTime(claim.time, claim.precision), datatype: 'time' }
  if (claim.type === 'text') return { datavalue: { value: claim.text, type: 'string' }, datatype: 'string' }
  const unit = claim.unit === '1' ? '1' : `${ENTITY}${claim.unit}`
  return { datavalue: { value: { amount: `+${claim.amount}`, unit }, type: 'quantity' }, datatype: 'quantity' }
}
