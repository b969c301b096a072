// The vocabulary of the simulated translators: some everyday words in seven languages. Unknown words stay as they are;
// a text without a single known word gets a remark, so that a translation always differs from its text.

export const PHRASEBOOK_LANGUAGES = ['en', 'fr', 'de', 'es', 'it', 'pt', 'nl'] as const
export type PhrasebookLanguage = (typeof PHRASEBOOK_LANGUAGES)[number]

/** One phrase in every language, in the order above. */
const PHRASES: readonly string[] = [
  'hello | bonjour | hallo | hola | ciao | olá | hallo',
  'dog | chien | Hund | perro | cane | cão | hond',
  'cat | chat | Katze | gato | gatto | gato | kat',
  'good morning | bonne journée | guten Morgen | buenos días | buongiorno | bom dia | goedemorgen',
  'good night | bonne nuit | gute Nacht | buenas noches | buonanotte | boa noite | goedenacht',
  'goodbye | au revoir | auf Wiedersehen | adiós | arrivederci | adeus | tot ziens',
  'thank you | merci | danke | gracias | grazie | obrigado | dank je',
  'please | s’il vous plaît | bitte | por favor | per favore | por favor | alsjeblieft',
  'yes | oui | ja | sí | sì | sim | ja',
  'no | non | nein | no | no | não | nee',
  'where is | où est | wo ist | dónde está | dov’è | onde está | waar is',
  'the house is red | la maison est rouge | das Haus ist rot | la casa es roja | la casa è rossa | a casa é vermelha | het huis is rood',
  'the weather is nice | il fait beau | das Wetter ist schön | hace buen tiempo | il tempo è bello | o tempo está bom | het is mooi weer',
  'the train station | la gare | der Bahnhof | la estación de tren | la stazione | a estação de trem | het treinstation',
  'the bowerbird | l’oiseau à berceau | der Laubenvogel | el pergolero | l’uccello giardiniere | o pássaro-cetim | de prieelvogel',
  'the library | la bibliothèque | die Bibliothek | la biblioteca | la biblioteca | a biblioteca | de bibliotheek',
  'the book | le livre | das Buch | el libro | il libro | o livro | het boek',
  'the world | le monde | die Welt | el mundo | il mondo | o mundo | de wereld',
  'the house | la maison | das Haus | la casa | la casa | a casa | het huis',
  'the water | l’eau | das Wasser | el agua | l’acqua | a água | het water',
  'world | monde | Welt | mundo | mondo | mundo | wereld',
  'house | maison | Haus | casa | casa | casa | huis',
  'book | livre | Buch | libro | libro | livro | boek',
  'water | eau | Wasser | agua | acqua | água | water',
  'bread | pain | Brot | pan | pane | pão | brood',
  'friend | ami | Freund | amigo | amico | amigo | vriend',
  'today | aujourd’hui | heute | hoy | oggi | hoje | vandaag',
  'tomorrow | demain | morgen | mañana | domani | amanhã | morgen',
  'and | et | und | y | e | e | en',
  'or | ou | oder | o | o | ou | of',
  'is | est | ist | es | è | é | is',
  'with | avec | mit | con | con | com | met',
]

const REMARKS: Readonly<Record<PhrasebookLanguage, string>> = {
  en: 'simulated translation',
  fr: 'traduction simulée',
  de: 'simulierte Übersetzung',
  es: 'traducción simulada',
  it: 'traduzione simulata',
  pt: 'tradução simulada',
  nl: 'gesimuleerde vertaling',
}

const TABLE = PHRASES.map((row) => row.split(' | '))

interface Dictionary {
  /** Lower-case phrase → its row. */
  rows: ReadonlyMap<string, readonly string[]>
  pattern: RegExp
}

const DICTIONARIES = new Map(PHRASEBOOK_LANGUAGES.map((language, column) => [language, dictionaryOf(column)] as const))

function dictionaryOf(column: number): Dictionary {
  const rows = new Map<string, readonly string[]>()
  for (const row of TABLE) {
    const phrase = (row[column] ?? '').toLowerCase()
    if (!rows.has(phrase)) rows.set(phrase, row)
  }
  const longestFirst = [...rows.keys()].sort((one, other) => other.length - one.length)
  return { rows, pattern: new RegExp(`(?<!\\p{L})(?:${longestFirst.join('|')})(?!\\p{L})`, 'giu') }
}

interface Order {
  text: string
  source: PhrasebookLanguage
  target: PhrasebookLanguage
}

export function translatePhrases({ text, source, target }: Order): string {
  const dictionary = DICTIONARIES.get(source)
  if (!dictionary || source === target) return text
  const column = PHRASEBOOK_LANGUAGES.indexOf(target)
  let isTouched = false
  const translated = text.replace(dictionary.pattern, (found) => {
    isTouched = true
    const phrase = dictionary.rows.get(found.toLowerCase())?.[column] ?? found
    return /^\p{Lu}/u.test(found) ? phrase.charAt(0).toUpperCase() + phrase.slice(1) : phrase
  })
  return isTouched || !/\p{L}/u.test(text) ? translated : `${text} (${REMARKS[target]})`
}

/** The language that most of the known words belong to, the first in a tie; undefined if there are none. */
export function guessLanguage(text: string): PhrasebookLanguage | undefined {
  let best: PhrasebookLanguage | undefined
  let most = 0
  for (const [language, { pattern }] of DICTIONARIES) {
    const length = (text.match(pattern) ?? []).join('').length
    if (length > most) [best, most] = [language, length]
  }
  return best
}
