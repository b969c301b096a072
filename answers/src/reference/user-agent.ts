// The client's own browser: `what is my user agent`, `what browser am i using`, `user agent`. `user agent switcher` and
// `best browser` are ordinary searches and stay unanswered. Browsers reveal less and less: versions are rounded, and
// Windows 11 calls itself Windows 10.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { oneLine } from '../lib/payload.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'

const TRIGGERS: Triggers = {
  en: [
    /^user[- ]agent$/,
    /^(?:(?:what is|what's|whats|show|show me|check) )?my user[- ]?agent(?: string)?$/,
    /^(?:(?:what is|what's|whats|show|show me|check) )?my (?:web )?browser(?: version)?$/,
    /^(?:what|which) (?:web )?browser (?:am i using|do i use|do i have|is this)$/,
  ],
  fr: [/^(?:quel est )?mon (?:user[- ]?agent|navigateur)$/],
  de: [
    /^(?:(?:was ist|welcher ist|wie ist) )?mein (?:user[- ]?agent|browser)$/,
    /^welchen browser (?:habe|nutze|benutze) ich$/,
  ],
  es: [/^(?:cual es )?mi (?:user[- ]?agent|navegador)$/],
  it: [/^(?:qual e )?il mio (?:user[- ]?agent|browser)$/],
  pt: [/^(?:qual e )?o meu (?:user[- ]?agent|navegador)$/],
  nl: [/^(?:wat is )?mijn (?:user[- ]?agent|browser)$/],
}

const MAX_USER_AGENT_LENGTH = 1_000

export const userAgent = defineAnswer({
  slug: 'user_agent',
  title: 'Your user agent',
  summary: 'The browser or program that the query came from, as it describes itself.',
  examples: [{ q: 'what is my user agent' }, { q: 'what browser am i using' }],
  isPersonal: true,
  reply: z.object({
    user_agent: z.string(),
    browser: z.string().describe('Empty if unknown, like the members below.'),
    browser_version: z.string(),
    engine: z.string(),
    operating_system: z.string(),
    device: z.string(),
  }),
  match(question) {
    return /agent|browser|nav[ei]ga/.test(question.folded) ? readTriggers(question, TRIGGERS, () => ({})) : null
  },
  async answer(_match, { client }) {
    const header = client.userAgent.slice(0, MAX_USER_AGENT_LENGTH)
    // The parser rejects an empty string.
    if (header === '') return null
    const { default: bowser } = await import('bowser')
    const { browser, engine, os, platform } = bowser.parse(header)
    const browserText = [browser.name, browser.version].filter(Boolean).join(' ')
    const systemText = [os.name, os.version].filter(Boolean).join(' ')
    const text = browserText && systemText ? `${browserText} on ${systemText}` : browserText || header
    return {
      text: oneLine(text),
      user_agent: header,
      browser: browser.name ?? '',
      browser_version: browser.version ?? '',
      engine: engine.name ?? '',
      operating_system: systemText,
      device: platform.type ?? '',
    }
  },
})
