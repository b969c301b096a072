// The documentation pages, in Spanish.
import type { DocsWords } from '../en/docs.ts'

export const docsEs: DocsWords = {
  title: 'Documentación de la API',
  intro:
    'Una clave, una sola forma de respuesta, muchos buscadores. Todo lo que este sitio encuentra se puede pedir por HTTP y se responde en JSON.',
  startTitle: 'Primeros pasos',
  stepKey: 'Cree una clave de API. Se muestra una sola vez; póngala en la variable de entorno BOWERBIRD_KEY.',
  stepKeyLink: 'Claves de API',
  stepAsk: 'Pregunte:',
  stepRead:
    'Lea la respuesta. La cabecera Search-Status dice si está completa; Engine-Status, qué fue de cada buscador.',
  referenceTitle: 'Referencia',
  referenceHelp: 'Cada punto de acceso, a partir de las mismas declaraciones que lo sirven. En inglés.',
  documentLink: 'Documento OpenAPI',
  errorsTitle: 'Errores',
  errorsHelp: 'Un error dice qué hacer: mensajes por parámetro en un 400, un campo detail en los demás.',
  limitsTitle: 'Límites',
  limitsHelp:
    'Cada clave tiene dos límites, uno por minuto y otro por día. La cabecera RateLimit dice cuánto queda. Tras un 429, espere los segundos que indica Retry-After: entonces la petición pasa.',
  connectTitle: 'Conectar',
  connectHelp: 'Use esta instancia desde un navegador, un programa o un agente.',
  connectLink: 'Cómo hacerlo',
  examplesTitle: 'Ejemplos',
  parametersTitle: 'Parámetros',
  fieldsTitle: 'Campos de la respuesta',
  kindsTitle: 'Tipos de respuestas',
  headersTitle: 'Cabeceras de la respuesta',
  nameLabel: 'Nombre',
  typeLabel: 'Tipo',
  meaningLabel: 'Significado',
  statusLabel: 'Estado',
  required: 'obligatorio',
  browserTitle: 'Su navegador',
  browserHelp:
    'Abra la página de inicio y añada este sitio como buscador: la mayoría de los navegadores lo ofrecen en la barra de direcciones o en sus ajustes. Donde pidan una dirección, es esta:',
  programTitle: 'Un programa',
  programHelp: 'Sirve cualquier lenguaje que hable HTTP.',
  agentTitle: 'Un agente',
  agentHelp:
    'Dele una clave propia con los permisos que necesite y el documento que describe cada punto de acceso. Una clave se puede revocar en cualquier momento.',
  knownTitle: 'Programas que ya tiene',
  knownHelp: (key: string) => `Elija el suyo y ponga la clave que cree para él en lugar de ${key}.`,
  createKeyFor: (name: string) => `Crear una clave para ${name}`,
}
