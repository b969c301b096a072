// Translation, in English.
export const translateEn = {
  title: 'Translate',
  from: 'From',
  to: 'Into',
  detect: 'Detect',
  text: 'Text',
  limit: (most: string) => `At most ${most} characters. Nothing you write here is kept.`,
  translate: 'Translate',
  translation: 'Translation',
  detected: (language: string) => `Recognised as ${language}`,
  noText: 'Write something to translate.',
  tooLong: (most: string) => `This is too long. Shorten it to ${most} characters.`,
  tooLongThere: 'This is too long for the translation service. Send it in parts.',
  unknownSource: 'This language is not available. Choose another.',
  undetected: 'The language could not be recognised. Choose it.',
  wrongTarget: 'There is no translation into this language from that one. Choose another.',
  notSetUp: {
    title: 'Translation is not set up here',
    help: 'The operator of this site has named no translation service.',
    adminHelp: 'Set LIBRETRANSLATE_URL or APERTIUM_URL to a service that you run, and start again.',
  },
  failed: 'The translation service did not answer',
}

export type TranslateWords = typeof translateEn
