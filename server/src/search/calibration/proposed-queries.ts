// Queries to calibrate with, for operators who have no list of their own. Ours: short, and of the kinds that people search
// for, so that every engine has a chance to be good and to be bad at some of them.

export const TOPICS = ['everyday', 'health', 'programming', 'science', 'travel'] as const
export type Topic = (typeof TOPICS)[number]

export const PROPOSED_LANGUAGES = ['en', 'de', 'fr', 'es'] as const
export type ProposedLanguage = (typeof PROPOSED_LANGUAGES)[number]

export const PROPOSED: Readonly<Record<ProposedLanguage, Readonly<Record<Topic, readonly string[]>>>> = {
  en: {
    everyday: ['remove red wine stain', 'heat pump running costs', 'sourdough starter too runny', 'fix a dripping tap'],
    health: [
      'iron deficiency symptoms',
      'shingles vaccine side effects',
      'stretches for lower back pain',
      'tick bite what to do',
    ],
    programming: ['git undo last commit', 'postgres index not used', 'python read csv large file', 'css center a div'],
    science: [
      'why is the sky blue',
      'how do mRNA vaccines work',
      'age of the universe measurement',
      'ocean acidification causes',
    ],
    travel: ['night train Paris Berlin', 'Lisbon with children', 'tap water safe Iceland', 'hiking permits Dolomites'],
  },
  de: {
    everyday: [
      'Rotweinfleck entfernen',
      'Wärmepumpe Betriebskosten',
      'Sauerteig zu flüssig',
      'tropfenden Wasserhahn reparieren',
    ],
    health: [
      'Eisenmangel Symptome',
      'Gürtelrose Impfung Nebenwirkungen',
      'Dehnübungen unterer Rücken',
      'Zeckenbiss was tun',
    ],
    programming: [
      'git letzten Commit rückgängig',
      'postgres Index wird nicht benutzt',
      'python große csv einlesen',
      'css Element zentrieren',
    ],
    science: [
      'warum ist der Himmel blau',
      'wie wirken mRNA-Impfstoffe',
      'Alter des Universums Messung',
      'Versauerung der Meere Ursachen',
    ],
    travel: [
      'Nachtzug Paris Berlin',
      'Lissabon mit Kindern',
      'Leitungswasser trinkbar Island',
      'Wandern Dolomiten Hütten',
    ],
  },
  fr: {
    everyday: [
      'enlever tache de vin rouge',
      'pompe à chaleur consommation',
      'levain trop liquide',
      'réparer robinet qui goutte',
    ],
    health: [
      'carence en fer symptômes',
      'vaccin zona effets secondaires',
      'étirements bas du dos',
      'morsure de tique que faire',
    ],
    programming: [
      'git annuler dernier commit',
      'postgres index non utilisé',
      'python lire gros fichier csv',
      'css centrer une div',
    ],
    science: [
      'pourquoi le ciel est bleu',
      'comment marchent les vaccins à ARN',
      "âge de l'univers mesure",
      'acidification des océans causes',
    ],
    travel: [
      'train de nuit Paris Berlin',
      'Lisbonne avec des enfants',
      'eau du robinet potable Islande',
      'randonnée Dolomites refuges',
    ],
  },
  es: {
    everyday: [
      'quitar mancha de vino tinto',
      'bomba de calor consumo',
      'masa madre muy líquida',
      'arreglar grifo que gotea',
    ],
    health: [
      'falta de hierro síntomas',
      'vacuna herpes zóster efectos',
      'estiramientos zona lumbar',
      'picadura de garrapata qué hacer',
    ],
    programming: [
      'git deshacer último commit',
      'postgres no usa índice',
      'python leer csv grande',
      'css centrar un div',
    ],
    science: [
      'por qué el cielo es azul',
      'cómo funcionan las vacunas de ARN',
      'edad del universo medición',
      'acidificación del océano causas',
    ],
    travel: [
      'tren nocturno París Berlín',
      'Lisboa con niños',
      'agua del grifo potable Islandia',
      'senderismo Dolomitas refugios',
    ],
  },
}
