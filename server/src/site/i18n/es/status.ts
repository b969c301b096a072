// The status page, in Spanish.
import type { StatusWords } from '../en/status.ts'

export const statusEs: StatusWords = {
  title: 'Estado',
  allUp: 'Todos los proveedores funcionan.',
  noneDown: (unknown) =>
    unknown === 1
      ? 'Nada está caído. A un proveedor aún no se le ha preguntado.'
      : `Nada está caído. A ${unknown} proveedores aún no se les ha preguntado.`,
  someDown: (down, all) =>
    down === 1 ? `Uno de ${all} proveedores está caído.` : `${down} de ${all} proveedores están caídos.`,
  withoutContract: (names: string) =>
    `Consultados sin contrato: ${names}. Allí se envían la consulta, su idioma y sus filtros, y la dirección de este servidor, pero no la suya.`,
  noHistory: 'El historial no se puede leer en este momento. Lo que funciona ahora se conoce igualmente.',
  empty: 'No hay ningún proveedor configurado',
  emptyHelp: 'Un administrador elige qué buscadores consulta esta instancia. Hasta entonces no hay nada que vigilar.',
  states: { up: 'Funciona', down: 'Caído', unknown: 'Aún sin preguntar' },
  groups: {
    web: 'Web',
    images: 'Imágenes',
    news: 'Noticias',
    videos: 'Vídeos',
    science: 'Ciencia',
    code: 'Código',
    suggest: 'Sugerencias',
    maps: 'Lugares',
    translate: 'Traducción',
    weather: 'El tiempo',
    currency: 'Tipos de cambio',
    cards: 'Fichas',
  },
  noData: 'Nada observado todavía',
  upShare: (share) => `Ha funcionado el ${share} del tiempo observado`,
  day: (day, share) => (share === undefined ? `${day}: nada observado` : `${day}: funcionó el ${share}`),
  daysAgo: (days) => `Hace ${days} días`,
  today: 'Hoy',
  troubles: {
    timeout: 'No responde a tiempo.',
    unreachable: 'No se puede conectar con él.',
    serverError: 'Responde con un error del servidor.',
    throttled: 'Pide menos consultas.',
    blocked: 'Rechaza este servidor.',
    rejected: 'Rechaza nuestras consultas.',
    malformed: 'Sus respuestas no se entienden.',
  },
  advice: {
    timeout: 'Nada que hacer mientras no dure. SEARCH_TIMEOUT_MS da más tiempo a un proveedor lento.',
    unreachable: 'Revise la dirección en sus ajustes y si este servidor puede alcanzarla.',
    serverError:
      'Nada que hacer salvo que dure; entonces pregunte al proveedor o, si el servidor es suyo, consulte su registro.',
    throttled: 'Baje su ritmo, o contrate un plan mayor con el proveedor.',
    blocked: 'Ponga OPERATOR_CONTACT para que sepa quién pregunta, o elija otro proveedor.',
    rejected: 'Su clave es errónea, ha caducado o no tiene saldo: mire sus ajustes y su cuenta.',
    malformed: 'Su interfaz puede haber cambiado: busque una versión más reciente de Bowerbird.',
  },
}
