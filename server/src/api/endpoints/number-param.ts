// A parameter that is a whole number within bounds: a text in a URL or a form, or a number in JSON. An empty one counts
// as not sent.
import { z } from 'zod'

export const numberParam = (
  description: string,
  { min, max, defaultValue }: { min: number; max: number; defaultValue: number },
) =>
  z
    .union([z.string(), z.number()], { error: `Send a whole number from ${min} to ${max}.` })
    .default('')
    .transform((sent, context) => {
      const text = String(sent).trim()
      const number = text === '' ? defaultValue : /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN
      if (number >= min && number <= max) return number
      context.addIssue({ code: 'custom', message: `Send a whole number from ${min} to ${max}.` })
      return defaultValue
    })
    .meta({
      description,
      example: defaultValue,
      schema: { type: 'integer', minimum: min, maximum: max, default: defaultValue },
    })
