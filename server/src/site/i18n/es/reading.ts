// The Read view, in Spanish.
import type { ReadingWords } from '../en/reading.ts'

export const readingEs: ReadingWords = {
  read: 'Leer',
  readPage: (title) => `Leer: ${title}`,
  back: 'Volver a los resultados',
  original: 'Página original',
  again: 'Volver a intentarlo',
  ways: 'Adónde ir',
  waysBelow: 'Adónde ir desde aquí',
  table: 'Tabla',
  code: 'Código',
  failed: 'Esta página no se puede mostrar aquí',
  failures: {
    too_large: 'La página es demasiado grande para mostrarla aquí.',
    too_complex: 'La página es demasiado compleja para mostrarla aquí.',
    not_text: 'En esta dirección no hay texto, o no en un formato que se pueda mostrar aquí.',
    no_content: 'No se encontró texto en la página. Quizá necesite JavaScript para mostrarlo.',
    robots: 'El sitio no permite que los programas lean esta página.',
    blocked: 'Esta dirección no es pública, así que no se consulta.',
    status: 'La página respondió con un error.',
    redirects: 'La página redirige demasiadas veces.',
    timeout: 'La página no llegó a tiempo.',
    unreachable: 'No se pudo acceder a la página.',
  },
  statusFailure: (status) => `La página respondió con HTTP ${status}.`,
  expired: 'Este enlace ha caducado',
  expiredHelp:
    'Una página se puede leer durante unas dos horas después de que una búsqueda la haya encontrado. Vuelva a buscar para leerla.',
  busy: 'Se están leyendo demasiadas páginas',
  busyHelp: 'Vuelva a intentarlo en unos segundos o abra la página original.',
}
