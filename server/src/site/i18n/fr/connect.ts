// Settings → Connect, in French.
import type { ConnectWords } from '../en/connect.ts'

export const connectFr: ConnectWords = {
  title: 'Connecter',
  intro:
    'Choisissez un programme. Vous obtenez les lignes exactes, avec l’adresse de cette instance, et une clé pour lui seul.',
  kinds: { agent: 'Agents', application: 'Applications et bibliothèques', browser: 'Navigateurs' },
  linesHelp: (place: string) => `Ces lignes vont ici : ${place}`,
  replaceKey: (key: string) => `Mettez la clé à la place de ${key}.`,
  keyTitle: 'Clé',
  keyHelp: (scopes: string) =>
    `La clé ne sert qu’à ce programme, vous pouvez donc la révoquer séparément. Elle permet : ${scopes}.`,
  noKey: 'Aucune clé n’est nécessaire : un navigateur où vous êtes connecté utilise votre compte.',
  createKey: (name: string) => `Créer une clé pour ${name}`,
  createdTitle: (name: string) => `Votre clé pour ${name}`,
  once: 'Les lignes ci-dessous contiennent la clé. Copiez-les maintenant : la clé ne sera plus affichée.',
  until: (day: string) => `Elle est valable jusqu’au ${day}.`,
  testTitle: 'Tester',
  testHelp: 'Faites une recherche avec le programme, puis regardez ce qui est arrivé ici.',
  test: 'Tester',
  again: 'Regarder à nouveau',
  nothing:
    'Aucune requête avec cette clé n’est arrivée depuis une heure. Si le programme signale une erreur, vérifiez l’adresse et la clé dans ses réglages : les requêtes avec une mauvaise clé ne sont pas affichées.',
  verdicts: {
    works: 'Cela fonctionne. Voici la dernière requête avec cette clé :',
    partial: 'Cela fonctionne, mais tous les moteurs n’ont pas répondu. Voici la dernière requête avec cette clé :',
    refused: 'Une requête est arrivée et a été refusée. Voici la dernière requête avec cette clé :',
  },
  labels: {
    received: 'Reçue',
    door: 'Interface',
    request: 'Requête',
    carrier: 'Clé envoyée par',
    status: 'État',
    reason: 'Motif',
    search: 'Recherche',
    engines: 'Moteurs',
    took: 'Durée',
  },
  inUrl: 'dans l’URL',
  neverQuery: 'Le texte recherché n’est pas conservé.',
  back: 'Tous les programmes',
}
