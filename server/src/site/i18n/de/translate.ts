// Translation, in German.
import type { TranslateWords } from '../en/translate.ts'

export const translateDe: TranslateWords = {
  title: 'Übersetzen',
  from: 'Von',
  to: 'Nach',
  detect: 'Erkennen',
  text: 'Text',
  limit: (most) => `Höchstens ${most} Zeichen. Nichts, was Sie hier schreiben, wird aufbewahrt.`,
  translate: 'Übersetzen',
  translation: 'Übersetzung',
  detected: (language) => `Erkannt als ${language}`,
  noText: 'Schreiben Sie etwas, das übersetzt werden soll.',
  tooLong: (most) => `Das ist zu lang. Kürzen Sie es auf ${most} Zeichen.`,
  tooLongThere: 'Das ist dem Übersetzungsdienst zu lang. Schicken Sie es in Teilen.',
  unknownSource: 'Diese Sprache gibt es hier nicht. Wählen Sie eine andere.',
  undetected: 'Die Sprache wurde nicht erkannt. Wählen Sie sie aus.',
  wrongTarget: 'Von dieser Sprache in jene gibt es keine Übersetzung. Wählen Sie eine andere.',
  notSetUp: {
    title: 'Übersetzen ist hier nicht eingerichtet',
    help: 'Der Betreiber hat keinen Übersetzungsdienst angegeben.',
    adminHelp: 'Setzen Sie LIBRETRANSLATE_URL oder APERTIUM_URL auf einen eigenen Dienst, und starten Sie neu.',
  },
  failed: 'Der Übersetzungsdienst hat nicht geantwortet',
}
