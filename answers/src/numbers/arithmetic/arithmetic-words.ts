// Words for calculations, by language, and the symbols they stand for. Ambiguous words mean something else in other
// languages (Italian `per`), so they only count if their language was requested or the words before the calculation
// are in it. All are folded: lower case, without accents.
import { indexByFirstWord, type Phrase } from '../../lib/read-triggers.ts'
import type { Language } from '../../question.ts'

const EN = `
plus + | minus - | times * | multiplied by * | divided by / | to the power of ^ | raised to the power of ^
raised to ^ | to the power ^ | squared ^2 | cubed ^3 | mod mod | modulo mod | percent % | per cent %
of of | off off | discount on off | ncr choose | factorial ! | factorial of factorial | choose choose | and , | degrees ° | degree ° | deg ° | radians | rad
square root of sqrt | square root sqrt | cube root of cbrt | cubic root of cbrt | root of sqrt | log of log10
natural log of ln | absolute value of abs | average of mean | average mean | sum of sum | hcf gcd | lg log10
greatest common divisor of gcd | least common multiple of lcm | sine of sin | cosine of cos | tangent of tan`

const FR = `
plus + | moins - | fois * | multiplie par * | divise par / | puissance ^ | a la puissance ^ | exposant ^ | au carre ^2
au cube ^3 | modulo mod | pour cent % | pourcent % | de of | de reduction sur off | de remise sur off | factorielle ! | factorielle de factorial | et , | degres ° | degre °
racine carree de sqrt | racine carree sqrt | racine cubique de cbrt | racine de sqrt | racine sqrt | logarithme de log10
valeur absolue de abs | moyenne de mean | somme de sum | pgcd gcd | ppcm lcm | radians`

const DE = `
plus + | minus - | mal * | multipliziert mit * | geteilt durch / | dividiert durch / | durch / | hoch ^ | zum quadrat ^2
im quadrat ^2 | quadrat ^2 | hoch zwei ^2 | hoch drei ^3 | modulo mod | prozent % | von of | rabatt auf off | nachlass auf off | fakultat ! | fakultat von factorial
und , | grad ° | wurzel aus sqrt | wurzel von sqrt | wurzel sqrt | quadratwurzel aus sqrt | quadratwurzel von sqrt
kubikwurzel aus cbrt | kubikwurzel von cbrt | dritte wurzel aus cbrt | betrag von abs | durchschnitt von mean
mittelwert von mean | summe von sum | ggt gcd | kgv lcm | logarithmus von log10
sinus von sin | sinus sin | kosinus von cos | kosinus cos | tangens von tan | tangens tan`

const ES = `
mas + | menos - | multiplicado por * | dividido por / | dividido entre / | elevado a ^ | elevado a la ^ | al cuadrado ^2
al cubo ^3 | modulo mod | por ciento % | de of | de descuento en off | de descuento sobre off | de descuento de off | factorial ! | factorial de factorial | y , | grados °
raiz cuadrada de sqrt | raiz cuadrada sqrt | raiz cubica de cbrt | raiz de sqrt | raiz sqrt | logaritmo de log10
valor absoluto de abs | promedio de mean | media de mean | suma de sum | mcd gcd | mcm lcm`

const IT = `
piu + | meno - | moltiplicato per * | diviso per / | diviso / | elevato a ^ | elevato alla ^ | alla ^ | al quadrato ^2
al cubo ^3 | modulo mod | per cento % | percento % | di of | di sconto su off | sconto su off | del of | fattoriale ! | fattoriale di factorial | e , | gradi °
radice quadrata di sqrt | radice quadrata sqrt | radice cubica di cbrt | radice di sqrt | radice sqrt
logaritmo di log10 | valore assoluto di abs | media di mean | somma di sum | mcd gcd | mcm lcm`

