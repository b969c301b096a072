// The status page, in French.
import type { StatusWords } from '../en/status.ts'

export const statusFr: StatusWords = {
  title: 'État',
  allUp: 'Tous les fournisseurs fonctionnent.',
  noneDown: (unknown) =>
    unknown === 1
      ? 'Rien n’est en panne. Un fournisseur n’a pas encore été interrogé.'
      : `Rien n’est en panne. ${unknown} fournisseurs n’ont pas encore été interrogés.`,
  someDown: (down, all) =>
    down === 1 ? `Un fournisseur sur ${all} est en panne.` : `${down} fournisseurs sur ${all} sont en panne.`,
  withoutContract: (names: string) =>
    `Interrogés sans contrat : ${names}. La recherche, sa langue et ses filtres, et l’adresse de ce serveur y sont envoyés, mais pas la vôtre.`,
  noHistory: 'L’historique est illisible pour le moment. Ce qui fonctionne maintenant est connu malgré tout.',
  empty: 'Aucun fournisseur n’est configuré',
  emptyHelp:
    'Un administrateur choisit les moteurs que cette instance interroge. D’ici là, il n’y a rien à surveiller.',
  states: { up: 'En marche', down: 'En panne', unknown: 'Pas encore interrogé' },
  groups: {
    web: 'Web',
    images: 'Images',
    news: 'Actualités',
    videos: 'Vidéos',
    science: 'Sciences',
    code: 'Code',
    suggest: 'Suggestions',
    maps: 'Lieux',
    translate: 'Traduction',
    weather: 'Météo',
    currency: 'Taux de change',
    cards: 'Fiches',
  },
  noData: 'Rien d’observé pour l’instant',
  upShare: (share) => `En marche ${share} du temps observé`,
  day: (day, share) => (share === undefined ? `${day} : rien d’observé` : `${day} : en marche ${share}`),
  daysAgo: (days) => `Il y a ${days} jours`,
  today: 'Aujourd’hui',
  troubles: {
    timeout: 'Il ne répond pas à temps.',
    unreachable: 'Il est injoignable.',
    serverError: 'Il répond par une erreur de serveur.',
    throttled: 'Il demande moins de requêtes.',
    blocked: 'Il refuse ce serveur.',
    rejected: 'Il refuse nos requêtes.',
    malformed: 'Ses réponses sont illisibles.',
  },
  advice: {
    timeout: 'Rien à faire tant que cela ne dure pas. SEARCH_TIMEOUT_MS laisse plus de temps à un fournisseur lent.',
    unreachable: 'Vérifiez l’adresse dans ses réglages, et que ce serveur peut la joindre.',
    serverError:
      'Rien à faire, sauf si cela dure : interrogez alors le fournisseur ou, si le serveur est le vôtre, consultez son journal.',
    throttled: 'Réduisez son rythme, ou prenez une offre plus large chez le fournisseur.',
    blocked: 'Réglez OPERATOR_CONTACT pour qu’il sache qui demande, ou choisissez un autre fournisseur.',
    rejected: 'Sa clé est fausse, expirée ou sans crédit : voyez ses réglages et son compte.',
    malformed: 'Son interface a peut-être changé : cherchez une version plus récente de Bowerbird.',
  },
}
