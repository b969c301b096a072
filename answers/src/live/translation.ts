// Translation of a word or a sentence: `translate good morning to german`, `wie sagt man hallo auf spanisch`, `comment
// dit-on chien en anglais`, `hello in french`. The request must be explicit; without a verb only well-known short
// phrases count. Must not answer: `made in france`, `hotels in spanish`, `love in french film`, `translate css
// property`. Answers nothing if the instance has no translation backend, or if the backend doesn't know the language.
import { z } from 'zod'
import { defineAnswer, type Translation } from '../answer.ts'
import { type Parts, readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { fillIn } from '../lib/write-text.ts'
import { fold, LANGUAGES, type Language, type Question } from '../question.ts'

const HINT =
  /transl|say|what|in |trad|dit|dire|en |ubersetz|sag|heisst|heißt|auf |dice|come |como |diz|para |vertaal|zeg|naar /
const MAX_PHRASE_LENGTH = 200
const PHRASE = `["'“„«]?(?<phrase>.{1,${MAX_PHRASE_LENGTH}}?)["'”“»]?`
const NAME = '(?<name>[a-z]{4,12}(?: [a-z]{4,12})??)'

/** `phrase` may be anything, `known` must be one of the phrases below. */
const TRIGGERS: Triggers = {
  en: [
    new RegExp(`^translate ${PHRASE} (?:from [a-z]{4,12} )?(?:in)?to ${NAME}$`),
    new RegExp(`^translate (?:in)?to ${NAME}:? ${PHRASE}$`),
    new RegExp(`^how (?:do you|do i|would you|to|do we) say ${PHRASE} in ${NAME}$`),
    new RegExp(`^(?:what is|what's) (?:the )?${NAME} (?:word |translation )?for ${PHRASE}$`),
    new RegExp(`^${PHRASE} (?:in |to )?${NAME} translation$`),
    new RegExp(`^(?:what is |what's )?(?:the word )?(?<known>[a-z' ]{2,20}) in ${NAME}$`),
  ],
  fr: [
    new RegExp(`^(?:traduire|traduis|traduction(?: de| du)?) ${PHRASE} en ${NAME}$`),
    new RegExp(`^(?:comment )?(?:dit[ -]on|dire|on dit|se dit) ${PHRASE} en ${NAME}$`),
    new RegExp(`^(?<known>[a-z' ]{2,20}) en ${NAME}$`),
  ],
  de: [
    new RegExp(`^(?:ubersetze|ubersetzen|ubersetzung(?: von)?) ${PHRASE} (?:auf|ins|in|nach) ${NAME}$`),
    new RegExp(`^(?:wie sagt man|was (?:heisst|heißt|bedeutet)|wie (?:heisst|heißt)) ${PHRASE} (?:auf|in) ${NAME}$`),
    new RegExp(`^(?<known>[a-zß' ]{2,20}) auf ${NAME}$`),
  ],
  es: [
    new RegExp(`^(?:traducir|traduce|traduccion de) ${PHRASE} (?:al|a|en) ${NAME}$`),
    new RegExp(`^como se dice ${PHRASE} en ${NAME}$`),
    new RegExp(`^(?<known>[a-z' ]{2,20}) en ${NAME}$`),
  ],
  it: [
    new RegExp(`^(?:traduci|tradurre|traduzione di) ${PHRASE} in ${NAME}$`),
    new RegExp(`^come si dice ${PHRASE} in ${NAME}$`),
    new RegExp(`^(?<known>[a-z' ]{2,20}) in ${NAME}$`),
  ],
  pt: [
    new RegExp(`^(?:traduzir|traduza|traducao de) ${PHRASE} (?:para|em|para o) ${NAME}$`),
    new RegExp(`^como se diz ${PHRASE} em ${NAME}$`),
    new RegExp(`^(?<known>[a-z' ]{2,20}) em ${NAME}$`),
  ],
  nl: [
    new RegExp(`^(?:vertaal|vertaling(?: van)?) ${PHRASE} (?:naar|in)(?: het)? ${NAME}$`),
    new RegExp(`^hoe zeg je ${PHRASE} in(?: het)? ${NAME}$`),
    new RegExp(`^(?<known>[a-z' ]{2,20}) in het ${NAME}$`),
  ],
}

/** Phrases that people ask for without a verb. Any other query of that form is about something else. */
const KNOWN_PHRASES: Readonly<Record<Language, string>> = {
  en: "hello,hi,goodbye,bye,thank you,thanks,thank you very much,please,yes,no,sorry,excuse me,good morning,good afternoon,good evening,good night,how are you,i love you,happy birthday,merry christmas,happy new year,good luck,cheers,congratulations,welcome,see you later,you're welcome,my name is,dog,cat,water",
  fr: "bonjour,salut,bonsoir,bonne nuit,au revoir,merci,merci beaucoup,s'il vous plait,oui,non,pardon,je t'aime,bon anniversaire,joyeux anniversaire,joyeux noel,bonne annee,bonne chance,bienvenue,chien,chat",
  de: 'hallo,guten morgen,guten tag,guten abend,gute nacht,tschuss,danke,bitte,ja,nein,entschuldigung,ich liebe dich,alles gute zum geburtstag,frohe weihnachten,frohes neues jahr,prost,willkommen,hund,katze,wasser',
  es: 'hola,buenos dias,buenas tardes,buenas noches,adios,gracias,muchas gracias,por favor,si,no,perdon,te quiero,te amo,feliz cumpleanos,feliz navidad,feliz ano nuevo,buena suerte,bienvenido,perro,gato,agua',
  it: 'ciao,buongiorno,buonasera,buonanotte,arrivederci,grazie,grazie mille,per favore,si,no,scusa,ti amo,buon compleanno,buon natale,buon anno,buona fortuna,benvenuto,cane,gatto,acqua',
  pt: 'ola,oi,bom dia,boa tarde,boa noite,adeus,tchau,obrigado,obrigada,por favor,sim,nao,desculpa,eu te amo,feliz aniversario,feliz natal,feliz ano novo,boa sorte,bem-vindo,cao,cachorro,gato,agua',
  nl: 'hallo,goedemorgen,goedemiddag,goedenavond,welterusten,tot ziens,dank je,dank je wel,bedankt,alsjeblieft,ja,nee,sorry,ik hou van jou,gefeliciteerd,vrolijk kerstfeest,gelukkig nieuwjaar,proost,welkom,hond,kat,water',
}

const SENTENCES: Readonly<Record<Language, string>> = {
  en: '{input} in {language}: {output}',
  fr: '{input} en {language} : {output}',
  de: '{input} auf {language}: {output}',
  es: '{input} en {language}: {output}',
  it: '{input} in {language}: {output}',
  pt: '{input} em {language}: {output}',
  nl: '{input} in het {language}: {output}',
}

export const translation = defineAnswer({
  slug: 'translation',
  title: 'Translation',
  summary: 'Translates a word or a sentence with the translation backend of the instance.',
  examples: [
    { q: 'hello in french' },
    { q: 'translate good morning to german' },
    { q: 'wie sagt man hallo auf spanisch', lang: 'de' },
    { q: 'comment dit-on merci en anglais', lang: 'fr' },
  ],
  reply: z.object({
    input: z.string(),
    translation: z.string(),
    source: z.string().describe('Language code'),
    target: z.string().describe('Language code'),
  }),
  match(question) {
    if (!HINT.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, (parts, spoken) => readRequest(parts, spoken, question))
  },
  async answer({ input, target, language }, { translate }) {
    const isTranslated = (one: Translation | null | undefined) => one && one.source !== one.target
    let translated = await translate?.({ text: input, target })
    // Detection often fails for a single word: try the language of the query.
    if (!isTranslated(translated) && language !== target) {
      translated = await translate?.({ text: input, target, source: language })
    }
    if (!translated || !isTranslated(translated)) return null
    const output = translated.text.replace(/\s+/g, ' ').trim()
    if (output === '') return null
    const text = fillIn(SENTENCES[language], { input, output, language: languageName(target, language) })
    return { text, input, translation: output, source: translated.source, target: translated.target }
  },
})

function readRequest({ phrase = '', known = '', name = '' }: Parts, spoken: Language, question: Question) {
  const target = readLanguageName(name.replace(/^het /, ''))
  if (target === undefined) return undefined
  if (known !== '' && !KNOWN_PHRASES[spoken].split(',').includes(known)) return undefined
  return { target, input: asWritten(phrase || known, question) }
}

/** Restores the phrase's case and accents from the original text, if possible; triggers match without them. */
function asWritten(phrase: string, { text, folded }: Question): string {
  const [words, all] = [phrase.split(' '), text.split(' ')]
  const before = folded.slice(0, folded.indexOf(phrase)).split(' ').length - 1
  const written = all.slice(before, before + words.length).join(' ')
  const bare = written.replace(/^["'“„«]|["'”“»?!.,:]$/g, '')
  return fold(bare) === phrase.replace(/["'”“»?!.,:]$/, '') ? bare : phrase
}

/** Languages that translation backends are likely to support; the backend has the final say. */
const LANGUAGE_CODES =
  'af ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk kn ko ky lt lv mk ml mn mr ms mt nb ne nl no pa pl pt ro ru sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh'.split(
    ' ',
  )

const ALIASES: Readonly<Record<string, string>> = {
  mandarin: 'zh',
  mandarino: 'zh',
  castilian: 'es',
  castellano: 'es',
  filipino: 'tl',
  tagalog: 'tl',
  farsi: 'fa',
  flemish: 'nl',
  hollandais: 'nl',
  olandese: 'nl',
  'brazilian portuguese': 'pt',
}

let codeByName: ReadonlyMap<string, string> | undefined

/**
 * Returns the code of a language by its name in any of the seven: `french`, `franzosisch`. The names come from Intl and
 * are indexed on first use. `name` is folded.
 */
function readLanguageName(name: string): string | undefined {
  codeByName ??= indexNames()
  return codeByName.get(name)
}

function indexNames(): ReadonlyMap<string, string> {
  const names = new Map(Object.entries(ALIASES))
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames(language, { type: 'language', fallback: 'none' })
    for (const code of LANGUAGE_CODES) {
      const name = fold(display.of(code) ?? '')
      if (name === '' || names.has(name)) continue
      names.set(name, code)
      // German also has `ins Französische`.
      if (language === 'de') names.set(`${name}e`, code)
    }
  }
  return names
}

const languageName = (code: string, locale: Language): string =>
  new Intl.DisplayNames(locale, { type: 'language', fallback: 'code' }).of(code) ?? code
