// Translation, in Spanish.
import type { TranslateWords } from '../en/translate.ts'

export const translateEs: TranslateWords = {
  title: 'Traducir',
  from: 'De',
  to: 'A',
  detect: 'Detectar',
  text: 'Texto',
  limit: (most) => `${most} caracteres como máximo. No se guarda nada de lo que escriba aquí.`,
  translate: 'Traducir',
  translation: 'Traducción',
  detected: (language) => `Idioma reconocido: ${language}`,
  noText: 'Escriba un texto para traducir.',
  tooLong: (most) => `Es demasiado largo. Acórtelo a ${most} caracteres.`,
  tooLongThere: 'Es demasiado largo para el servicio de traducción. Envíelo por partes.',
  unknownSource: 'Este idioma no está disponible. Elija otro.',
  undetected: 'No se pudo reconocer el idioma. Elíjalo.',
  wrongTarget: 'No hay traducción de un idioma al otro. Elija otro.',
  notSetUp: {
    title: 'La traducción no está configurada aquí',
    help: 'El responsable de este sitio no ha indicado ningún servicio de traducción.',
    adminHelp: 'Defina LIBRETRANSLATE_URL o APERTIUM_URL con un servicio propio, y reinicie.',
  },
  failed: 'El servicio de traducción no respondió',
}
