// The frame of every page, the status page and the documentation, in German.
import type { DocsWords, FrameWords, StatusWords } from '../en/site.ts'

export const frame: FrameWords = {
  skipToContent: 'Zum Inhalt',
  search: 'Suchen',
  searchLabel: 'Suche',
  welcome: 'Fragt viele Suchmaschinen gleichzeitig und verrät keiner, wer Sie sind.',
  addToBrowser: 'Zum Browser hinzufügen',
  tabs: {
    web: 'Web',
    images: 'Bilder',
    news: 'Nachrichten',
    videos: 'Videos',
    science: 'Wissenschaft',
    code: 'Code',
    maps: 'Karten',
    translate: 'Übersetzen',
    mine: 'Meins',
  },
  tabsLabel: 'Arten von Ergebnissen',
  account: 'Konto',
  settings: 'Einstellungen',
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  status: 'Status',
  docs: 'Dokumentation',
  allUp: 'Alle Anbieter antworten',
  someDown: (down) => (down === 1 ? '1 Anbieter ist ausgefallen' : `${down} Anbieter sind ausgefallen`),
  language: (name) => `Sprache: ${name}`,
  footerLabel: 'Über diese Seite',
  settingsLabel: 'Einstellungen',
  settingsPages: {
    search: 'Suche',
    sites: 'Websites',
    services: 'Meine Dienste',
    keys: 'API-Schlüssel',
    connect: 'Verbinden',
    usage: 'Nutzung',
    account: 'Konto',
  },
  adminLabel: 'Verwaltung',
  adminPages: {
    engines: 'Suchmaschinen',
    ranking: 'Rangfolge',
    providers: 'Anbieter',
    instance: 'Instanz',
    sites: 'Websites',
    users: 'Benutzer',
    usage: 'Nutzung der Instanz',
    audit: 'Sicherheitsereignisse',
  },
  copy: 'Kopieren',
  copied: 'Kopiert',
  save: 'Speichern',
  cancel: 'Abbrechen',
  back: 'Zurück',
  optional: 'optional',
  apply: 'Anwenden',
  clear: 'Zurücksetzen',
  previousPage: 'Vorige Seite',
  nextPage: 'Nächste Seite',
  pagesLabel: 'Seiten',
  page: (page) => `Seite ${page}`,
  formHasMistakes: 'Einige Felder stimmen noch nicht.',
  errors: {
    goHome: 'Zur Startseite',
    tryAgain: 'Noch einmal versuchen',
    badRequest: 'Diese Adresse ist nicht lesbar',
    badRequestHelp: 'Etwas darin ist nicht, wie es sein soll:',
    forbidden: 'Diese Seite ist nicht für Sie bestimmt',
    forbiddenHelp: 'Sie ist den Administratoren vorbehalten. Wenn Sie einer sind, melden Sie sich mit jenem Konto an.',
    formExpired: 'Dieses Formular ist abgelaufen',
    formExpiredHelp:
      'Es gehört zu einer anderen Sitzung, oder Cookies sind ausgeschaltet. Nichts wurde geändert. Gehen Sie zurück, laden Sie die Seite neu und senden Sie das Formular noch einmal.',
    notFound: 'Unter dieser Adresse ist nichts',
    notFoundHelp: 'Die Seite ist vielleicht umgezogen, oder die Adresse enthält einen Tippfehler.',
    notAllowed: 'So lässt sich diese Adresse nicht benutzen',
    notAllowedHelp: 'Gehen Sie zurück und benutzen Sie das Formular auf der Seite.',
    tooLarge: 'Das ist zu viel auf einmal',
    tooLargeHelp: 'Senden Sie weniger Text und versuchen Sie es noch einmal.',
    tooMany: 'Zu viele Anfragen',
    tooManyWhose: 'Diese Website begrenzt, wie viele Anfragen ein Konto oder ein Netzwerk in kurzer Zeit stellen kann.',
    tooManyHelp: (seconds) =>
      seconds === 1
        ? 'Versuchen Sie es in einer Sekunde wieder.'
        : `Warten Sie ein wenig: in ${seconds} Sekunden geht es wieder.`,
    overloaded: 'Dieser Server hat zu viele Anfragen',
    overloadedHelp: (seconds) =>
      seconds === 1
        ? 'Versuchen Sie es in einer Sekunde noch einmal.'
        : `Versuchen Sie es in ${seconds} Sekunden noch einmal.`,
    broken: 'Hier ist etwas schiefgegangen',
    brokenHelp: (id) =>
      `Es liegt nicht an Ihnen. Es ist als Anfrage ${id} protokolliert; nennen Sie dem Betreiber diese Nummer.`,
    unavailable: 'Das geht im Augenblick nicht',
    refused: 'Das wurde nicht getan',
  },
}

