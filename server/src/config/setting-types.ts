// Zod types for settings, whose messages say what to write instead of a mistake; and how a setting is shown.
import { z } from 'zod'
import type { ReportMistakes, WrittenSettings } from './environment.ts'

/** `parse` returns undefined for a mistake. */
export const parsed = <Value>(parse: (text: string) => Value | undefined, message: string) =>
  z.string().transform((text, context): Value => {
    const value = parse(text)
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })

export const integer = (min: number, max: number) => number(/^\d{1,15}$/, { min, max, what: 'a whole number' })

export const decimal = (min: number, max: number) => number(/^\d{1,12}(?:\.\d{1,12})?$/, { min, max, what: 'a number' })

const number = (form: RegExp, { min, max, what }: { min: number; max: number; what: string }) =>
  parsed(
    (text) => (form.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined),
    `must be ${what} from ${min} to ${max}.`,
  ).meta({ min, max })

export const choice = <const Options extends readonly string[]>(options: Options) =>
  z.enum(options, { error: `must be one of ${options.join(', ')}.` })

export const onOff = choice(['on', 'off']).transform((text) => text === 'on')

/** Whether its value is never shown: it's declared with `.meta({ isSecret: true })`. */
export const isSecret = (schema: z.ZodType): boolean => schema.meta()?.['isSecret'] === true

/** Reads one setting outside the schema. Undefined: it isn't set, or it's a mistake, which is reported. */
export function readSetting<Value>(
  { values }: WrittenSettings,
  env: string,
  schema: z.ZodType<Value, string>,
  report: ReportMistakes,
): Value | undefined {
  const text = values[env]
  if (text === undefined) return undefined
  const { success, data, error } = schema.safeParse(text)
  if (!success) report(...error.issues.map(({ message }) => ({ env, message })))
  return data
}

/** Origins whose pages may call the API from a browser; `*`: every origin. */
export type AllowedOrigins = '*' | ReadonlySet<string>

/** Parses `*`, or origins separated by commas or spaces; undefined if one of them isn't an origin. */
function parseOrigins(text: string): AllowedOrigins | undefined {
  const words = text.split(/[\s,]+/).filter(Boolean)
  if (words.includes('*')) return words.length === 1 ? '*' : undefined
  const origins = words.map(parseOrigin)
  return origins.every((origin) => origin !== undefined) ? new Set(origins) : undefined
}

/** Returns an origin as a browser sends it. For extensions' own schemes, URL reports the origin as `null`. */
function parseOrigin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.host === '' || url.host.includes('*') || url.username !== '' || url.search !== '' || url.hash !== '')
    return undefined
  if (url.pathname !== '/' && url.pathname !== '') return undefined
  return url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin
}

export const origins = parsed(parseOrigins, 'must be * or a list of origins, such as https://app.example.org.')

/** A setting as it's shown to the operator, without secrets. */
export interface ShownSetting {
  env: string
  shown: string
  origin: 'environment' | 'database' | 'default'
}

interface SettingToShow {
  env: string
  fallback: string | undefined
  /** Whether only `set` or `not set` is shown. */
  hidesValue: boolean
}

export function showSetting({ values, stored }: WrittenSettings, setting: SettingToShow): ShownSetting {
  const { env, fallback, hidesValue } = setting
  const shown = showValue(values[env] ?? fallback, hidesValue)
  if (values[env] === undefined) return { env, shown, origin: 'default' }
  return { env, shown, origin: stored.has(env) ? 'database' : 'environment' }
}

function showValue(value: string | undefined, hidesValue: boolean): string {
  if (hidesValue) return value ? 'set' : 'not set'
  return value ?? 'not set'
}
