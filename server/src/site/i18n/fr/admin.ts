// Administration → Providers and Administration → Instance usage, in French.
import type { AdminWords } from '../en/admin.ts'

export const adminFr: AdminWords = {
  providers: {
    title: 'Fournisseurs',
    month: (month, calls, money) => `${month} jusqu’ici : ${calls}, ${money}.`,
    callCount: (count, written) => (count < 2 ? `${written} appel` : `${written} appels`),
    noCosts: 'Les dépenses ne sont pas lisibles pour le moment.',
    empty: 'Aucun fournisseur n’est configuré',
    emptyHelp: 'Liez un fournisseur à un emplacement avec ENGINE_A, puis redémarrez. Beaucoup ne demandent pas de clé.',
    hidden:
      'Un fournisseur auquel il manque un réglage n’est pas dans cette liste. La commande « bowerbird config » dit ce qui manque à chacun.',
    serves: 'Ce qu’il sert',
    calls: 'Appels ce mois-ci',
    money: 'Dépensé ce mois-ci',
    of: (used, most) => `${used} sur ${most}`,
    idle: 'Pas interrogé ce mois-ci.',
    unpaid: (calls) => `${calls} ce mois-ci, sans frais.`,
    paid: (calls, money, price) => `${calls} ce mois-ci, ${money} à ${price} chacun.`,
    noCap: (setting) => `Pas de plafond : ${setting} en fixe un.`,
    spent: (day) => `Le budget est épuisé. Le fournisseur n’est plus interrogé avant le ${day}.`,
    changes: 'Changements d’état',
    changesHelp: (days) => `Des ${days} derniers jours, les plus récents d’abord.`,
    noChanges: (days) => `Rien n’a changé au cours des ${days} derniers jours.`,
    more: (count) => (count === 1 ? 'Et un plus ancien.' : `Et ${count} plus anciens.`),
    when: 'Quand',
    provider: 'Fournisseur',
    state: 'État',
    reason: 'Pourquoi',
    ok: 'Il a répondu.',
  },
  usage: {
    title: 'Utilisation de l’instance',
    intro: 'Ce que des programmes ont demandé à cette instance, toutes clés de tous les utilisateurs confondues.',
    unreadable: 'L’utilisation n’est pas lisible pour le moment',
    unreadableHelp:
      'La base de données ne répond pas ou est trop occupée. Rien n’est perdu : réessayez dans une minute.',
    empty: 'Aucun programme n’a encore rien demandé',
    emptyHelp:
      'Les requêtes faites avec des clés d’API sont comptées ici. Les utilisateurs créent des clés dans leurs paramètres.',
  },
}
