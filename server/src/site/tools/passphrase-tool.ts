// Random passphrases of English words. With script they are made in the browser, out of the same list of words, and sent
// nowhere; without it, the server makes one that no cache may store.
import { randomInt } from 'node:crypto'
import { DEFAULT_WORDS, MAX_WORDS, MIN_WORDS, newPassphrase } from '@bowerbird/answers/random/passphrase.ts'
import { WORD_LIST_PATH } from '../assets.ts'
import { html } from '../http/html.ts'
import { defineTool } from './define-tool.ts'
import { madeText, makeAndCopy, readCount } from './made-text.ts'

export const passphraseTool = defineTool({
  name: 'passphrase',
  title: ({ tools }) => tools.passphrase.title,
  summary: ({ tools }) => tools.passphrase.summary,
  calls: {
    en: ['passphrase generator', 'random passphrase generator', 'diceware generator', 'passphrase maker'],
    fr: ['générateur de phrase de passe', 'générateur de phrases de passe'],
    de: ['passphrase-generator', 'passphrasen-generator', 'passphrasengenerator'],
    es: ['generador de frases de contraseña', 'generador de frase de contraseña'],
    it: ['generatore di passphrase', 'generatore passphrase'],
    pt: ['gerador de frases-senha', 'gerador de frase-senha', 'gerador de passphrase'],
    nl: ['wachtzingenerator', 'wachtzin generator', 'wachtwoordzin generator'],
    pl: ['generator haseł ze słów', 'generator passphrase'],
  },
  fields: ['words'],
  script: 'passwords',
  isPersonal: true,
  async view(context, params) {
    const { tools } = context.words
    const count = readCount(params.words, { least: MIN_WORDS, most: MAX_WORDS, otherwise: DEFAULT_WORDS })
    const { phrase, bits } = await newPassphrase(count, (below) => randomInt(below))
    return html`<form class="tool-form" method="get" action="/tools/passphrase" data-words="${WORD_LIST_PATH}">
${madeText(context, { made: { text: phrase, bits } })}
<div class="tool-fields"><label>${tools.passphrase.words} <input type="number" name="words" min="${MIN_WORDS}" max="${MAX_WORDS}" inputmode="numeric" value="${count}"></label></div>
${makeAndCopy(context)}</form>`
  },
})
