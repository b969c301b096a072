// The status page, in German.
import type { StatusWords } from '../en/status.ts'

export const statusDe: StatusWords = {
  title: 'Status',
  allUp: 'Alle Anbieter sind erreichbar.',
  noneDown: (unknown) =>
    unknown === 1
      ? 'Keine Störung. Ein Anbieter wurde noch nicht gefragt.'
      : `Keine Störung. ${unknown} Anbieter wurden noch nicht gefragt.`,
  someDown: (down, all) =>
    down === 1 ? `Einer von ${all} Anbietern ist gestört.` : `${down} von ${all} Anbietern sind gestört.`,
  withoutContract: (names: string) =>
    `Ohne Vertrag befragt: ${names}. Dorthin gehen die Suchanfrage, ihre Sprache und Filter und die Adresse dieses Servers, aber nicht Ihre eigene.`,
  noHistory: 'Der Verlauf ist gerade nicht lesbar. Was jetzt erreichbar ist, ist trotzdem bekannt.',
  empty: 'Kein Anbieter ist eingerichtet',
  emptyHelp:
    'Ein Administrator wählt, welche Suchmaschinen diese Instanz fragt. Bis dahin gibt es nichts zu beobachten.',
  states: { up: 'Erreichbar', down: 'Gestört', unknown: 'Noch nicht gefragt' },
  groups: {
    web: 'Web',
    images: 'Bilder',
    news: 'Nachrichten',
    videos: 'Videos',
    science: 'Wissenschaft',
    code: 'Code',
    suggest: 'Vorschläge',
    maps: 'Orte',
    translate: 'Übersetzung',
    weather: 'Wetter',
    currency: 'Wechselkurse',
    cards: 'Karten',
  },
  noData: 'Noch nichts beobachtet',
  upShare: (share) => `${share} der beobachteten Zeit erreichbar`,
  day: (day, share) => (share === undefined ? `${day}: nichts beobachtet` : `${day}: ${share} erreichbar`),
  daysAgo: (days) => `Vor ${days} Tagen`,
  today: 'Heute',
  troubles: {
    timeout: 'Er antwortet nicht rechtzeitig.',
    unreachable: 'Er ist nicht erreichbar.',
    serverError: 'Er antwortet mit einem Serverfehler.',
    throttled: 'Er bittet um weniger Anfragen.',
    blocked: 'Er weist diesen Server ab.',
    rejected: 'Er weist unsere Anfragen zurück.',
    malformed: 'Seine Antworten sind nicht lesbar.',
  },
  advice: {
    timeout: 'Nichts zu tun, solange es nicht anhält. SEARCH_TIMEOUT_MS gibt langsamen Anbietern mehr Zeit.',
    unreachable: 'Prüfen Sie die Adresse in seinen Einstellungen und ob dieser Server sie erreichen darf.',
    serverError:
      'Nichts zu tun, solange es nicht anhält; dann fragen Sie den Anbieter, oder sehen Sie bei einem eigenen Server in dessen Protokoll nach.',
    throttled: 'Senken Sie sein Tempo, oder vereinbaren Sie einen größeren Tarif.',
    blocked: 'Setzen Sie OPERATOR_CONTACT, damit er weiß, wer fragt, oder wählen Sie einen anderen Anbieter.',
    rejected: 'Sein Schlüssel ist falsch, abgelaufen oder ohne Guthaben: sehen Sie in Einstellungen und Konto nach.',
    malformed: 'Seine Schnittstelle hat sich vielleicht geändert: suchen Sie nach einer neueren Version von Bowerbird.',
  },
}
