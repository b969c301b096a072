// The invented dictionary, with our own definitions. One sense a line: word, code and name of the language, part of
// speech, definition, and optionally an example. Words not listed are missing from the dictionary.

export interface DictionaryEntry {
  lang: string
  language: string
  partOfSpeech: string
  senses: { definition: string; example: string }[]
}

const LINES = `
serendipity | en English | Noun | The luck of finding something good without having looked for it. | It was pure serendipity that they met at the station.
serendipity | en English | Noun | An event of that kind.
ephemeral | en English | Adjective | Lasting only for a short time. | The ephemeral beauty of cherry blossom.
ephemeral | en English | Adjective | Living or carrying water for a short season only.
ephemeral | en English | Noun | Something that lasts only for a short time.
hello | en English | Interjection | A word said on meeting somebody. | Hello, and welcome.
hello | en English | Noun | The saying of that word. | They gave us a friendly hello.
inception | en English | Noun | The beginning of something, such as an institution or an idea. | It has grown every year since its inception.
climate | en English | Noun | The weather of a place as it is over many years. | A mild climate suits the vines.
climate | en English | Noun | The mood or conditions of a time or a group. | The political climate had changed.
weather | en English | Noun | The state of the air at a time and place: wind, rain, sun and warmth.
weather | en English | Verb | To come through something difficult. | They weathered the crisis together.
petrichor | en English | Noun | The smell of rain on dry ground.
ubiquitous | en English | Adjective | Being everywhere at once, or seeming to be. | Telephones have become ubiquitous.
mellifluous | en English | Adjective | Flowing sweetly, as a voice or music does.
quixotic | en English | Adjective | Noble and impractical at the same time.
pragmatic | en English | Adjective | Led by what works rather than by theory. | She took a pragmatic view.
empathy | en English | Noun | The ability to feel what somebody else feels.
resilience | en English | Noun | The ability to recover quickly from difficulty.
nostalgia | en English | Noun | A longing for a time that is past.
paradox | en English | Noun | A statement that seems to contradict itself and may yet be true.
entropy | en English | Noun | A measure of the disorder of a system.
algorithm | en English | Noun | A finite list of exact steps that solves a kind of problem.
recursion | en English | Noun | The defining of a thing in terms of itself. | See recursion.
metaphor | en English | Noun | The naming of one thing by another that it resembles. | Time is a river, to use a worn metaphor.
irony | en English | Noun | The saying of one thing while the contrary is meant.
hypothesis | en English | Noun | An explanation that is proposed in order to be tested.
photosynthesis | en English | Noun | The process by which plants make sugar of light, water and carbon dioxide.
osmosis | en English | Noun | The passing of water through a membrane towards the stronger solution.
democracy | en English | Noun | Rule by the people, directly or through those they elect.
bower | en English | Noun | A shady place under trees or climbing plants.
bowerbird | en English | Noun | A bird whose male builds and decorates a bower to please the female.
magpie | en English | Noun | A black and white bird of the crow family.
house | en English | Noun | A building for people to live in. | Their house stands by the river.
house | en English | Verb | To give somebody a place to live. | The hall housed forty families.
dog | en English | Noun | An animal that has lived with people since before there were villages. | The dog slept by the fire.
dog | en English | Verb | To follow somebody persistently.
cat | en English | Noun | A small animal that hunts mice and is kept for company.
book | en English | Noun | A number of printed pages bound together. | He read the book in a day.
book | en English | Verb | To reserve a seat, a room or a table.
bank | en English | Noun | A business that keeps and lends money.
bank | en English | Noun | The side of a river.
love | en English | Noun | A deep affection.
love | en English | Verb | To feel deep affection for somebody. | They love each other.
run | en English | Verb | To move fast on foot.
run | en English | Noun | A stretch of moving fast on foot.
set | en English | Verb | To put something in a place.
set | en English | Noun | A collection of things that belong together.
gift | en English | Noun | Something that is given.
gift | de German | Noun | A wrong spelling of the word for poison, which has a capital letter.
Gift | de German | Noun | Poison; a substance that harms the living.
Haus | de German | Noun | A house; a building to live in. | Das Haus ist alt.
Schadenfreude | de German | Noun | Pleasure in the misfortune of others.
schadenfreude | en English | Noun | Pleasure in the misfortune of others.
chat | en English | Verb | To talk in a friendly way about nothing much.
chat | en English | Noun | A friendly talk.
chat | fr French | Noun | A cat. | Le chat dort.
bonjour | fr French | Interjection | Good day; a word said on meeting somebody by day.
maison | fr French | Noun | A house; a home.
dépaysement | fr French | Noun | The feeling of being in a place that is not one's own.
saudade | pt Portuguese | Noun | A deep longing for somebody or something absent.
casa | es Spanish | Noun | A house; a home.
casa | it Italian | Noun | A house; a home.
casa | pt Portuguese | Noun | A house; a home.
gezellig | nl Dutch | Adjective | Cosy and sociable, of a room, an evening or a person.
ciao | it Italian | Interjection | A word said on meeting or parting among friends.
`

const ENTRIES = new Map<string, DictionaryEntry[]>()

for (const line of LINES.split('\n').filter(Boolean)) {
  const [word = '', name = '', partOfSpeech = '', definition = '', example = ''] = line.split(' | ')
  const [lang = '', language = ''] = name.split(' ')
  const known = ENTRIES.get(word) ?? []
  ENTRIES.set(word, known)
  const entry = known.find((one) => one.lang === lang && one.partOfSpeech === partOfSpeech)
  if (entry) entry.senses.push({ definition, example })
  else known.push({ lang, language, partOfSpeech, senses: [{ definition, example }] })
}

/** Case matters, as it does on Wiktionary. */
export const lookUpWord = (word: string): readonly DictionaryEntry[] => ENTRIES.get(word) ?? []
