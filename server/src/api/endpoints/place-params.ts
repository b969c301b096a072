// Location parameters: a point on the Earth (`lat` and `lon`) and a time zone (`tz`).
import { readTimeZone } from '@bowerbird/answers/lib/zones.ts'
import { z } from 'zod'
import { readDecimal } from '../../text/query-params.ts'

/** `undefined` when it was not given. */
export const degreesParam = (max: number, description: string, example: number) =>
  z
    .string()
    .trim()
    .default('')
    .transform((text, context) => {
      if (text === '') return undefined
      const value = readDecimal(text)
      if (value !== undefined && Math.abs(value) <= max) return value
      context.addIssue({ code: 'custom', message: `Send a number of degrees from -${max} to ${max}.` })
      return Number.NaN
    })
    .meta({ description, example, schema: { type: 'number', minimum: -max, maximum: max } })

/** Options of a `refine` that runs even if another parameter is wrong, so that all mistakes are reported at once. */
export const alwaysChecked = <Name extends string>(path: Name, message: string) => ({
  path: [path],
  message,
  when: () => true,
})

interface Point {
  lat?: number | undefined
  lon?: number | undefined
}

/** This and `lonWithLat` are each the arguments of a `refine`. */
export const latWithLon = [
  ({ lat, lon }: Point): boolean => lat !== undefined || lon === undefined,
  alwaysChecked('lat', 'Send lat together with lon.'),
] as const
export const lonWithLat = [
  ({ lat, lon }: Point): boolean => lon !== undefined || lat === undefined,
  alwaysChecked('lon', 'Send lon together with lat.'),
] as const

/** `undefined` when it was not given. */
export const zoneParam = z
  .string()
  .trim()
  .default('')
  .transform((text, context) => {
    if (text === '') return undefined
    const zone = readTimeZone(text)
    if (zone === undefined)
      context.addIssue({ code: 'custom', message: 'Send an IANA time zone such as Europe/Berlin.' })
    return zone
  })
  .meta({
    description: 'The caller’s time zone, an IANA name: decides what "today" and "now" are. Empty for UTC.',
    example: 'Europe/Berlin',
    schema: { type: 'string', maxLength: 100, default: '' },
  })
