// Detects the language of a query, and writes results in it. As at a real engine, a question in German finds German
// pages, so that people who try an instance in their own language see results in it. Two common words decide, or kana;
// anything else is answered in English.
import { fill, nth } from './phrasing.ts'

interface Phrases {
  /** In lower case. No English words, and as few as possible that occur in another language here. */
  words: readonly string[]
  titles: readonly [string, ...string[]]
  sentences: readonly [string, ...string[]]
}

const PHRASES: Readonly<Record<string, Phrases>> = {
  de: {
    words: 'wie und eine der das ist für nicht warum was funktioniert mit von'.split(' '),
    titles: [
      '{Q}: was Sie darüber wissen müssen',
      'Fünf Fragen und Antworten zum Thema {q}',
      'Alles über {q}, einfach erklärt',
      'Warum jetzt so viele Menschen nach {q} suchen',
      'Ein Blick auf {q} aus der Nähe',
    ],
    sentences: [
      'Der Artikel erklärt Schritt für Schritt, worauf es ankommt und welche Fehler man vermeiden sollte.',
      'Drei Fachleute sagen, was sie in den nächsten Jahren erwarten und warum sie sich nicht einig sind.',
      'Die Zahlen stammen aus einer Untersuchung, die im Frühjahr veröffentlicht wurde.',
    ],
  },
  fr: {
    words: 'comment est une les des pour avec pourquoi dans fonctionne qui le la'.split(' '),
    titles: [
      '{Q} : ce qu’il faut savoir avant de commencer',
      'Cinq questions et leurs réponses sur {q}',
      'Tout comprendre sur {q} en quelques minutes',
      'Pourquoi tout le monde parle maintenant de {q}',
      'Un regard attentif sur {q}, vu de près',
    ],
    sentences: [
      'Cet article explique étape par étape ce qui compte vraiment et les erreurs qu’il vaut mieux éviter.',
      'Trois spécialistes disent ce qu’ils attendent des prochaines années et pourquoi ils ne sont pas d’accord.',
      'Les chiffres viennent d’une étude qui a été publiée au printemps dernier.',
    ],
  },
  es: {
    words: 'cómo qué una los las por qué funciona para con del el es'.split(' '),
    titles: [
      '{Q}: lo que usted debe saber antes de empezar',
      'Cinco preguntas y respuestas sobre {q}',
      'Todo lo que hay que entender sobre {q}, explicado paso a paso',
      'Por qué ahora todo el mundo habla de {q}',
      'Una mirada muy cercana a {q}, hecha desde aquí',
    ],
    sentences: [
      'El artículo explica paso a paso qué es lo más importante y cuáles son los errores que conviene evitar.',
      'Tres especialistas cuentan lo que esperan de los próximos años y por qué no están de acuerdo.',
      'Las cifras proceden de un estudio que se publicó durante la primavera pasada.',
    ],
  },
  it: {
    words: 'come funziona una che perché gli della il di con è per'.split(' '),
    titles: [
      '{Q}: che cosa bisogna sapere prima di cominciare',
      'Cinque domande e risposte su {q}',
      'Tutto quello che c’è da capire su {q}, spiegato bene',
      'Perché adesso tutti quanti parlano di {q}',
      'Uno sguardo più da vicino su {q} e sulla sua storia',
    ],
    sentences: [
      'L’articolo spiega passo dopo passo che cosa conta davvero e quali sono gli errori da evitare.',
      'Tre esperti raccontano che cosa si aspettano dai prossimi anni e perché non sono d’accordo.',
      'I numeri vengono da uno studio che è stato pubblicato nella scorsa primavera.',
    ],
  },
  pt: {
    words: 'como funciona uma que porquê não os da do com para'.split(' '),
    titles: [
      '{Q}: o que você precisa saber antes de começar',
      'Cinco perguntas e respostas sobre {q}, com explicações',
      'Tudo o que há para entender sobre {q}, explicado em pouco tempo',
      'Por que razão toda a gente está agora a falar de {q}',
      'Um olhar mais próximo sobre {q} e a sua história',
    ],
    sentences: [
      'O artigo explica passo a passo o que é realmente importante e quais são os erros que não se devem cometer.',
      'Três especialistas dizem o que esperam dos próximos anos e por que razão não estão de acordo.',
      'Os números vêm de um estudo que foi publicado na primavera passada.',
    ],
  },
  nl: {
    words: 'hoe werkt een het van waarom voor met niet zijn wat'.split(' '),
    titles: [
      '{Q}: wat u moet weten voordat u begint',
      'Vijf vragen en antwoorden over {q}',
      'Alles over {q}, eenvoudig uitgelegd',
      'Waarom nu zoveel mensen naar {q} zoeken',
      'Een blik op {q} van heel dichtbij',
    ],
    sentences: [
      'Het artikel legt stap voor stap uit waar het om gaat en welke fouten u beter kunt vermijden.',
      'Drie deskundigen vertellen wat zij de komende jaren verwachten en waarom zij het niet eens zijn.',
      'De cijfers komen uit een onderzoek dat in het voorjaar werd gepubliceerd.',
    ],
  },
  pl: {
    words: 'jak działa dlaczego co jest nie dla się czy to pompa'.split(' '),
    titles: [
      '{Q}: co trzeba wiedzieć, zanim się zacznie',
      'Pięć pytań i odpowiedzi na temat: {q}',
      'Wszystko, co warto zrozumieć: {q} krok po kroku',
      'Dlaczego wszyscy teraz o tym mówią: {q}',
      'Spojrzenie z bliska na to, czym jest {q}',
    ],
    sentences: [
      'Artykuł wyjaśnia krok po kroku, co jest naprawdę ważne i jakich błędów należy unikać.',
      'Troje specjalistów mówi, czego spodziewają się w najbliższych latach i dlaczego się nie zgadzają.',
      'Liczby pochodzą z badania, które zostało opublikowane wiosną tego roku.',
    ],
  },
  ja: {
    words: [],
    titles: [
      '{q}について知っておきたいこと',
      '{q}に関する五つの質問とその答え',
      '{q}をわかりやすく解説します',
      'なぜ今みんなが{q}の話をしているのか',
      '{q}を近くから見てみましょう',
    ],
    sentences: [
      'この記事では、何が大切なのか、どのような間違いを避けるべきかを順番に説明します。',
      '三人の専門家が、これからの数年に期待することと、意見が分かれる理由を語ります。',
      '数字は、この春に発表された調査によるものです。',
    ],
  },
}

const KANA = /[\u3041-\u30ff]/
const ENOUGH_WORDS = 2

/** `undefined` for English and for unknown languages. `text` is in lower case. */
export function languageOfQuery(text: string): string | undefined {
  if (KANA.test(text)) return 'ja'
  const words = new Set(text.split(/[^\p{L}]+/u))
  let [best, most]: [string | undefined, number] = [undefined, ENOUGH_WORDS - 1]
  for (const [language, phrases] of Object.entries(PHRASES)) {
    const count = new Set(phrases.words.filter((word) => words.has(word))).size
    if (count > most) [best, most] = [language, count]
  }
  return best
}

/** The same hit, with a title and sentences in the language. */
export function writtenIn<Hit extends { title: string; mark: number; isAdult: boolean }>(
  language: string,
  hit: Hit,
  subject: string,
): Hit {
  const phrases = PHRASES[language]
  if (!phrases) return hit
  const title = fill(nth(phrases.titles, hit.mark), subject)
  const sentences = [0, 1].map((step) => nth(phrases.sentences, (hit.mark >>> 4) + step))
  return {
    ...hit,
    title: hit.isAdult ? `${title} (adults only)` : title,
    ...('sentences' in hit && { sentences }),
  }
}
