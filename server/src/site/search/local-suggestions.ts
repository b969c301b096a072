// What can be suggested without asking anyone: bangs that begin as the last word does, and the answer to a text that can
// be computed here. An answer that is random, about the reader, or different in another time zone waits for the search.
import type { InstantAnswers } from '../../cards/instant-answers.ts'
import { Refusal } from '../../errors.ts'
import type { PageContext } from '../http/page.ts'
import { answerLanguage } from './answer-box.ts'
import { bangsLike } from './bang.ts'
import { splitAnswer, withMinus } from './instant-parts.ts'

export interface Suggestion {
  text: string
  /** Beside it: where a bang leads, or the answer. */
  description?: string
}

const MAX_BANGS = 8
/** Longer ones don't fit into a line. */
const MAX_ANSWER_LENGTH = 60

/** Whatever is before the bang stays; empty if the last word isn't the beginning of one. */
export async function suggestBangs({ words }: Pick<PageContext, 'words'>, text: string): Promise<Suggestion[]> {
  const at = text.lastIndexOf(' ') + 1
  if (text[at] !== '!' || text.length - at < 2) return []
  const bangs = await bangsLike(text.slice(at + 1).toLowerCase(), MAX_BANGS)
  return bangs.map(({ trigger, tab, host }) => ({
    text: `${text.slice(0, at)}!${trigger}`,
    description: tab ? words.frame.tabs[tab] : host,
  }))
}

/** The text itself, with its answer beside it. */
export async function suggestAnswer(
  answers: InstantAnswers,
  context: PageContext,
  text: string,
): Promise<Suggestion | undefined> {
  const found = await computedAnswer(answers, context, text)
  if (!found || found.isPersonal || found.usesZone) return undefined
  const { question = '', value } = withMinus(splitAnswer(found.answer.text))
  if (value.length > MAX_ANSWER_LENGTH || value.includes('\n')) return undefined
  const sign = /[=≈]$/.exec(question)?.[0]
  return { text, description: sign ? `${sign} ${value}` : value }
}

async function computedAnswer(answers: InstantAnswers, context: PageContext, text: string) {
  const { caller, ip, preferences } = context
  const lang = answerLanguage(context, preferences)
  try {
    return await answers.answer(caller, { text, lang, client: { ip }, asksNobody: true })
  } catch (error) {
    // It needs a source, which is asked once the reader searches.
    if (error instanceof Refusal) return null
    throw error
  }
}
