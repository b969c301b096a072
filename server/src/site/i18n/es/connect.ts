// Settings → Connect, in Spanish.
import type { ConnectWords } from '../en/connect.ts'

export const connectEs: ConnectWords = {
  title: 'Conectar',
  intro:
    'Elija un programa. Obtendrá las líneas exactas, con la dirección de esta instancia, y una clave propia para él.',
  kinds: { agent: 'Agentes', application: 'Aplicaciones y bibliotecas', browser: 'Navegadores' },
  linesHelp: (place: string) => `Estas líneas van aquí: ${place}`,
  replaceKey: (key: string) => `Ponga la clave en lugar de ${key}.`,
  keyTitle: 'Clave',
  keyHelp: (scopes: string) =>
    `La clave es solo para este programa, así puede revocarla por separado. Sirve para: ${scopes}.`,
  noKey: 'No hace falta clave: un navegador con su sesión iniciada usa su cuenta.',
  createKey: (name: string) => `Crear una clave para ${name}`,
  createdTitle: (name: string) => `Su clave para ${name}`,
  once: 'Las líneas de abajo contienen la clave. Cópielas ahora: la clave no se volverá a mostrar.',
  until: (day: string) => `Funciona hasta el ${day}.`,
  testTitle: 'Probar',
  testHelp: 'Haga una búsqueda con el programa y mire después qué ha llegado aquí.',
  test: 'Probar',
  again: 'Volver a mirar',
  nothing:
    'En la última hora no ha llegado ninguna petición con esta clave. Si el programa muestra un error, compruebe la dirección y la clave en su configuración: las peticiones con una clave errónea no se muestran.',
  verdicts: {
    works: 'Funciona. Esta es la última petición con esta clave:',
    partial: 'Funciona, pero no han respondido todos los buscadores. Esta es la última petición con esta clave:',
    refused: 'Ha llegado una petición y se ha rechazado. Esta es la última petición con esta clave:',
  },
  labels: {
    received: 'Recibida',
    door: 'Interfaz',
    request: 'Petición',
    carrier: 'Clave enviada como',
    status: 'Estado',
    reason: 'Motivo',
    search: 'Búsqueda',
    engines: 'Buscadores',
    took: 'Duración',
  },
  inUrl: 'parte de la URL',
  neverQuery: 'El texto buscado no se guarda.',
  back: 'Todos los programas',
}
