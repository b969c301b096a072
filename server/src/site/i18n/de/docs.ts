// The documentation pages, in German.
import type { DocsWords } from '../en/docs.ts'

export const docsDe: DocsWords = {
  title: 'API-Dokumentation',
  intro:
    'Ein Schlüssel, eine Form der Antwort, viele Suchmaschinen. Alles, was diese Seite findet, lässt sich über HTTP abfragen und kommt als JSON zurück.',
  startTitle: 'Erste Schritte',
  stepKey:
    'Erstellen Sie einen API-Schlüssel. Er wird einmal gezeigt; legen Sie ihn in die Umgebungsvariable BOWERBIRD_KEY.',
  stepKeyLink: 'API-Schlüssel',
  stepAsk: 'Fragen Sie:',
  stepRead:
    'Lesen Sie die Antwort. Die Kopfzeile Search-Status sagt, ob sie vollständig ist; Engine-Status, was aus jeder Suchmaschine wurde.',
  referenceTitle: 'Referenz',
  referenceHelp: 'Jeder Endpunkt, aus denselben Angaben, die ihn bedienen. Auf Englisch.',
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
