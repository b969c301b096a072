// The hand-written entries of the invented encyclopedia, for examples and tests. The texts are our own; the facts are
// well known, and this is no place to look them up.
import { type EncyclopediaEntry, entry } from './encyclopedia-entry.ts'

export const ENCYCLOPEDIA_ENTRIES: readonly EncyclopediaEntry[] = [
  entry({
    id: 'Q243',
    titles: { en: 'Eiffel Tower', fr: 'Tour Eiffel', de: 'Eiffelturm', es: 'Torre Eiffel' },
    redirects: ['Eiffel tower', 'La Tour Eiffel', 'The Eiffel Tower', 'Eiffel Tower lifts#Lifts'],
    extracts: {
      en:
        'The Eiffel Tower is a tower of wrought iron on the Champ de Mars in Paris. It was built for the ' +
        'World’s Fair of 1889 and was the tallest structure in the world for forty-one years. Millions of ' +
        'people climb it every year.',
      fr:
        'La tour Eiffel est une tour de fer puddlé, à Paris, sur le Champ-de-Mars. Elle fut construite pour ' +
        'l’Exposition universelle de 1889.',
      de: 'Der Eiffelturm ist ein eiserner Turm in Paris. Er wurde zur Weltausstellung von 1889 gebaut.',
    },
    description: 'tower on the Champ de Mars in Paris, France',
    picture: 'Tower seen from the Champ de Mars.jpg',
    coordinates: [48.8584, 2.2945],
    claims: {
      P31: 'Q1440476 | Q570116',
      P17: 'Q142',
      P131: 'Q90',
      P84: 'Q778243',
      P571: '1887-01-28',
      P1619: '1889-03-31',
      P2048: '330 Q11573',
      P856: 'https://tower.example/',
    },
  }),
  entry({
    id: 'Q25188',
    titles: { en: 'Inception', fr: 'Inception', de: 'Inception' },
    redirects: ['Inception (film)', 'Inception (movie)', 'Inception film'],
    extracts: {
      en:
        'Inception is a science fiction film of 2010, written and directed by Christopher Nolan. A thief who ' +
        'steals secrets from dreams is asked to plant an idea instead. The film won four Academy Awards.',
      fr: 'Inception est un film de science-fiction de 2010, écrit et réalisé par Christopher Nolan.',
    },
    description: '2010 film by Christopher Nolan',
    picture: 'A spinning top on a table.jpg',
    claims: {
      P31: 'Q11424',
      P57: 'Q25191',
      P161: 'Q38111 | Q177311 | Q173399',
      P577: '2010-07-08',
      P2047: '148 Q7727',
      P136: 'Q471839',
      P495: 'Q30 | Q145',
      P345: 'tt1375666',
    },
  }),
  entry({
    id: 'Q90',
    titles: { en: 'Paris', fr: 'Paris', de: 'Paris', es: 'París', it: 'Parigi', nl: 'Parijs' },
    redirects: ['Paris, France', 'City of Light'],
    extracts: {
      en: 'Paris is the capital and the largest city of France, on both banks of the Seine.',
      fr: 'Paris est la capitale de la France, sur les deux rives de la Seine.',
    },
    description: 'capital and largest city of France',
    picture: 'Rooftops of the city.jpg',
    coordinates: [48.8567, 2.3522],
    claims: {
      P31: 'Q515 | Q5119',
      P17: 'Q142',
      P1082: '2103778 1 2023 | 2145906 1 2020',
      P2046: '105.4 Q712226',
      P2044: '28 Q11573',
      P421: 'Q6655',
      P571: '-0250',
    },
  }),
  entry({
    id: 'Q142',
    titles: { en: 'France', fr: 'France', de: 'Frankreich', es: 'Francia' },
    redirects: ['French Republic'],
    extracts: { en: 'France is a country in western Europe, with regions and territories on several continents.' },
    description: 'country in western Europe',
    picture: 'A valley in the south.jpg',
    coordinates: [47, 2],
    claims: {
      P31: 'Q6256',
      P36: 'Q90',
      P1082: '68605616 1 2025',
      P2046: '643801 Q712226',
      P37: 'Q150',
      P38: 'Q4916',
      P474: '+33',
      P78: '.fr',
    },
  }),
  entry({
    id: 'Q7259',
    titles: { en: 'Ada Lovelace', fr: 'Ada Lovelace', de: 'Ada Lovelace' },
    redirects: ['Ada Byron', 'Countess of Lovelace'],
    extracts: {
      en:
        'Ada Lovelace was an English mathematician and writer. She described how an engine of Charles ' +
        'Babbage’s could compute numbers that nobody had worked out before, which makes her one of the first ' +
        'programmers.',
    },
    description: 'English mathematician (1815–1852)',
    picture: 'Portrait of a mathematician.jpg',
    claims: {
      P31: 'Q5',
      P569: '1815-12-10',
      P570: '1852-11-27',
      P19: 'Q84',
      P27: 'Q174193',
      P106: 'Q170790 | Q5482740',
      P26: 'Q1234567',
    },
  }),
  entry({
    id: 'Q937',
    titles: { en: 'Albert Einstein', fr: 'Albert Einstein', de: 'Albert Einstein' },
    redirects: ['Einstein', 'A. Einstein'],
    extracts: {
      en: 'Albert Einstein was a physicist, born in Germany, who is best known for the theory of relativity.',
    },
    description: 'German-born physicist (1879–1955)',
    picture: 'Physicist at a blackboard.jpg',
    claims: { P31: 'Q5', P569: '1879-03-14', P570: '1955-04-18', P106: 'Q169470', P166: 'Q38104' },
  }),
  entry({
    id: 'Q28865',
    titles: { en: 'Python (programming language)', fr: 'Python (langage)' },
    redirects: ['Python programming language', 'Python language', 'Python programming'],
    extracts: {
      en: 'Python is a programming language that is meant to be easy to read. It was begun by Guido van Rossum.',
    },
    description: 'general-purpose programming language',
    claims: {
      P31: 'Q9143 | Q7397',
      P178: 'Q16402',
      P571: '1991-02-20',
      P348: '3.14.0',
      P275: 'Q2600299',
      P856: 'https://python.example/',
    },
  }),
  entry({
    id: 'Q48397',
    titles: { en: 'Mercury', fr: 'Mercure', de: 'Merkur' },
    extracts: { en: 'Mercury may refer to: the planet, the element, the god.' },
    description: 'topics referred to by the same term',
    isDisambiguation: true,
    claims: { P31: 'Q4167410' },
  }),
  entry({
    id: 'Q308',
    titles: { en: 'Mercury (planet)', fr: 'Mercure (planète)', de: 'Merkur (Planet)' },
    redirects: ['Mercury planet', 'Planet Mercury'],
    extracts: { en: 'Mercury is the smallest planet of the Solar System and the nearest to the Sun.' },
    description: 'first planet from the Sun',
    picture: 'A grey planet.jpg',
    claims: { P31: 'Q634' },
  }),
  entry({
    id: 'Q15228',
    titles: { en: 'The Hobbit', fr: 'Le Hobbit', de: 'Der kleine Hobbit' },
    redirects: ['Hobbit (book)'],
    extracts: {
      en: 'The Hobbit is a children’s novel by J. R. R. Tolkien, in which a small person goes on a long journey.',
    },
    description: '1937 novel by J. R. R. Tolkien',
    claims: { P31: 'Q7725634', P50: 'Q892', P577: '1937-09-21', P407: 'Q1860' },
  }),
  entry({
    id: 'Q897',
    titles: { en: 'Gold', fr: 'Or', de: 'Gold', es: 'Oro' },
    redirects: ['Au (element)'],
    extracts: { en: 'Gold is a chemical element, a soft yellow metal that does not rust.' },
    description: 'chemical element with atomic number 79',
    claims: { P31: 'Q11344', P246: 'Au', P1086: '79 1', P2067: '196.96657 Q483261' },
  }),
  entry({
    id: 'Q3392',
    titles: { en: 'Nile', fr: 'Nil', de: 'Nil' },
    redirects: ['Nile River', 'River Nile'],
    extracts: { en: 'The Nile is a river in north-eastern Africa that flows north into the Mediterranean Sea.' },
    description: 'major river in northeastern Africa',
    coordinates: [30.17, 31.1],
    claims: { P31: 'Q4022', P2043: '6650 Q828224', P17: 'Q79' },
  }),
  entry({
    id: 'Q180537',
    titles: { en: 'Bowerbird', fr: 'Ptilonorhynchidae', de: 'Laubenvögel' },
    redirects: ['Bowerbirds', 'Ptilonorhynchidae'],
    extracts: {
      en:
        'Bowerbirds are birds of Australia and New Guinea whose males build bowers and adorn them with what ' +
        'they find.',
    },
    description: 'family of birds',
    picture: 'A bird before its bower.jpg',
    claims: { P31: 'Q16521', P225: 'Ptilonorhynchidae', P105: 'Q35409' },
  }),
  entry({
    id: 'Q7937',
    titles: { en: 'Climate', fr: 'Climat', de: 'Klima' },
    extracts: {
      en:
        'Climate is the weather of a place as it is over many years: how warm, how wet, how windy, and how ' +
        'that varies.',
    },
    description: 'statistics of weather over long times',
    picture: 'Clouds over a plain.jpg',
  }),
  entry({
    id: 'Q990100',
    titles: { en: 'After Dark (sandbox film)' },
    redirects: ['After Dark adults only'],
    extracts: { en: 'After Dark is an invented film for adults, here so that safe search has something to hide.' },
    description: 'invented pornographic film',
    claims: { P31: 'Q185529' },
  }),
]