const PT = `
mais + | menos - | vezes * | multiplicado por * | dividido por / | elevado a ^ | elevado ao ^ | ao quadrado ^2 | ao cubo ^3
modulo mod | por cento % | porcento % | de of | de desconto em off | de desconto sobre off | de desconto de off | fatorial ! | fatorial de factorial | e , | graus °
raiz quadrada de sqrt | raiz quadrada sqrt | raiz cubica de cbrt | raiz de sqrt | raiz sqrt | logaritmo de log10
valor absoluto de abs | media de mean | soma de sum | mdc gcd | mmc lcm`

const NL = `
plus + | keer * | maal * | vermenigvuldigd met * | gedeeld door / | tot de macht ^ | kwadraat ^2 | in het kwadraat ^2
tot de derde ^3 | modulo mod | procent % | van of | korting op off | korting van off | faculteit ! | faculteit van factorial | en , | graden °
wortel van sqrt | wortel uit sqrt | wortel sqrt | vierkantswortel van sqrt | derdemachtswortel van cbrt | absolute waarde van abs
gemiddelde van mean | som van sum | ggd gcd | kgv lcm | logaritme van log10`

const AMBIGUOUS: Readonly<Partial<Record<Language, string>>> = {
  es: 'por * | entre /',
  it: 'per *',
  pt: 'por /',
  nl: 'min -',
}

/** Words before a calculation. After a strong one, `9/11` is a calculation; after a weak one, it is still a date. */
const STRONG: Readonly<Record<Language, string>> = {
  en: 'calculate | calc | compute | evaluate | solve | how much is | calculator',
  fr: 'calcule | calculer | calculez | combien font | combien fait',
  de: 'berechne | berechnen | rechne | wie viel ist | wieviel ist | wie viel sind | wieviel sind | was ergibt',
  es: 'calcula | calcular | cuanto es | cuanto son | cuanto da',
  it: 'calcola | calcolare | quanto fa | quanto fanno | quanto e',
  pt: 'calcule | calcula | calcular | quanto e | quanto sao | quanto da',
  nl: 'bereken | hoeveel is | uitrekenen',
}
const WEAK: Readonly<Record<Language, string>> = {
  en: "what is | what's | whats | what is the | what's the | the",
  fr: 'que vaut | quel est | quelle est la | quelle est | la',
  de: 'was ist | was ist die | die',
  es: 'cual es | cual es la | que es | la | el',
  it: "qual e | qual e la | cos'e | la | il",
  pt: 'qual e | qual e a | o que e | a',
  nl: 'wat is | wat is de | de',
}

export interface SymbolPhrase extends Phrase {
  /** The symbols to read in its place. */
  symbols: string
  isAmbiguous: boolean
}

/** Phrases by their first word, the longest first. */
export const PHRASES = indexByFirstWord(
  Object.entries({ en: EN, fr: FR, de: DE, es: ES, it: IT, pt: PT, nl: NL }).flatMap(([language, text]) =>
    // The keys are the languages.
    phrasesIn(text, language as Language, AMBIGUOUS[language as Language]),
  ),
  (one, other) => one.text === other.text && one.symbols === other.symbols,
)

export const OPENINGS = indexByFirstWord(
  [STRONG, WEAK].flatMap((table) =>
    Object.entries(table).flatMap(([language, text]) =>
      text
        .split(' | ')
        .map((words) => ({ text: words, isStrong: table === STRONG, languages: [language as Language] })),
    ),
  ),
)

function phrasesIn(text: string, language: Language, ambiguous = ''): SymbolPhrase[] {
  const read = (entries: string, isAmbiguous: boolean) =>
    entries
      .split(/\||\n/)
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map((entry) => {
        const at = entry.lastIndexOf(' ')
        // Some words have no symbol: `radians` is the default anyway.
        const [words, symbols] = at < 0 ? [entry, ''] : [entry.slice(0, at), entry.slice(at + 1)]
        return { text: words, symbols, languages: [language], isAmbiguous }
      })
  return [...read(text, false), ...read(ambiguous, true)]
}