export const status: StatusWords = {
  title: 'Status',
  allUp: 'Alle Anbieter sind erreichbar.',
  noneDown: (unknown) =>
    unknown === 1
      ? 'Keine Störung. Ein Anbieter wurde noch nicht gefragt.'
      : `Keine Störung. ${unknown} Anbieter wurden noch nicht gefragt.`,
  someDown: (down, all) =>
    down === 1 ? `Einer von ${all} Anbietern ist gestört.` : `${down} von ${all} Anbietern sind gestört.`,
  withoutContract: (names: string) =>
    `Ohne Vertrag genutzt: ${names}. Dorthin gehen die Suchanfrage, ihre Sprache und Filter und die Adresse dieses Servers, aber nicht Ihre eigene.`,
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
    cards: 'Infokarten',
    mine: 'Meins (nur für Administratoren sichtbar)',
  },
  noData: 'Noch nichts beobachtet',
  upShare: (share) => `${share} der beobachteten Zeit erreichbar`,
  day: (day, share) => (share === undefined ? `${day}: nichts beobachtet` : `${day}: ${share} erreichbar`),
  barsHelp: (days) =>
    `Jeder Balken ist einer der letzten ${days} Tage; der Anteil bezieht sich auf die beobachtete Zeit.`,
  daysAgo: (days) => `Vor ${days} Tagen`,
  today: 'Heute',
  troubles: {
    timeout: 'Er antwortet nicht rechtzeitig.',
    unreachable: 'Er ist nicht erreichbar.',
    serverError: 'Er antwortet mit einem Serverfehler.',
    proxy: 'Der Proxy für ausgehende Verbindungen verbindet nicht mit ihm.',
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
    proxy: 'Prüfen Sie OUTGOING_PROXY und die Einstellungen des Proxys; bowerbird doctor zeigt, was er meldet.',
    throttled: 'Senken Sie sein Tempo, oder vereinbaren Sie einen größeren Tarif.',
    blocked: 'Setzen Sie OPERATOR_CONTACT, damit er weiß, wer fragt, oder wählen Sie einen anderen Anbieter.',
    rejected: 'Sein Schlüssel ist falsch, abgelaufen oder ohne Guthaben: sehen Sie in Einstellungen und Konto nach.',
    malformed: 'Seine Schnittstelle hat sich vielleicht geändert: suchen Sie nach einer neueren Version von Bowerbird.',
  },
}

export const docs: DocsWords = {
  title: 'API-Dokumentation',
  intro:
    'Ein Schlüssel, eine Form der Antwort, viele Suchmaschinen. Alles, was diese Seite findet, lässt sich über HTTP abfragen und kommt als JSON zurück.',
  startTitle: 'Erste Schritte',
  stepKey:
    'Erstellen Sie einen API-Schlüssel. Er wird einmal gezeigt; legen Sie ihn in die Umgebungsvariable BOWERBIRD_KEY.',
  stepKeyLink: 'API-Schlüssel',
  stepAsk: 'Senden Sie eine Anfrage:',
  stepRead:
    'Lesen Sie die Antwort. Die Kopfzeile Search-Status sagt, ob sie vollständig ist; Engine-Status, was aus jeder Suchmaschine wurde.',
  referenceTitle: 'Referenz',
  referenceHelp: 'Jeder Endpunkt, aus denselben Angaben, die ihn bedienen. Auf Englisch.',
  inEnglish: 'Diese Seite ist auf Englisch.',
  documentLink: 'OpenAPI-Dokument',
  errorsTitle: 'Fehler',
  errorsHelp:
    'Ein Fehler hat einen Inhalt, der sagt, was zu tun ist: Meldungen je Parameter bei 400, sonst ein Feld detail.',
  limitsTitle: 'Grenzen',
  limitsHelp:
    'Jeder Schlüssel hat zwei Grenzen, eine pro Minute und eine pro Tag. Die Kopfzeile RateLimit sagt, was davon übrig ist. Nach einem 429 warten Sie so viele Sekunden, wie Retry-After nennt: dann geht die Anfrage durch.',
  connectTitle: 'Verbinden',
  connectHelp: 'Nutzen Sie diese Instanz aus einem Browser, einem Programm oder einem Agenten.',
  connectLink: 'So geht es',
  examplesTitle: 'Beispiele',
  parametersTitle: 'Parameter',
  fieldsTitle: 'Felder der Antwort',
  kindsTitle: 'Arten von Antworten',
  headersTitle: 'Kopfzeilen der Antwort',
  nameLabel: 'Name',
  typeLabel: 'Typ',
  meaningLabel: 'Bedeutung',
  statusLabel: 'Status',
  required: 'erforderlich',
  browserTitle: 'Ihr Browser',
  browserHelp:
    'Öffnen Sie die Startseite und fügen Sie diese Seite als Suchmaschine hinzu: die meisten Browser bieten es in der Adresszeile oder in den Sucheinstellungen an. Wo nach einer Adresse gefragt wird, ist es diese:',
  programTitle: 'Ein Programm',
  programHelp: 'Jede Sprache, die HTTP spricht, eignet sich.',
  agentTitle: 'Ein Agent',
  agentHelp:
    'Geben Sie ihm einen eigenen Schlüssel mit den nötigen Rechten und das Dokument, das jeden Endpunkt beschreibt. Ein Schlüssel lässt sich jederzeit widerrufen.',
  knownTitle: 'Programme, die Sie schon haben',
  knownHelp: (key: string) =>
    `Wählen Sie Ihres, und setzen Sie den Schlüssel, den Sie dafür anlegen, an die Stelle von ${key}.`,
  createKeyFor: (name: string) => `Schlüssel für ${name} anlegen`,
}
