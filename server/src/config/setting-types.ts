// Zod types for settings. Their messages say what to write instead.
import { z } from 'zod'
import type { WrittenSettings } from './environment.ts'

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
  )

export const choice = <const Options extends readonly string[]>(options: Options) =>
  z.enum(options, { error: `must be one of ${options.join(', ')}.` })

export const onOff = choice(['on', 'off']).transform((text) => text === 'on')

/** Reads one setting outside the schema. Undefined: it isn't set, or it's a mistake, which is added to `mistakes`. */
export function readSetting<Value>(
  { values, mistakes }: WrittenSettings,
  env: string,
  schema: z.ZodType<Value, string>,
): Value | undefined {
  const text = values[env]
  if (text === undefined) return undefined
  const { success, data, error } = schema.safeParse(text)
  if (!success) mistakes.push(...error.issues.map(({ message }) => ({ env, message })))
  return data
}
