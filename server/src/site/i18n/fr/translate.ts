// Translation, in French.
import type { TranslateWords } from '../en/translate.ts'

export const translateFr: TranslateWords = {
  title: 'Traduire',
  from: 'De',
  to: 'Vers',
  detect: 'Détecter',
  text: 'Texte',
  limit: (most) => `${most} caractères au plus. Rien de ce que vous écrivez ici n’est conservé.`,
  translate: 'Traduire',
  translation: 'Traduction',
  detected: (language) => `Langue reconnue : ${language}`,
  noText: 'Écrivez un texte à traduire.',
  tooLong: (most) => `C’est trop long. Raccourcissez à ${most} caractères.`,
  tooLongThere: 'C’est trop long pour le service de traduction. Envoyez le texte en plusieurs fois.',
  unknownSource: 'Cette langue n’est pas disponible. Choisissez-en une autre.',
  undetected: 'La langue n’a pas été reconnue. Choisissez-la.',
  wrongTarget: 'Il n’y a pas de traduction de l’une vers l’autre. Choisissez une autre langue.',
  notSetUp: {
    title: 'La traduction n’est pas configurée ici',
    help: 'L’exploitant de ce site n’a désigné aucun service de traduction.',
    adminHelp: 'Réglez LIBRETRANSLATE_URL ou APERTIUM_URL sur un service à vous, puis redémarrez.',
  },
  failed: 'Le service de traduction n’a pas répondu',
}
