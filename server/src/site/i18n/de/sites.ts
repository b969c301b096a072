// Shaping results, in German.
import type { OperatorsWords, SitesWords } from '../en/sites.ts'

export const sites: SitesWords = {
  menu: {
    label: (site) => `Optionen für ${site}`,
    more: 'Mehr von dieser Website',
    block: 'Diese Website ausblenden',
    raise: 'Höher einordnen',
    lower: 'Niedriger einordnen',
    pin: 'Ganz oben zeigen',
    none: 'Wie üblich behandeln',
    choose: 'Diese Website ausblenden oder einordnen',
  },
  changed: {
    block: (site) => `${site} ist ausgeblendet.`,
    raise: (site) => `${site} wird höher eingeordnet.`,
    lower: (site) => `${site} wird niedriger eingeordnet.`,
    pin: (site) => `${site} steht ganz oben.`,
    none: (site) => `${site} wird wie üblich behandelt.`,
  },
  why: {
    raise: 'Durch eine Regel höher',
    lower: 'Durch eine Regel niedriger',
    pin: 'Durch eine Regel ganz oben',
    prefer: 'Bevorzugt',
  },
  blocked: (count) =>
    count === 1
      ? 'Ein Ergebnis einer ausgeblendeten Website wird nicht gezeigt.'
      : `${count} Ergebnisse ausgeblendeter Websites werden nicht gezeigt.`,
  undo: 'Rückgängig machen',
  folded: (count, site) => `${count} weitere von ${site}`,
  choosing: {
    title: (site) => `Ergebnisse von ${site}`,
    help: 'Ihre Wahl wird in einem Cookie dieses Browsers gespeichert und sonst nirgends.',
    back: 'Zurück zu den Ergebnissen',
  },
  page: {
    titles: { person: 'Websites', browser: 'Websites', instance: 'Websites', key: 'Websites für diesen Schlüssel' },
    intros: {
      person:
        'Websites, die Sie zuerst, seltener oder gar nicht sehen möchten. Das gilt für Ihre Suchen auf dieser Seite.',
      browser:
        'Websites, die Sie zuerst, seltener oder gar nicht sehen möchten. Die Liste steht in einem Cookie dieses Browsers und sonst nirgends.',
      instance:
        'Das gilt für alle, auf der Website und mit jedem Schlüssel. Was hier ausgeblendet ist, sieht niemand; sonst geht vor, was Personen und Schlüssel wählen.',
      key: 'Das gilt für Suchen mit diesem Schlüssel.',
    },
    full: (most) => `In einem Browser ist Platz für ${most} Websites. Entfernen Sie zuerst eine.`,
    list: {
      caption: 'Websites',
      site: 'Website',
      action: 'Was geschieht',
      remove: 'Entfernen',
      removeSite: (site) => `${site} entfernen`,
      empty: 'Noch keine Websites',
      emptyHelp: 'Benutzen Sie das Menü bei einem Ergebnis, oder fügen Sie unten eine hinzu.',
      find: 'Website finden',
      findSubmit: 'Finden',
      all: 'Alle zeigen',
      noneFound: 'Keine Ihrer Websites hat das im Namen.',
      shown: (shown, all) => `${shown} von ${all} werden gezeigt. Die übrigen finden Sie mit der Suche.`,
    },
    actions: {
      block: 'Ausgeblendet',
      lower: 'Niedriger eingeordnet',
      raise: 'Höher eingeordnet',
      pin: 'Ganz oben',
    },
    rewrite: (host) => `Gezeigt unter ${host}`,
    add: {
      title: 'Website hinzufügen',
      site: 'Website',
      siteHelp:
        'Eine Domain wie example.org mit ihren Subdomains, eine mit Pfad wie example.org/shop/* oder eine Endung wie *.example.',
      action: 'Was soll geschehen?',
      choices: {
        block: 'Ausblenden',
        lower: 'Niedriger einordnen',
        raise: 'Höher einordnen',
        pin: 'Ganz oben zeigen',
        rewrite: 'Andere Adresse zeigen',
      },
      to: 'Gezeigte Adresse',
      toHelp: 'Für „Andere Adresse zeigen“: zum Beispiel der Host einer privaten Oberfläche.',
      submit: 'Website hinzufügen',
      badSite: 'Das ist keine Website. Schreiben Sie eine Domain, zum Beispiel example.org.',
      badTarget: 'Schreiben Sie den Host, der stattdessen gezeigt wird, zum Beispiel front.example.org.',
    },
    import: {
      title: 'Import und Export',
      help: 'Eine Website je Zeile, oder eine Liste von uBlacklist, Brave Goggles, Kagi, SearXNG (hostnames.yml) oder eine hosts-Datei.',
      text: 'Liste',
      file: 'Oder aus einer Datei',
      submit: 'Importieren',
      nothing: 'Fügen Sie zuerst eine Liste ein, oder wählen Sie eine Datei.',
      problems: (count) => (count === 1 ? 'Eine Zeile wurde ausgelassen:' : `${count} Zeilen wurden ausgelassen:`),
      more: (count) => `… und ${count} weitere`,
      download: 'Liste herunterladen',
    },
    lists: {
      title: 'Abonnements',
      help: 'Listen, die andere veröffentlichen. Sie werden einmal am Tag abgerufen.',
      caption: 'Abonnements',
      address: 'Adresse der Liste',
      action: 'Für Websites ohne eigene Angabe',
      submit: 'Abonnieren',
      unsubscribe: 'Abbestellen',
      unsubscribeFrom: (address) => `${address} abbestellen`,
      list: 'Liste',
      publisher: 'Herausgeber',
      licence: 'Lizenz',
      size: 'Websites',
      fetched: 'Zuletzt abgerufen',
      never: 'Noch nicht',
      badAddress: 'Schreiben Sie eine Adresse, die mit https:// beginnt.',
    },
    done: {
      added: 'Gespeichert.',
      removed: 'Entfernt.',
      subscribed: 'Abonniert. Die Liste wird abgerufen.',
      unsubscribed: 'Abbestellt.',
    },
    imported: (count) => (count === 1 ? 'Eine Website wurde hinzugefügt.' : `${count} Websites wurden hinzugefügt.`),
  },
}

