// The documentation pages, in French.
import type { DocsWords } from '../en/docs.ts'

export const docsFr: DocsWords = {
  title: 'Documentation de l’API',
  intro:
    'Une clé, une seule forme de réponse, plusieurs moteurs. Tout ce que ce site trouve peut être demandé par HTTP et revient en JSON.',
  startTitle: 'Pour commencer',
  stepKey:
    'Créez une clé d’API. Elle n’est montrée qu’une fois ; mettez-la dans la variable d’environnement BOWERBIRD_KEY.',
  stepKeyLink: 'Clés d’API',
  stepAsk: 'Demandez :',
  stepRead:
    'Lisez la réponse. L’en-tête Search-Status dit si elle est complète ; Engine-Status, ce qu’il est advenu de chaque moteur.',
  referenceTitle: 'Référence',
  referenceHelp: 'Chaque point d’accès, d’après les déclarations mêmes qui le servent. En anglais.',
  documentLink: 'Document OpenAPI',
  errorsTitle: 'Erreurs',
  errorsHelp: 'Une erreur dit quoi faire : des messages par paramètre pour un 400, un champ detail pour les autres.',
  limitsTitle: 'Limites',
  limitsHelp:
    'Chaque clé a deux limites, l’une par minute et l’autre par jour. L’en-tête RateLimit dit ce qu’il en reste. Après un 429, attendez le nombre de secondes donné par Retry-After : la requête passe alors.',
  connectTitle: 'Se connecter',
  connectHelp: 'Utilisez cette instance depuis un navigateur, un programme ou un agent.',
  connectLink: 'Comment faire',
  examplesTitle: 'Exemples',
  parametersTitle: 'Paramètres',
  fieldsTitle: 'Champs de la réponse',
  kindsTitle: 'Sortes de réponses',
  headersTitle: 'En-têtes de la réponse',
  nameLabel: 'Nom',
  typeLabel: 'Type',
  meaningLabel: 'Sens',
  statusLabel: 'Statut',
  required: 'obligatoire',
  browserTitle: 'Votre navigateur',
  browserHelp:
    'Ouvrez la page d’accueil et ajoutez ce site comme moteur de recherche : la plupart des navigateurs le proposent dans la barre d’adresse ou dans leurs réglages. Là où une adresse est demandée, c’est celle-ci :',
  programTitle: 'Un programme',
  programHelp: 'Tout langage qui parle HTTP convient.',
  agentTitle: 'Un agent',
  agentHelp:
    'Donnez-lui une clé à lui, avec les droits nécessaires, et le document qui décrit chaque point d’accès. Une clé se révoque à tout moment.',
  knownTitle: 'Les programmes que vous avez déjà',
  knownHelp: (key: string) => `Choisissez le vôtre, et mettez la clé que vous créez pour lui à la place de ${key}.`,
  createKeyFor: (name: string) => `Créer une clé pour ${name}`,
}
