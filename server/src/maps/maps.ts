// Places by name and by coordinates. One geocoder is called: the first that is configured, and the next one only if it
// fails. Each but the last gets half of the remaining time, so that one that hangs leaves the others a chance.
//
// A query that looks like an IP address is not sent to any geocoder: it is not a place, and the public Nominatim treats
// it as abuse.
import { isIP } from 'node:net'
import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { GeoPlace, PlaceQuery, PointQuery } from '@bowerbird/engines/parsing/geo-place.ts'
import {
  type BoundSource,
  type FindSource,
  findFor,
  type SourceCall,
  type SourceSettings,
} from '@bowerbird/engines/source.ts'
import { nominatim, nominatimReverse, nominatimSearch } from '@bowerbird/engines/sources/nominatim.ts'
import { photon, photonReverse, photonSearch } from '@bowerbird/engines/sources/photon.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { Refusal, retrySeconds } from '../errors.ts'
import type { Caller } from '../search/caller.ts'
import { guardText } from '../search/query-guard.ts'

export interface FoundPlaces {
  /** Best first. */
  places: GeoPlace[]
  /** The attribution that must be shown with them. */
  attribution: string
}

export interface Maps {
  /** Whether there is a geocoder. */
  isConfigured: boolean
  /** Throws a Refusal if no geocoder is configured, or none responds. */
  forward: (caller: Caller, query: PlaceQuery) => Promise<FoundPlaces>
  /** One place or none. */
  reverse: (caller: Caller, query: PointQuery) => Promise<FoundPlaces>
  /** The best place for a name, for the map card, which has guarded its query. */
  find: (caller: Caller, text: string, lang: string) => Promise<GeoPlace | undefined>
}

interface MapsParts {
  find: FindSource
  timeoutMs: number
  startDeadline: (ms: number) => Deadline
}

interface Geocoder {
  attribution: string
  search: (query: PlaceQuery, deadline: Deadline) => Promise<GeoPlace[]>
  reverse: (query: PointQuery, deadline: Deadline) => Promise<GeoPlace[]>
}

/** Also matches what only looks like an IPv4 address (`999.1.1.1`), one with a port, and a range. */
const IPV4_LIKE = /^\d{1,3}(?:\.\d{1,3}){3}(?:[:/]\d{1,5})?$/

const notConfigured = (): Refusal =>
  new Refusal(
    'maps_not_configured',
    'Maps are not configured on this deployment. The operator can set NOMINATIM_URL or PHOTON_URL, ' +
      'or set OPERATOR_CONTACT to use the public OpenStreetMap server.',
  )

function noneAnswered(errors: readonly UpstreamError[]): Refusal {
  const seconds = retrySeconds(errors.map(({ retryAfterSeconds }) => retryAfterSeconds))
  const detail = `No maps provider responded. Try again in ${seconds} seconds.`
  return new Refusal('maps_failed', detail, { 'Retry-After': String(seconds) })
}

interface GeocoderCalls<Settings extends SourceSettings> {
  search: SourceCall<PlaceQuery, GeoPlace[], Settings>
  reverse: SourceCall<PointQuery, GeoPlace | null, Settings>
}

function geocoder<Settings extends SourceSettings>(
  bound: BoundSource<Settings> | undefined,
  { search, reverse }: GeocoderCalls<Settings>,
): Geocoder[] {
  if (!bound) return []
  return [
    {
      attribution: bound.source.terms.attribution,
      search: async (query, deadline) => (await bound.ask(search, query, deadline)).found.slice(0, query.limit),
      async reverse(query, deadline) {
        const { found } = await bound.ask(reverse, query, deadline)
        return found ? [found] : []
      },
    },
  ]
}

const isIpAddress = (text: string): boolean => {
  const bare = text.trim().replace(/^\[(.*)\]$/, '$1')
  return IPV4_LIKE.test(bare) || isIP(bare) !== 0
}

export function createMaps({ find, timeoutMs, startDeadline }: MapsParts): Maps {
  const isConfigured = find(nominatim) !== undefined || find(photon) !== undefined

  function openGeocoders({ isVisitor }: Caller): Geocoder[] {
    const findSource = findFor(find, isVisitor)
    return [
      ...geocoder(findSource(nominatim), { search: nominatimSearch, reverse: nominatimReverse }),
      ...geocoder(findSource(photon), { search: photonSearch, reverse: photonReverse }),
    ]
  }

  async function askInTurn(
    caller: Caller,
    ask: (geocoder: Geocoder, deadline: Deadline) => Promise<GeoPlace[]>,
  ): Promise<FoundPlaces> {
    const geocoders = openGeocoders(caller)
    const whole = startDeadline(timeoutMs)
    const errors: UpstreamError[] = []
    try {
      for (const [i, each] of geocoders.entries()) {
        const isLast = i === geocoders.length - 1
        const deadline = isLast ? whole : startDeadline(whole.remainingMs() / 2)
        try {
          return { places: await ask(each, deadline), attribution: each.attribution }
        } catch (error) {
          if (!(error instanceof UpstreamError)) throw error
          errors.push(error)
        } finally {
          deadline.cancel()
        }
      }
      throw errors.length === 0 ? notConfigured() : noneAnswered(errors)
    } finally {
      whole.cancel()
    }
  }

  async function locate(caller: Caller, query: PlaceQuery): Promise<FoundPlaces> {
    if (isIpAddress(query.text) && isConfigured) return { places: [], attribution: '' }
    return await askInTurn(caller, (each, deadline) => each.search(query, deadline))
  }

  return {
    isConfigured,
    forward: async (caller, query) => await locate(caller, { ...query, text: guardText(caller, query.text) }),
    reverse: (caller, query) => askInTurn(caller, (each, deadline) => each.reverse(query, deadline)),
    find: async (caller, text, lang) => (await locate(caller, { text, limit: 1, lang })).places[0],
  }
}
