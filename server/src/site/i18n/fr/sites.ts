// Shaping results, in French.
import type { OperatorsWords, SitesWords } from '../en/sites.ts'

export const sites: SitesWords = {
  menu: {
    label: (site) => `Options pour ${site}`,
    more: 'Plus de résultats de ce site',
    block: 'Bloquer ce site',
    raise: 'Faire monter',
    lower: 'Faire descendre',
    pin: 'Épingler en tête',
    none: 'Traiter normalement',
    choose: 'Bloquer ou classer ce site',
  },
  changed: {
    block: (site) => `${site} est bloqué.`,
    raise: (site) => `${site} est classé plus haut.`,
    lower: (site) => `${site} est classé plus bas.`,
    pin: (site) => `${site} est épinglé en tête.`,
    none: (site) => `${site} est traité normalement.`,
  },
  why: {
    raise: 'Monté par une règle',
    lower: 'Descendu par une règle',
    pin: 'Épinglé par une règle',
    prefer: 'Préféré',
  },
  blocked: (count) =>
    count === 1
      ? 'Un résultat d’un site bloqué n’est pas affiché.'
      : `${count} résultats de sites bloqués ne sont pas affichés.`,
  undo: 'Annuler',
  folded: (count, site) => `${count} de plus de ${site}`,
  choosing: {
    title: (site) => `Résultats de ${site}`,
    help: 'Votre choix est conservé dans un cookie de ce navigateur, et nulle part ailleurs.',
    back: 'Retour aux résultats',
  },
  page: {
    titles: { person: 'Sites', browser: 'Sites', instance: 'Sites', key: 'Sites pour cette clé' },
    intros: {
      person:
        'Les sites que vous voulez voir en premier, moins souvent ou jamais. Cela vaut pour vos recherches sur ce site.',
      browser:
        'Les sites que vous voulez voir en premier, moins souvent ou jamais. La liste est conservée dans un cookie de ce navigateur, et nulle part ailleurs.',
      instance:
        'Cela vaut pour tout le monde, sur le site et avec chaque clé. Un site bloqué ici l’est pour tous ; pour le reste, le choix des personnes et des clés l’emporte.',
      key: 'Cela vaut pour les recherches avec cette clé.',
    },
    full: (most) => `Un navigateur a de la place pour ${most} sites. Retirez-en un d’abord.`,
    list: {
      caption: 'Sites',
      site: 'Site',
      action: 'Effet',
      remove: 'Retirer',
      removeSite: (site) => `Retirer ${site}`,
      empty: 'Aucun site pour le moment',
      emptyHelp: 'Utilisez le menu d’un résultat, ou ajoutez un site ci-dessous.',
      find: 'Chercher un site',
      findSubmit: 'Chercher',
      all: 'Tout afficher',
      noneFound: 'Aucun de vos sites n’a cela dans son nom.',
      shown: (shown, all) => `${shown} sur ${all} sont affichés. Cherchez pour trouver les autres.`,
    },
    actions: { block: 'Bloqué', lower: 'Classé plus bas', raise: 'Classé plus haut', pin: 'Épinglé en tête' },
    rewrite: (host) => `Affiché sous ${host}`,
    add: {
      title: 'Ajouter un site',
      site: 'Site',
      siteHelp:
        'Un domaine comme example.org, avec ses sous-domaines ; un domaine avec un chemin, comme example.org/shop/* ; ou une terminaison comme *.example.',
      action: 'Effet voulu',
      choices: {
        block: 'Le bloquer',
        lower: 'Le faire descendre',
        raise: 'Le faire monter',
        pin: 'L’épingler en tête',
        rewrite: 'Afficher une autre adresse',
      },
      to: 'Adresse à afficher',
      toHelp: 'Pour « Afficher une autre adresse » : l’hôte d’une interface privée, par exemple.',
      submit: 'Ajouter le site',
      badSite: 'Ce n’est pas un site. Écrivez un domaine, par exemple example.org.',
      badTarget: 'Écrivez l’hôte à afficher à la place, par exemple front.example.org.',
    },
    import: {
      title: 'Importer et exporter',
      help: 'Un site par ligne, ou une liste de uBlacklist, Brave Goggles, Kagi, SearXNG (hostnames.yml) ou un fichier hosts.',
      text: 'Liste',
      file: 'Ou depuis un fichier',
      submit: 'Importer',
      nothing: 'Collez d’abord une liste, ou choisissez un fichier.',
      problems: (count) =>
        count === 1 ? 'Une ligne a été laissée de côté :' : `${count} lignes ont été laissées de côté :`,
      more: (count) => `… et ${count} de plus`,
      download: 'Télécharger la liste',
    },
    lists: {
      title: 'Abonnements',
      help: 'Des listes que d’autres publient. Elles sont récupérées une fois par jour.',
      caption: 'Abonnements',
      address: 'Adresse de la liste',
      action: 'Pour les sites sans effet précisé',
      submit: 'S’abonner',
      unsubscribe: 'Se désabonner',
      unsubscribeFrom: (address) => `Se désabonner de ${address}`,
      list: 'Liste',
      publisher: 'Publiée par',
      licence: 'Licence',
      size: 'Sites',
      fetched: 'Dernière récupération',
      never: 'Pas encore',
      badAddress: 'Écrivez une adresse qui commence par https://.',
    },
    done: {
      added: 'Enregistré.',
      removed: 'Retiré.',
      subscribed: 'Abonnement enregistré. La liste va être récupérée.',
      unsubscribed: 'Abonnement supprimé.',
    },
    imported: (count) => (count === 1 ? 'Un site a été ajouté.' : `${count} sites ont été ajoutés.`),
  },
}

export const operators: OperatorsWords = {
  label: 'Opérateurs de recherche',
  intro:
    'Ils se combinent et valent pour tous les moteurs : si l’un d’eux ne les comprend pas, ses résultats sont vérifiés ici.',
  word: 'chêne',
  phrase: 'vieux chêne',
  meanings: {
    site: 'Seulement les pages de ce site. S’il y en a plusieurs, l’un ou l’autre.',
    notSite: 'Aucune page de ce site.',
    after: 'Publiées ce jour-là ou plus tard ; une année ou un mois suffit.',
    before: 'Publiées avant ce jour.',
    filetype: 'Seulement les fichiers de ce type.',
    intitle: 'Seulement les pages dont le titre contient ce mot.',
    quotes: 'Seulement les pages qui contiennent exactement ces mots, dans cet ordre.',
  },
  datesHelp: 'Avec une date, seuls les moteurs qui savent quand une page a été publiée sont interrogés.',
  notUnderstood: (words) => `Cherché comme des mots, car ce n’est pas un opérateur : ${words}.`,
  unchecked: (engines) =>
    `Les résultats de ${engines} ne contiennent peut-être pas exactement les mots entre guillemets.`,
  leftOut: (count) =>
    count === 1
      ? 'Un résultat qui ne convenait pas a été laissé de côté.'
      : `${count} résultats qui ne convenaient pas ont été laissés de côté.`,
  without: 'Chercher sans opérateurs',
}
