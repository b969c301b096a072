// Attempts a translation, and explains whatever goes wrong in the reader's language. The service's error messages are
// written for programs; only the field they are about is used.
import { type FieldMessages, Refusal } from '../../errors.ts'
import { isLonger, type Translation } from '../../translate/translate.ts'
import type { PageContext } from '../http/page.ts'

export const AUTO = 'auto'

interface FormValues {
  text: string
  source: string
  target: string
}

interface Outcome {
  status: number
  headers: Record<string, string>
  translation?: Translation
  messages?: FieldMessages
  failure?: string
}

export async function attemptTranslation({
  form,
  services,
  words,
  locale,
}: PageContext<unknown, FormValues>): Promise<Outcome> {
  const { translate, search } = words
  if (!form.ok) return { status: 400, headers: {}, messages: form.messages }
  const { text, source, target } = form.values
  const { maxCharacters } = services.translate
  if (isLonger(text, maxCharacters)) {
    const most = new Intl.NumberFormat(locale).format(maxCharacters)
    return { status: 400, headers: {}, messages: { text: [translate.tooLong(most)] } }
  }
  try {
    const translation = await services.translate.translate({ text, source: source || AUTO, target })
    return { status: 200, headers: {}, translation }
  } catch (error) {
    if (isUnavailable(error)) {
      const failure = `${translate.failed}. ${search.failed.help(secondsIn(error))}`
      return { status: 503, headers: { ...error.headers }, failure }
    }
    if (!(error instanceof Refusal) || error.status !== 400) throw error
    const isDetecting = source === AUTO
    return {
      status: 400,
      headers: {},
      messages: {
        ...('q' in error.body && { text: [translate.tooLongThere] }),
        ...('source' in error.body && { source: [isDetecting ? translate.undetected : translate.unknownSource] }),
        ...('target' in error.body && { target: [translate.wrongTarget] }),
      },
    }
  }
}

export const isUnavailable = (error: unknown): error is Refusal => error instanceof Refusal && error.status === 503

export const secondsIn = ({ headers }: Refusal): number => Number(headers['Retry-After'] ?? 1)
