// Translation, in English.
export const translateEn = {
  title: 'Translate',
  from: 'From',
  to: 'To',
  detect: 'Detect language',
  text: 'Text',
  limit: (most: string) => `At most ${most} characters. Nothing you enter here is stored.`,
  translate: 'Translate',
  translation: 'Translation',
  detected: (language: string) => `Detected language: ${language}`,
  noText: 'Enter some text to translate.',
  tooLong: (most: string) => `This text is too long. Shorten it to ${most} characters or fewer.`,
  tooLongThere: 'This text is too long for the translation service. Translate it in parts.',
  unknownSource: 'This language is not available. Choose another one.',
  undetected: 'The language could not be detected. Choose one.',
  wrongTarget: 'Translation between these two languages is not available. Choose another one.',
  notSetUp: {
    title: 'Translation is not set up on this site',
    help: 'The operator has not configured a translation service.',
    adminHelp: 'Set LIBRETRANSLATE_URL or APERTIUM_URL to a service you run, then restart.',
  },
  failed: 'The translation service did not respond',
}

export type TranslateWords = typeof translateEn
