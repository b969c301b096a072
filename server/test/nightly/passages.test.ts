// Whether passages hold the answer: on real articles, which aren't in the repository, with questions made from them.
//
// A question is made from one sentence of an article. Its answer is a number or a name in that sentence that is nowhere
// else in the page. The question is three to five of the other longer words of the sentence, about half of them, without
// the answer and without any number: what somebody would type who has an idea of the subject.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { extractPage } from '@bowerbird/reader/extract-page.ts'
import { type Passage, passagesOf, rankPassages, tokensOf } from '@bowerbird/reader/passages.ts'
import { beforeAll, describe, expect, it } from 'vitest'

const DATA = resolve(import.meta.dirname, '../../../../shared/data/articles')
const TOKENS = 1_000
const QUESTIONS_PER_ARTICLE = 3
const LONG_TOKENS = 2_000

interface Article {
  id: string
  body: string
  markdown: string
  passages: Passage[]
}

interface Question {
  article: Article
  text: string
  answer: string
}

/** The same numbers every time. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x80000000
  }
}

async function readArticles(): Promise<Article[]> {
  const truths = JSON.parse(readFileSync(join(DATA, 'ground-truth.json'), 'utf8')) as Record<
    string,
    { articleBody: string; url: string }
  >
  const articles: Article[] = []
  for (const [id, { articleBody: body, url }] of Object.entries(truths)) {
    const bytes = gunzipSync(readFileSync(join(DATA, 'html', `${id}.html.gz`)))
    const address = URL.canParse(url) ? url : 'https://example.org/'
    const page = { bytes, contentType: 'text/html; charset=utf-8', address, format: 'markdown' } as const
    // A page that could not be read has no questions.
    const { content: markdown } = await extractPage(page).catch(() => ({ content: '' }))
    articles.push({ id, body, markdown, passages: passagesOf(markdown) })
  }
  return articles
}

const isOnce = (text: string, word: string): boolean => text.split(word).length === 2

function questionsOf(article: Article, random: () => number): Question[] {
  const { body, markdown } = article
  const sentences = body
    .split(/(?<=[.!?])\s+|\n+/)
    .filter(({ length }) => length > 60 && length < 400)
    .map((sentence) => ({ sentence, order: random() }))
    .sort((one, other) => one.order - other.order)
  const questions = sentences.flatMap(({ sentence }): Question[] => {
    const words = sentence.match(/[\p{L}\p{N}]+/gu) ?? []
    const answer = words
      .slice(1)
      .find((word) => /^\d{2,}$|^\p{Lu}\p{L}{3,}$/u.test(word) && isOnce(body, word) && isOnce(markdown, word))
    if (answer === undefined) return []
    const others = [...new Set(words)].filter((word) => /^\p{L}{4,}$/u.test(word) && word !== answer)
    const asked = others.filter(() => random() < 0.5).slice(0, 5)
    return asked.length < 3 ? [] : [{ article, text: asked.join(' '), answer }]
  })
  return questions.slice(0, QUESTIONS_PER_ARTICLE)
}

describe.skipIf(!existsSync(DATA))(`the passages of ${TOKENS} tokens`, () => {
  let articles: Article[]
  let questions: Question[]
  beforeAll(async () => {
    const random = seededRandom(26)
    articles = await readArticles()
    questions = articles.flatMap((article) => questionsOf(article, random))
  })

  /** How many of a hundred questions are answered by a passage of their own page, among those of `others` pages. */
  function answered(asked: readonly Question[], others: number): number {
    const hits = asked.filter(({ article, text, answer }) => {
      const at = articles.indexOf(article)
      const more = Array.from({ length: others }, (_, step) => articles[(at + 7 * (step + 1)) % articles.length])
      const ranking = rankPassages(text)
      for (const page of [article, ...more]) ranking.add(page?.passages ?? [])
      const [chosen = []] = ranking.choose(TOKENS)
      return chosen.some((passage) => passage.text.includes(answer))
    })
    return (100 * hits.length) / asked.length
  }

  it('hold the answer to at least 90 of 100 questions about an article', () => {
    expect(questions.length).toBeGreaterThan(300)
    expect(answered(questions, 0)).toBeGreaterThanOrEqual(90)
  })

  it('hold it in long articles as well, of which most has to be left out', () => {
    const long = questions.filter(({ article }) => tokensOf(article.markdown) > LONG_TOKENS)
    expect(long.length).toBeGreaterThan(40)
    expect(answered(long, 0)).toBeGreaterThanOrEqual(90)
  })

  it('hold it among the pages of nineteen other results', () => {
    expect(answered(questions, 19)).toBeGreaterThanOrEqual(90)
  })
})
