// Random passwords. With script they are made in the browser and sent nowhere; without it, the server makes one that no
// cache may store. Every kind of character that was asked for is in it, as the instant answer has it, too.
import { randomInt } from 'node:crypto'
import {
  CLASSES,
  DEFAULT_LENGTH,
  entropyOf,
  MAX_LENGTH,
  MIN_LENGTH,
  newPassword,
} from '@bowerbird/answers/random/password.ts'
import { html } from '../http/html.ts'
import { defineTool } from './define-tool.ts'
import { madeText, makeAndCopy, readCount } from './made-text.ts'

const SETS = ['lower', 'upper', 'digits', 'symbols'] as const

export const passwordTool = defineTool({
  name: 'password',
  title: ({ tools }) => tools.password.title,
  summary: ({ tools }) => tools.password.summary,
  calls: {
    en: ['password generator', 'random password generator', 'strong password generator', 'password maker'],
    fr: ['générateur de mot de passe', 'générateur de mots de passe', 'générateur mot de passe'],
    de: ['passwort-generator', 'passwort generator', 'passwortgenerator', 'passwort generieren'],
    es: ['generador de contraseñas', 'generador de contraseña', 'generador contraseñas'],
    it: ['generatore password', 'generatore di password'],
    pt: ['gerador de senhas', 'gerador de senha', 'gerador de palavras-passe'],
    nl: ['wachtwoordgenerator', 'wachtwoord generator', 'wachtwoord genereren'],
    pl: ['generator haseł', 'generator hasła'],
  },
  fields: ['length', ...SETS],
  script: 'passwords',
  isPersonal: true,
  view(context, params) {
    const { tools } = context.words
    const words = tools.password
    const length = readCount(params.length, { least: MIN_LENGTH, most: MAX_LENGTH, otherwise: DEFAULT_LENGTH })
    const isOpened = params.length === ''
    const chosen = SETS.filter((set) => isOpened || params[set] !== '')
    const classes = CLASSES.filter((_, at) => chosen.some((set) => SETS.indexOf(set) === at))
    const made =
      classes.length === 0
        ? undefined
        : { text: newPassword(length, classes, (below) => randomInt(below)), bits: entropyOf(length, classes) }
    const boxes = SETS.map(
      (set, at) =>
        html`<label class="choice"><input type="checkbox" name="${set}" value="on" data-letters="${CLASSES[at]}"${chosen.includes(set) && html` checked`}> ${words.sets[set]}</label>`,
    )
    return html`<form class="tool-form" method="get" action="/tools/password">
${madeText(context, { made, none: words.noSets })}
<div class="tool-fields"><label>${words.length} <input type="number" name="length" min="${MIN_LENGTH}" max="${MAX_LENGTH}" inputmode="numeric" value="${length}"></label></div>
<fieldset class="tool-choices"><legend class="visually-hidden">${words.setsLabel}</legend>${boxes}</fieldset>
${makeAndCopy(context)}</form>`
  },
})
