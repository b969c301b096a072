// Settings → Connect, in German.
import type { ConnectWords } from '../en/connect.ts'

export const connectDe: ConnectWords = {
  title: 'Verbinden',
  intro:
    'Wählen Sie ein Programm. Sie bekommen die genauen Zeilen mit der Adresse dieser Instanz und einen eigenen Schlüssel dafür.',
  kinds: { agent: 'Agenten', application: 'Anwendungen und Bibliotheken', browser: 'Browser' },
  linesHelp: (place: string) => `Diese Zeilen gehören hierhin: ${place}`,
  replaceKey: (key: string) => `Setzen Sie den Schlüssel an die Stelle von ${key}.`,
  keyTitle: 'Schlüssel',
  keyHelp: (scopes: string) =>
    `Der Schlüssel ist nur für dieses Programm, damit Sie ihn einzeln widerrufen können. Er gilt für: ${scopes}.`,
  noKey: 'Ein Schlüssel ist nicht nötig: Ein Browser, in dem Sie angemeldet sind, nutzt Ihr Konto.',
  createKey: (name: string) => `Schlüssel für ${name} anlegen`,
  createdTitle: (name: string) => `Ihr Schlüssel für ${name}`,
  once: 'Die Zeilen unten enthalten den Schlüssel. Kopieren Sie sie jetzt: Der Schlüssel wird nicht noch einmal gezeigt.',
  until: (day: string) => `Er gilt bis ${day}.`,
  testTitle: 'Testen',
  testHelp: 'Lassen Sie das Programm einmal suchen, und sehen Sie dann nach, was hier angekommen ist.',
  test: 'Testen',
  again: 'Noch einmal nachsehen',
  nothing:
    'In der letzten Stunde ist keine Anfrage mit diesem Schlüssel angekommen. Wenn das Programm einen Fehler meldet, prüfen Sie Adresse und Schlüssel in seinen Einstellungen: Anfragen mit einem falschen Schlüssel werden nicht gezeigt.',
  verdicts: {
    works: 'Es funktioniert. Das ist die letzte Anfrage mit diesem Schlüssel:',
    partial:
      'Es funktioniert, aber nicht jede Suchmaschine hat geantwortet. Das ist die letzte Anfrage mit diesem Schlüssel:',
    refused: 'Eine Anfrage ist angekommen und wurde abgelehnt. Das ist die letzte Anfrage mit diesem Schlüssel:',
  },
  labels: {
    received: 'Empfangen',
    door: 'Schnittstelle',
    request: 'Anfrage',
    carrier: 'Schlüssel gesendet als',
    status: 'Status',
    reason: 'Grund',
    search: 'Suche',
    engines: 'Suchmaschinen',
    took: 'Dauer',
  },
  inUrl: 'Teil der URL',
  neverQuery: 'Der Suchtext wird nicht festgehalten.',
  back: 'Alle Programme',
}
