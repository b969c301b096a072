// Maps the names of units and currencies to languages. `in` is English, German, Italian and Dutch, but `1.500 km in
// meilen` is German, where a point groups thousands. Words that most languages share (`euro`, `kilo`, `celsius`) don't
// help and aren't listed.
import type { Language } from '../question.ts'
import type { Conversion } from './conversion-phrase.ts'

/** Folded, without prefixes such as `kilo`. */
const WORDS: Readonly<Record<Language, string>> = {
  en: 'metre metres meter meters inch inches foot feet yard yards mile miles nautical gram grams gramme grammes pound pounds ounce ounces stone stones ton tons tonne tonnes litre litres liter liters gallon gallons pint pints quart quarts cup cups tablespoon tablespoons teaspoon teaspoons second seconds minute minutes hour hours day days week weeks month months year years degree degrees joules watts calories acre acres hectares square cubic byte bytes bit bits knots hundredweight dollar dollars euros pounds sterling quid bucks francs rupees rubles crowns pesos yuan swiss canadian australian british american franc krone kroner krona kronor rupee ruble rouble roubles cents hectare watt joule calorie knot yens',
  fr: 'metre metres pouce pouces pied pieds yard yards verge verges mille milles miles marin marins gramme grammes livre livres once onces tonne tonnes litre litres gallon gallons pinte pintes tasse tasses cuillere cuilleres seconde secondes minute minutes heure heures jour jours semaine semaines mois an ans annee annees degre degres joules watts calories acre acres hectares carre carres cube cubes octet octets bits noeud noeuds dollar dollars euros sterling franc francs roupie roupies rouble roubles couronne couronnes pesos yens suisse suisses canadien canadiens',
  de: 'meter metern zoll fuss fuß yard yards meile meilen seemeile seemeilen gramm pfund unze unzen stone tonne tonnen zentner liter litern gallone gallonen pint pints tasse tassen essloffel teeloffel sekunde sekunden minute minuten stunde stunden tag tage tagen woche wochen monat monate monaten jahr jahre jahren grad joule watt kalorie kalorien acre hektar quadratmeter kubikmeter quadratkilometer byte bytes bit knoten dollar sterling franken rupien rubel krone kronen schweizer kanadische',
  es: 'metro metros pulgada pulgadas pie pies yarda yardas milla millas nautica nauticas gramo gramos libra libras onza onzas tonelada toneladas litro litros galon galones pinta pintas taza tazas cucharada cucharadas cucharadita cucharaditas segundo segundos minuto minutos hora horas dia dias semana semanas mes meses ano anos grado grados julios vatios caloria calorias acres hectareas cuadrado cuadrados cuadrada cuadradas cubico cubicos bytes bits nudo nudos dolar dolares euros esterlina esterlinas franco francos rupias rublos corona coronas pesos yenes reales mexicano mexicanos suizo suizos',
  it: 'metro metri pollice pollici piede piedi iarda iarde miglio miglia grammo grammi libbra libbre oncia once tonnellata tonnellate litro litri gallone galloni pinta pinte tazza tazze cucchiaio cucchiai cucchiaino cucchiaini secondo secondi minuto minuti ora ore giorno giorni settimana settimane mese mesi anno anni grado gradi joule watt caloria calorie acri ettaro ettari quadrato quadrati cubo cubi byte bit nodo nodi dollaro dollari sterlina sterline franco franchi rupie rubli corona corone svizzeri',
  pt: 'metro metros polegada polegadas pe pes jarda jardas milha milhas grama gramas libra libras onca oncas tonelada toneladas litro litros galao galoes xicara xicaras colher colheres segundo segundos minuto minutos hora horas dia dias semana semanas mes meses ano anos grau graus joules watts caloria calorias acres hectares quadrado quadrados cubico cubicos bytes bits nos dolar dolares euros esterlina esterlinas franco francos rupias rublos coroa coroas pesos ienes real reais suicos',
  nl: 'meter inch duim voet yard mijl mijlen zeemijl gram pond ponden ons ton liter gallon pint kopje kopjes eetlepel eetlepels theelepel theelepels seconde seconden minuut minuten uur uren dag dagen week weken maand maanden jaar jaren graden joule watt calorie calorieen acre hectare vierkante kubieke byte bytes bit knoop knopen dollar dollars sterling frank franken roepie roebel kroon kronen zwitserse',
}
const PREFIX =
  /^(?:kilo|chilo|quilo|centi|zenti|milli|mili|deci|dezi|hecto|hekto|mega|giga|tera|micro|mikro|nano)(?=[a-z]{3})/

const languagesByWord = new Map<string, Language[]>()
for (const [language, words] of Object.entries(WORDS)) {
  for (const word of new Set(words.split(' '))) {
    const languages = languagesByWord.get(word)
    // The keys are the languages.
    if (languages) languages.push(language as Language)
    else languagesByWord.set(word, [language as Language])
  }
}

/** The languages of the conversion's small words, narrowed down by the names on both sides. Never empty. */
export function languagesSpoken({ from, to, languages }: Conversion): readonly Language[] {
  let left = languages
  for (const word of `${from.folded} ${to.folded}`.split(/[^a-zß']+/)) {
    const known = languagesByWord.get(word) ?? languagesByWord.get(word.replace(PREFIX, ''))
    const narrowed = known ? left.filter((language) => known.includes(language)) : left
    if (narrowed.length > 0) left = narrowed
  }
  return left
}