export const operators: OperatorsWords = {
  label: 'Suchoperatoren',
  intro:
    'Sie lassen sich verbinden und gelten für alle Suchmaschinen: Versteht eine sie nicht, werden ihre Ergebnisse hier geprüft.',
  word: 'Eiche',
  phrase: 'alte Eiche',
  meanings: {
    site: 'Nur Seiten dieser Website. Von mehreren genügt eine.',
    notSite: 'Keine Seiten dieser Website.',
    after: 'An diesem Tag oder später veröffentlicht; ein Jahr oder ein Monat genügt.',
    before: 'Vor diesem Tag veröffentlicht.',
    filetype: 'Nur Dateien dieser Art.',
    intitle: 'Nur Seiten mit diesem Wort im Titel.',
    quotes: 'Nur Seiten mit genau diesen Wörtern in dieser Reihenfolge.',
  },
  datesHelp: 'Mit einem Datum werden nur Suchmaschinen gefragt, die wissen, wann eine Seite veröffentlicht wurde.',
  notUnderstood: (words) => `Als Wörter gesucht, weil es kein Operator ist: ${words}.`,
  unchecked: (engines) =>
    `Ergebnisse von ${engines} enthalten die Wörter in Anführungszeichen vielleicht nicht genau so.`,
  leftOut: (count) =>
    count === 1 ? 'Ein unpassendes Ergebnis wurde ausgelassen.' : `${count} unpassende Ergebnisse wurden ausgelassen.`,
  without: 'Ohne Operatoren suchen',
}
