// The Read view, in French.
import type { ReadingWords } from '../en/reading.ts'

export const readingFr: ReadingWords = {
  read: 'Lire',
  readPage: (title) => `Lire : ${title}`,
  back: 'Retour aux résultats',
  original: 'Page d’origine',
  again: 'Réessayer',
  ways: 'Où aller',
  waysBelow: 'Où aller ensuite',
  table: 'Tableau',
  code: 'Code',
  failed: 'Cette page ne peut pas être affichée ici',
  failures: {
    too_large: 'La page est trop volumineuse pour être affichée ici.',
    too_complex: 'La page est trop complexe pour être affichée ici.',
    not_text: 'Il n’y a pas de texte à cette adresse, ou pas dans un format qui puisse être affiché ici.',
    no_content: 'Aucun texte n’a été trouvé sur la page. Elle a peut-être besoin de JavaScript pour en afficher.',
    robots: 'Le site n’autorise pas les programmes à lire cette page.',
    blocked: 'Cette adresse n’est pas publique ; elle n’est donc pas consultée.',
    status: 'La page a répondu par une erreur.',
    redirects: 'La page redirige trop souvent.',
    timeout: 'La page n’est pas arrivée à temps.',
    unreachable: 'La page n’a pas pu être jointe.',
  },
  statusFailure: (status) => `La page a répondu par HTTP ${status}.`,
  expired: 'Ce lien a expiré',
  expiredHelp:
    'Une page peut être lue pendant environ deux heures après qu’une recherche l’a trouvée. Relancez la recherche pour la lire.',
  busy: 'Trop de pages sont en cours de lecture',
  busyHelp: 'Réessayez dans quelques secondes, ou ouvrez la page d’origine.',
}
