// Reads what the schema of the settings says about each: its default, and the values that it takes.
import { z } from 'zod'
import { INSTANCE_SETTINGS } from '../../server/src/settings/instance-settings.ts'

interface SettingSchema {
  name: string
  /** undefined: it has none. */
  fallback: string | undefined
  range: { min: number; max: number } | undefined
  /** Of a setting that takes one of a few words. */
  choices: readonly string[] | undefined
  meaning: string | undefined
}

const Range = z.object({ min: z.number(), max: z.number() })

/** The type under defaults, optionals and transformations, and what was said about it on the way. */
function innermost(schema: z.core.$ZodType): Pick<SettingSchema, 'range' | 'choices'> {
  const range = Range.safeParse(z.globalRegistry.get(schema)).data
  if (range) return { range, choices: undefined }
  if (schema instanceof z.ZodEnum) return { range: undefined, choices: schema.options.map(String) }
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional) return innermost(schema.def.innerType)
  return schema instanceof z.ZodPipe ? innermost(schema.def.in) : { range: undefined, choices: undefined }
}

export const SETTING_SCHEMAS: ReadonlyMap<string, SettingSchema> = new Map(
  Object.entries(INSTANCE_SETTINGS.shape).map(([name, schema]) => {
    const fallback = schema instanceof z.ZodPrefault ? schema.def.defaultValue : undefined
    return [name, { name, fallback, ...innermost(schema), meaning: schema.description }]
  }),
)
