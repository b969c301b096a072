// Shaping results, in Spanish.
import type { OperatorsWords, SitesWords } from '../en/sites.ts'

export const sites: SitesWords = {
  menu: {
    label: (site) => `Opciones para ${site}`,
    more: 'Más de este sitio',
    block: 'Bloquear este sitio',
    raise: 'Subir',
    lower: 'Bajar',
    pin: 'Fijar arriba',
    none: 'Tratar como siempre',
    choose: 'Bloquear o clasificar este sitio',
  },
  changed: {
    block: (site) => `${site} está bloqueado.`,
    raise: (site) => `${site} sube en los resultados.`,
    lower: (site) => `${site} baja en los resultados.`,
    pin: (site) => `${site} está fijado arriba.`,
    none: (site) => `${site} se trata como siempre.`,
  },
  why: {
    raise: 'Subido por una regla',
    lower: 'Bajado por una regla',
    pin: 'Fijado por una regla',
    prefer: 'Preferido',
  },
  blocked: (count) =>
    count === 1
      ? 'No se muestra un resultado de un sitio bloqueado.'
      : `No se muestran ${count} resultados de sitios bloqueados.`,
  undo: 'Deshacer',
  folded: (count, site) => `${count} más de ${site}`,
  choosing: {
    title: (site) => `Resultados de ${site}`,
    help: 'Su elección se guarda en una cookie de este navegador y en ningún otro lugar.',
    back: 'Volver a los resultados',
  },
  page: {
    titles: { person: 'Sitios', browser: 'Sitios', instance: 'Sitios', key: 'Sitios para esta clave' },
    intros: {
      person: 'Los sitios que quiere ver primero, menos o nunca. Se aplica a sus búsquedas en esta web.',
      browser:
        'Los sitios que quiere ver primero, menos o nunca. La lista se guarda en una cookie de este navegador y en ningún otro lugar.',
      instance:
        'Se aplica a todo el mundo, en la web y con cualquier clave. Un sitio bloqueado aquí lo está para todos; en lo demás, manda lo que elijan las personas y las claves.',
      key: 'Se aplica a las búsquedas con esta clave.',
    },
    full: (most) => `En un navegador caben ${most} sitios. Quite uno primero.`,
    list: {
      caption: 'Sitios',
      site: 'Sitio',
      action: 'Qué ocurre',
      remove: 'Quitar',
      removeSite: (site) => `Quitar ${site}`,
      empty: 'Todavía no hay sitios',
      emptyHelp: 'Use el menú de un resultado, o añada uno abajo.',
      find: 'Buscar un sitio',
      findSubmit: 'Buscar',
      all: 'Mostrar todos',
      noneFound: 'Ninguno de sus sitios tiene esto en el nombre.',
      shown: (shown, all) => `Se muestran ${shown} de ${all}. Busque para encontrar los demás.`,
    },
    actions: { block: 'Bloqueado', lower: 'Baja', raise: 'Sube', pin: 'Fijado arriba' },
    rewrite: (host) => `Se muestra en ${host}`,
    add: {
      title: 'Añadir un sitio',
      site: 'Sitio',
      siteHelp:
        'Un dominio como example.org, con sus subdominios; uno con ruta, como example.org/shop/*; o una terminación como *.example.',
      action: 'Qué debe ocurrir',
      choices: {
        block: 'Bloquearlo',
        lower: 'Bajarlo',
        raise: 'Subirlo',
        pin: 'Fijarlo arriba',
        rewrite: 'Mostrar otra dirección',
      },
      to: 'Dirección que se muestra',
      toHelp: 'Para «Mostrar otra dirección»: por ejemplo, el host de una interfaz privada.',
      submit: 'Añadir sitio',
      badSite: 'Esto no es un sitio. Escriba un dominio, por ejemplo example.org.',
      badTarget: 'Escriba el host que se mostrará en su lugar, por ejemplo front.example.org.',
    },
    import: {
      title: 'Importar y exportar',
      help: 'Un sitio por línea, o una lista de uBlacklist, Brave Goggles, Kagi, SearXNG (hostnames.yml) o un archivo hosts.',
      text: 'Lista',
      file: 'O desde un archivo',
      submit: 'Importar',
      nothing: 'Pegue primero una lista, o elija un archivo.',
      problems: (count) => (count === 1 ? 'Se omitió una línea:' : `Se omitieron ${count} líneas:`),
      more: (count) => `… y ${count} más`,
      download: 'Descargar la lista',
    },
    lists: {
      title: 'Suscripciones',
      help: 'Listas que publican otros. Se descargan una vez al día.',
      caption: 'Suscripciones',
      address: 'Dirección de la lista',
      action: 'Para los sitios sin indicación propia',
      submit: 'Suscribirse',
      unsubscribe: 'Cancelar',
      unsubscribeFrom: (address) => `Cancelar la suscripción a ${address}`,
      list: 'Lista',
      publisher: 'Publicada por',
      licence: 'Licencia',
      size: 'Sitios',
      fetched: 'Última descarga',
      never: 'Todavía no',
      badAddress: 'Escriba una dirección que empiece por https://.',
    },
    done: {
      added: 'Guardado.',
      removed: 'Quitado.',
      subscribed: 'Suscrito. La lista se está descargando.',
      unsubscribed: 'Suscripción cancelada.',
    },
    imported: (count) => (count === 1 ? 'Se añadió un sitio.' : `Se añadieron ${count} sitios.`),
  },
}

export const operators: OperatorsWords = {
  label: 'Operadores de búsqueda',
  intro:
    'Se pueden combinar y valen para todos los buscadores: si uno no los entiende, sus resultados se comprueban aquí.',
  word: 'roble',
  phrase: 'viejo roble',
  meanings: {
    site: 'Solo páginas de este sitio. Si hay varios, de cualquiera de ellos.',
    notSite: 'Ninguna página de este sitio.',
    after: 'Publicadas ese día o más tarde; basta un año o un mes.',
    before: 'Publicadas antes de ese día.',
    filetype: 'Solo archivos de este tipo.',
    intitle: 'Solo páginas con esta palabra en el título.',
    quotes: 'Solo páginas con exactamente estas palabras, en este orden.',
  },
  datesHelp: 'Con una fecha solo se pregunta a los buscadores que saben cuándo se publicó una página.',
  notUnderstood: (words) => `Se buscó como palabras, porque no es un operador: ${words}.`,
  unchecked: (engines) =>
    `Puede que los resultados de ${engines} no contengan exactamente las palabras entre comillas.`,
  leftOut: (count) =>
    count === 1 ? 'Se omitió un resultado que no encajaba.' : `Se omitieron ${count} resultados que no encajaban.`,
  without: 'Buscar sin operadores',
}
