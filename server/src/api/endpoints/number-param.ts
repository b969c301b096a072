// A whole number within bounds, as a text in a URL or a form, or as a number in JSON. Empty is the same as not sent.
import { z } from 'zod'

export const numberParam = (
  description: string,
  { min, max, otherwise }: { min: number; max: number; otherwise: number },
) =>
  z
    .union([z.string(), z.number()], { error: `Send a whole number from ${min} to ${max}.` })
    .default('')
    .transform((sent, context) => {
      const text = String(sent).trim()
      const number = text === '' ? otherwise : /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN
      if (number >= min && number <= max) return number
      context.addIssue({ code: 'custom', message: `Send a whole number from ${min} to ${max}.` })
      return otherwise
    })
    .meta({
      description,
      example: otherwise,
      schema: { type: 'integer', minimum: min, maximum: max, default: otherwise },
    })
