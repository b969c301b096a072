// The Read view, in German.
import type { ReadingWords } from '../en/reading.ts'

export const readingDe: ReadingWords = {
  read: 'Lesen',
  readPage: (title) => `Lesen: ${title}`,
  back: 'Zurück zu den Ergebnissen',
  original: 'Originalseite',
  again: 'Erneut versuchen',
  ways: 'Wohin',
  waysBelow: 'Wohin von hier aus',
  table: 'Tabelle',
  code: 'Quelltext',
  failed: 'Diese Seite kann hier nicht angezeigt werden',
  failures: {
    too_large: 'Die Seite ist zu groß, um hier angezeigt zu werden.',
    too_complex: 'Die Seite ist zu verschachtelt, um hier angezeigt zu werden.',
    not_text: 'Unter dieser Adresse gibt es keinen Text oder keinen, der hier angezeigt werden kann.',
    no_content: 'Auf der Seite wurde kein Text gefunden. Vielleicht zeigt sie ihn nur mit JavaScript.',
    robots: 'Die Website erlaubt Programmen nicht, diese Seite zu lesen.',
    blocked: 'Diese Adresse ist nicht öffentlich und wird deshalb nicht abgerufen.',
    status: 'Die Seite hat mit einem Fehler geantwortet.',
    redirects: 'Die Seite leitet zu oft weiter.',
    timeout: 'Die Seite kam nicht rechtzeitig an.',
    unreachable: 'Die Seite war nicht erreichbar.',
  },
  statusFailure: (status) => `Die Seite hat mit HTTP ${status} geantwortet.`,
  expired: 'Dieser Link ist abgelaufen',
  expiredHelp:
    'Seiten lassen sich etwa zwei Stunden lang lesen, nachdem eine Suche sie gefunden hat. Suchen Sie erneut, um sie zu lesen.',
  busy: 'Es werden gerade zu viele Seiten gelesen',
  busyHelp: 'Versuchen Sie es in einigen Sekunden erneut oder öffnen Sie die Originalseite.',
}
