// Triggers for date arithmetic, in seven languages. The groups say what is meant:
//   base with later or earlier   a day, and a length of time to add or subtract; no base: today
//   start and end                the time between two days; no end: today
//   which                        the weekday of a day
//   today                        today's date
//   born                         a person's age
import { SPAN_PATTERN } from '../lib/read-span.ts'
import type { Triggers } from '../lib/read-triggers.ts'

/** Roughly a date; `read-date.ts` is stricter. */
const DAY = "[a-z0-9',./ -]{3,34}"

/** `<name:D>` is a group that captures a day, `<name:S>` one that captures a length of time. */
const patterns = (...sources: string[]): RegExp[] =>
  sources.map(
    (source) =>
      new RegExp(`^${source.replace(/<(\w+):D>/g, `(?<$1>${DAY}?)`).replace(/<(\w+):S>/g, `(?<$1>${SPAN_PATTERN})`)}$`),
  )

export const DATE_TRIGGERS: Triggers = {
  en: patterns(
    '(?:what is )?<base:D> ?(?:\\+|plus) ?<later:S>',
    '(?:what is )?<base:D> ?(?:[-−–]|minus) ?<earlier:S>',
    "(?:what(?:'s| is)? (?:the )?(?:date|day) (?:is |will it be )?)?<later:S> (?:from|after) <base:D>",
    '(?:what(?: is| was)? (?:the )?(?:date|day) (?:is |was )?)?<earlier:S> (?:before|prior to) <base:D>',
    "(?:what(?:'s| is)? (?:the )?(?:date|day) (?:is it |will it be )?|date )in <later:S>",
    '(?:what (?:date|day) was(?: it)? |(?:the )?date )<earlier:S> ago',
    '(?<earlier>\\d{1,5} (?:days|weeks)) ago(?: from (?:today|now))?',
    '(?:how many |number of )?(?:days|weeks|months|years|time) (?:are |is )?(?:there )?between <start:D> and <end:D>',
    '(?:how many |number of )?(?:days|weeks|months|years) (?:is it |are there )?from <start:D> (?:to|until|till) <end:D>',
    '(?:how many )?(?:days|weeks|months|years) (?:is it |has it been )?since <start:D>',
    '(?:what|which) (?:day|weekday|day of the week) (?:is|was|will be|does)(?: it)?(?: on)? <which:D>(?: fall on| on)?',
    '(?:day of the week|weekday)(?: of| on| for)? <which:D>',
    "(?<today>what day is it(?: today)?|what(?:'s| is) (?:the date|today's date|the date today)|today's date|date today|current date)",
    '(?:how old is (?:someone|somebody|a person) (?:who was )?born|age of (?:someone|somebody|a person) born|age if born|how old (?:am i|is he|is she) if (?:i was |he was |she was )?born)(?: on| in)? <born:D>',
    'born(?: on)? <born:D> age',
  ),
  fr: patterns(
    '<base:D> ?(?:\\+|plus) ?<later:S>',
    '<base:D> ?(?:[-−–]|moins) ?<earlier:S>',
    '(?:quelle date (?:sera-t-on )?|date |quel jour (?:serons-nous )?)?<later:S> (?:apres|a partir de|a partir du) <base:D>',
    '(?:quelle date |date |quel jour )?<earlier:S> avant <base:D>',
    '(?:quelle date (?:sera-t-on |serons-nous )?|date |quel jour (?:sera-t-on |serons-nous )?)dans <later:S>',
    '(?:quelle date |date |quel jour )?(?:il y a) (?<earlier>\\d{1,5} (?:jours|semaines))',
    '(?:combien de |nombre de )?(?:jours|semaines|mois|annees) (?:y a-t-il )?entre (?:le )?<start:D> et (?:le )?<end:D>',
    '(?:combien de |nombre de )?(?:jours|semaines|mois|annees) depuis (?:le )?<start:D>',
    'quel jour (?:de la semaine )?(?:est|etait|sera|tombe)(?: le)? <which:D>',
    "(?<today>(?:quelle est la )?date (?:d'aujourd'hui|du jour)|quel jour (?:sommes[ -]nous|est[ -]on)(?: aujourd'hui)?|on est quel jour)",
    "(?:quel age a|age de|age d') ?(?:quelqu'un|une personne)(?: qui est)? nee? le <born:D>",
  ),
  de: patterns(
    '<base:D> ?(?:\\+|plus) ?<later:S>',
    '<base:D> ?(?:[-−–]|minus) ?<earlier:S>',
    '(?:welches datum ist |welcher tag ist |datum )?<later:S> (?:nach|ab) (?:dem )?<base:D>',
    '(?:welches datum ist |datum )?<earlier:S> vor (?:dem )?<base:D>',
    '(?:welches datum ist |welcher tag ist |datum |heute )in <later:S>',
    '(?:welches datum war |welcher tag war |datum |heute )?vor (?<earlier>\\d{1,5} (?:tagen|wochen))',
    '(?:wie ?viele |anzahl )?(?:tage|wochen|monate|jahre) (?:sind |liegen )?(?:es )?zwischen (?:dem )?<start:D> und (?:dem )?<end:D>',
    '(?:wie ?viele )?(?:tage|wochen|monate|jahre) (?:sind es )?(?:vom|von) <start:D> (?:bis|bis zum) <end:D>',
    '(?:wie ?viele )?(?:tage|wochen|monate|jahre) seit (?:dem )?<start:D>',
    '(?:welcher wochentag|was fur ein (?:wochen)?tag|welcher tag) (?:ist|war|wird)(?: der| am)? <which:D>',
    'wochentag (?:am |vom |der )?<which:D>',
    '(?<today>(?:welches |das )?(?:datum|tag) (?:ist |haben wir )?heute|(?:heutiges|aktuelles) datum|welcher tag ist heute)',
    '(?:wie alt ist jemand,? der am|alter von jemandem,? der am) <born:D> geboren (?:ist|wurde)',
    'alter (?:bei )?geburt(?:sdatum)?(?: am)? <born:D>',
  ),
  es: patterns(
    '<base:D> ?(?:\\+|mas) ?<later:S>',
    '<base:D> ?(?:[-−–]|menos) ?<earlier:S>',
    '(?:que fecha (?:es|sera) |fecha )?<later:S> (?:despues de|a partir de|desde) <base:D>',
    '(?:que fecha (?:es|era) |fecha )?<earlier:S> antes (?:de|del) <base:D>',
    '(?:que fecha (?:es|sera) |que dia (?:es|sera) |fecha )(?:en|dentro de) <later:S>',
    '(?:que fecha (?:era|fue) |que dia (?:era|fue) |fecha )?hace (?<earlier>\\d{1,5} (?:dias|semanas))',
    '(?:cuantos |cuantas |numero de )?(?:dias|semanas|meses|anos) (?:hay )?(?:entre|desde) (?:el )?<start:D> (?:y|hasta)(?: el)? <end:D>',
    '(?:cuantos |cuantas )?(?:dias|semanas|meses|anos) desde (?:el )?<start:D>',
    'que dia (?:de la semana )?(?:es|era|fue|sera|cae|cayo)(?: el)? <which:D>',
    '(?<today>fecha de hoy|fecha actual|que dia es hoy|que fecha es hoy)',
    '(?:edad de|cuantos anos tiene) (?:alguien|una persona) (?:nacid[oa]|que nacio) el <born:D>',
  ),
  it: patterns(
    '<base:D> ?(?:\\+|piu) ?<later:S>',
    '<base:D> ?(?:[-−–]|meno) ?<earlier:S>',
    '(?:che data e |data )?<later:S> (?:dopo|a partire da|da) (?:il )?<base:D>',
    '(?:che data e |data )?<earlier:S> prima (?:di|del) <base:D>',
    '(?:che data (?:e|sara) |che giorno (?:e|sara) |data )(?:tra|fra) <later:S>',
    '(?:che data era |che giorno era |data )?(?<earlier>\\d{1,5} (?:giorni|settimane)) fa',
    '(?:quanti |quante |numero di )?(?:giorni|settimane|mesi|anni) (?:ci sono )?(?:tra|fra) (?:il )?<start:D> e (?:il )?<end:D>',
    '(?:quanti |quante )?(?:giorni|settimane|mesi|anni) dal <start:D>(?: al <end:D>)?',
    'che giorno (?:della settimana )?(?:e|era|sara|cade|fu)(?: il)? <which:D>',
    '(?<today>data di oggi|data odierna|che giorno e oggi|che data e oggi)',
    '(?:eta di|quanti anni ha) (?:chi e|qualcuno|una persona)(?: che e)? nat[oa] il <born:D>',
  ),
  pt: patterns(
    '<base:D> ?(?:\\+|mais) ?<later:S>',
    '<base:D> ?(?:[-−–]|menos) ?<earlier:S>',
    '(?:que data (?:e|sera) |data )?<later:S> (?:depois de|a partir de|apos) <base:D>',
    '(?:que data (?:e|era) |data )?<earlier:S> antes (?:de|do) <base:D>',
    '(?:que data (?:e|sera) |que dia (?:e|sera) |data )?daqui a <later:S>',
    '(?:que data era |que dia era |data )?(?:ha (?<earlier>\\d{1,5} (?:dias|semanas))(?: atras)?)',
    '(?:quantos |quantas |numero de )?(?:dias|semanas|meses|anos) (?:ha )?entre (?:o dia )?<start:D> e (?:o dia )?<end:D>',
    '(?:quantos |quantas )?(?:dias|semanas|meses|anos) desde (?:o dia )?<start:D>',
    'que dia (?:da semana )?(?:e|era|foi|sera|cai)(?: o dia| em| o)? <which:D>',
    '(?<today>data de hoje|data atual|que dia e hoje|qual e a data de hoje)',
    '(?:idade de|quantos anos tem) (?:quem|alguem que|uma pessoa que) nasceu em <born:D>',
  ),
  nl: patterns(
    '<base:D> ?(?:\\+|plus) ?<later:S>',
    '<base:D> ?(?:[-−–]|min) ?<earlier:S>',
    '(?:welke datum is |datum )?<later:S> (?:na|vanaf) <base:D>',
    '(?:welke datum is |datum )?<earlier:S> voor <base:D>',
    '(?:welke datum is het |welke dag is het |datum )over <later:S>',
    '(?:welke datum was |welke dag was |datum )?(?<earlier>\\d{1,5} (?:dagen|weken)) geleden',
    '(?:hoeveel |aantal )?(?:dagen|weken|maanden|jaren) (?:zitten er |zijn er )?tussen <start:D> en <end:D>',
    '(?:hoeveel )?(?:dagen|weken|maanden|jaren) sinds <start:D>',
    'welke (?:week)?dag (?:is|was|valt)(?: het)?(?: op)? <which:D>',
    '(?<today>datum vandaag|huidige datum|welke dag is het(?: vandaag)?|welke datum is het(?: vandaag)?)',
    '(?:leeftijd van|hoe oud is) iemand(?: die)? geboren (?:is )?op <born:D>',
  ),
}
