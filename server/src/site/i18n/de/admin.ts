// Administration → Providers and Administration → Instance usage, in German.
import type { AdminWords } from '../en/admin.ts'

export const adminDe: AdminWords = {
  providers: {
    title: 'Anbieter',
    month: (month, calls, money) => `${month} bisher: ${calls}, ${money}.`,
    callCount: (count, written) => (count === 1 ? '1 Aufruf' : `${written} Aufrufe`),
    noCosts: 'Was ausgegeben wurde, ist gerade nicht lesbar.',
    empty: 'Kein Anbieter ist eingerichtet',
    emptyHelp:
      'Binden Sie mit ENGINE_A einen Anbieter an einen Platz, und starten Sie neu. Viele brauchen keinen Schlüssel.',
    hidden:
      'Ein Anbieter, dem eine Einstellung fehlt, steht nicht in dieser Liste. Der Befehl „bowerbird config“ sagt, was jedem fehlt.',
    serves: 'Wofür er da ist',
    calls: 'Aufrufe im Monat',
    money: 'Ausgaben im Monat',
    of: (used, most) => `${used} von ${most}`,
    idle: 'Diesen Monat nicht gefragt.',
    unpaid: (calls) => `${calls} diesen Monat, kostenlos.`,
    paid: (calls, money, price) => `${calls} diesen Monat, ${money} zu je ${price}.`,
    noCap: (setting) => `Keine Obergrenze: ${setting} setzt eine.`,
    spent: (day) => `Das Budget ist aufgebraucht. Der Anbieter wird vor dem ${day} nicht gefragt.`,
    changes: 'Wechsel des Zustands',
    changesHelp: (days) => `Der letzten ${days} Tage, die neuesten zuerst.`,
    noChanges: (days) => `In den letzten ${days} Tagen hat sich nichts geändert.`,
    more: (count) => (count === 1 ? 'Und ein älterer.' : `Und ${count} ältere.`),
    when: 'Wann',
    provider: 'Anbieter',
    state: 'Zustand',
    reason: 'Warum',
    ok: 'Er hat geantwortet.',
  },
  usage: {
    title: 'Nutzung der Instanz',
    intro: 'Was Programme diese Instanz gefragt haben, mit allen Schlüsseln aller Benutzer zusammen.',
    unreadable: 'Die Nutzung ist gerade nicht lesbar',
    unreadableHelp:
      'Die Datenbank antwortet nicht oder ist überlastet. Nichts ist verloren: versuchen Sie es in einer Minute wieder.',
    empty: 'Noch kein Programm hat etwas gefragt',
    emptyHelp: 'Hier werden Anfragen mit API-Schlüsseln gezählt. Benutzer legen Schlüssel in ihren Einstellungen an.',
  },
}
