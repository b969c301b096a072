// GET and POST /api/v1/translate/ and GET /api/v1/translate/languages/. POST keeps the text out of
// the URL, and so out of the logs of any proxies in between.
import { z } from 'zod'
import { isLonger, type Translate } from '../../translate/translate.ts'
import { defineEndpoint } from '../endpoint.ts'

const REQUIRED = 'This parameter is required.'
const NOT_A_STRING = 'Send this parameter as a string.'
/** Four bytes, percent-encoded. */
const MAX_BYTES_PER_CHARACTER = 12
/** Space for the other fields. */
const OTHER_BYTES = 4_096
const MAX_CODE_LENGTH = 35

/** White space is part of a text and is kept. */
const textParam = (description: string, maxLength: number) =>
  z
    .string({ error: NOT_A_STRING })
    .default('')
    .refine((text) => !isLonger(text, maxLength), `Send at most ${maxLength} characters.`)
    .meta({ description, schema: { type: 'string', maxLength } })

const TranslateParams = (maxLength: number) =>
  z
    .object({
      q: textParam('The text to translate. Required, as `q` or as `text`.', maxLength),
      text: textParam('Same as `q`.', maxLength),
      target: z
        .string({ error: (issue) => (issue.input === undefined ? REQUIRED : NOT_A_STRING) })
        .trim()
        .min(1, REQUIRED)
        .meta({
          description: 'The target language: a code from `translate/languages/`.',
          example: 'fr',
          schema: { type: 'string', minLength: 1, maxLength: MAX_CODE_LENGTH },
        }),
      source: z
        .string({ error: NOT_A_STRING })
        .trim()
        .default('auto')
        .transform((code) => code || 'auto')
        .meta({
          description: 'The source language: a code from `translate/languages/`, or `auto` to detect it.',
          example: 'auto',
          schema: { type: 'string', maxLength: MAX_CODE_LENGTH, default: 'auto' },
        }),
    })
    // Checked even when another parameter is wrong, so that all mistakes are reported at once.
    .refine(({ q, text }) => !isBlank(q) || !isBlank(text), { path: ['q'], error: REQUIRED, when: () => true })
    .refine(({ q, text }) => isBlank(q) || isBlank(text) || q === text, {
      path: ['text'],
      error: 'Send the text as q or as text, not both.',
      when: () => true,
    })

/** A value that is not a string at all is reported elsewhere. */
const isBlank = (text: unknown): boolean => typeof text === 'string' && text.trim() === ''

const TranslateReply = z
  .object({
    source: z.string().describe('The code of the source language, or `auto` if detection was requested.'),
    target: z.string(),
    translated_text: z.string(),
    detected_lang: z.string().describe('The detected language if `source` is `auto`; otherwise empty.'),
  })
  .meta({ id: 'TranslateReply' })

export const translateEndpoint = (translate: Translate) =>
  defineEndpoint({
    name: 'translate',
    method: 'GET',
    post: { maxBodyBytes: translate.maxCharacters * MAX_BYTES_PER_CHARACTER + OTHER_BYTES },
    path: '/api/v1/translate/',
    summary: 'Translation',
    description:
      'Translates a text. POST takes the parameters as form fields or as a JSON object and is better for long texts; a parameter in the body overrides the same one in the query string.',
    params: TranslateParams(translate.maxCharacters),
    reply: TranslateReply,
    counts: true,
    scope: 'translate',
    async handle({ params: { q, text, source, target }, caller }) {
      const input = isBlank(q) ? { text, textParameter: 'text' } : { text: q, textParameter: 'q' }
      const translation = await translate.translate(caller, { ...input, source, target })
      return {
        source: translation.source,
        target: translation.target,
        translated_text: translation.text,
        detected_lang: translation.detected,
      }
    },
  })

export const translateLanguagesEndpoint = (translate: Translate) =>
  defineEndpoint({
    name: 'translate_languages',
    method: 'GET',
    path: '/api/v1/translate/languages/',
    summary: 'Translation languages',
    description: 'The languages offered by the connected translation backend.',
    params: z.object({}),
    reply: z
      .object({ languages: z.array(z.object({ code: z.string(), name: z.string() })) })
      .meta({ id: 'TranslateLanguagesReply' }),
    counts: false,
    scope: 'translate',
    isTagged: true,
    handle: async ({ caller }) => ({ languages: await translate.languages(caller) }),
  })
