// The frame of every page, in German.
import type { FrameWords } from '../en/frame.ts'

export const frameDe: FrameWords = {
  siteName: 'Bowerbird',
  skipToContent: 'Zum Inhalt',
  search: 'Suchen',
  searchLabel: 'Im Web suchen',
  tabs: {
    web: 'Web',
    images: 'Bilder',
    news: 'Nachrichten',
    videos: 'Videos',
    science: 'Wissenschaft',
    code: 'Code',
    maps: 'Karten',
    translate: 'Übersetzen',
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
  statusUnknown: 'Status',
  language: (name) => `Sprache: ${name}`,
  footerLabel: 'Über diese Seite',
  settingsLabel: 'Einstellungen',
  settingsPages: { search: 'Suche', keys: 'API-Schlüssel', connect: 'Verbinden', usage: 'Nutzung', account: 'Konto' },
  adminLabel: 'Verwaltung',
  adminPages: {
    providers: 'Anbieter',
    users: 'Benutzer',
    usage: 'Nutzung der Instanz',
    audit: 'Sicherheitsereignisse',
  },
  copy: 'Kopieren',
  copied: 'Kopiert',
  save: 'Speichern',
  cancel: 'Abbrechen',
  back: 'Zurück',
  optional: 'freiwillig',
  apply: 'Anwenden',
  previousPage: 'Vorige Seite',
  nextPage: 'Nächste Seite',
  pagesLabel: 'Seiten',
  page: (page) => `Seite ${page}`,
  formHasMistakes: 'Einige Felder stimmen noch nicht.',
  errors: {
    goHome: 'Zur Startseite',
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
