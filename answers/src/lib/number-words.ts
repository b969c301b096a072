// The words for 0 to 20 in seven languages, folded.
import { LANGUAGES, type Language } from '../question.ts'

const WORDS: Readonly<Record<Language, string>> = {
  en: 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  fr: 'zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt',
  de: 'null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
  es: 'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte',
  it: 'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti',
  pt: 'zero um dois tres quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove vinte',
  nl: 'nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig',
}

const byLanguage = new Map(
  LANGUAGES.map((language) => [
    language,
    new Map(WORDS[language].split(' ').map((word, value) => [word, String(value)])),
  ]),
)

/** The number in figures; `undefined`: not such a word in this language. */
export const numberOfWord = (word: string, language: Language): string | undefined =>
  byLanguage.get(language)?.get(word)

/** In any language. Those that two languages share mean the same in both, except `once`, which is 11 in Spanish only. */
const inAny = new Map(
  [...byLanguage.values()].flatMap((words) => [...words]).filter(([word, value]) => value !== '0' && word !== 'once'),
)

/** The number in figures, from 1 to 20; `undefined`: not such a word in any of the seven languages. */
export const numberOfAnyWord = (word: string): string | undefined => inAny.get(word)
