// The subject of a query, as used in an English sentence: "how to bake bread" is about "baking bread".

const LONGEST = { words: 8, characters: 60 }
const QUESTION = /^(?:what|who|where|when|why|which|how) (?:is|are|was|were|does|do|did|can|much|many) /i
const ARTICLE = /^(?:the|a|an) (?=\S)/i

export function subjectOf(text: string): string {
  const words = text
    .replace(/["“”?]/g, '')
    .trim()
    .split(/\s+/)
    .slice(0, LONGEST.words)
    .join(' ')
  const about = words
    .replace(/^how (?:to|do i|can i|do you) ([a-z]+)/i, (_, verb: string) => gerund(verb.toLowerCase()))
    .replace(QUESTION, '')
    .replace(ARTICLE, '')
  return Array.from(about).slice(0, LONGEST.characters).join('').trim() || 'everything'
}

function gerund(verb: string): string {
  if (/[^aeo]e$/.test(verb)) return `${verb.slice(0, -1)}ing`
  const endsShort = /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(verb)
  return `${verb}${endsShort ? verb.slice(-1) : ''}ing`
}
