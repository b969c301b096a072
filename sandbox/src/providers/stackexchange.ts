// Stack Exchange API 2.3: `GET /2.3/search/advanced`, `/2.3/search/excerpts` and `/2.3/questions/{ids}/answers`, for
// Stack Overflow and its siblings in other languages. A key is optional and raises the quota; a wrong one is refused.
// Every error, including throttling, is status 400 with an error number in the body. Titles are HTML-encoded; bodies
// are HTML and come only with `filter=withbody`.
import { type Corpus, EMPTY_CORPUS } from '../corpus/corpus.ts'
import { PROGRAMMING_QUESTIONS, type ProgrammingQuestion } from '../corpus/questions.ts'
import { escapeHtml } from './escape-html.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readInteger } from './read-integer.ts'

const KEY = 'sandbox-stackexchange-key'
const SORTS = new Set(['activity', 'votes', 'creation', 'relevance'])
const YEAR_SECONDS = 31_536_000

const refusal = (errorId: number, name: string, message: string): ProviderReply => ({
  status: 400,
  json: { error_id: errorId, error_message: message, error_name: name },
})
const badParameter = (name: string): ProviderReply => refusal(400, 'bad_parameter', name)

export const stackexchange = defineProvider({
  slug: 'stackexchange',
  key: KEY,
  readsHeaders: [],
  optionalMembers:
    'excerpt is_answered creation_date owner tags view_count last_activity_date content_license accepted_answer_id backoff'.split(
      ' ',
    ),
  answer(request, corpus) {
    const ids = /^\/2\.3\/questions\/([\d;]{1,1200})\/answers$/.exec(request.path)?.[1]
    const isExcerpts = request.path === '/2.3/search/excerpts'
    if (request.method !== 'GET' || (ids === undefined && !isExcerpts && request.path !== '/2.3/search/advanced'))
      return undefined
    if (isExcerpts) return refusedBy(request) ?? excerpts(request, corpus)
    return refusedBy(request) ?? (ids === undefined ? search(request, corpus === EMPTY_CORPUS) : answers(request, ids))
  },
  badKey: () => badParameter("`key` doesn't match a known application"),
  throttled: (_now, retryAfterSeconds) =>
    refusal(
      502,
      'throttle_violation',
      `too many requests from this IP, more requests available in ${retryAfterSeconds} seconds`,
    ),
  failure: (_now, status) => ({
    status,
    json: { error_id: status, error_message: 'an error occurred', error_name: 'internal_error' },
  }),
})

function refusedBy({ query }: ProviderRequest): ProviderReply | undefined {
  if (query.has('key') && query.get('key') !== KEY) return badParameter("`key` doesn't match a known application")
  if (!SITES.has(query.get('site') ?? '')) return badParameter('site is required')
  if (!SORTS.has(query.get('sort') ?? 'activity')) return badParameter('sort')
  if (!['desc', 'asc'].includes(query.get('order') ?? 'desc')) return badParameter('order')
  return readInteger(query, 'pagesize', { from: 1, to: 100, fallback: 30 }) === undefined
    ? badParameter('pagesize')
    : undefined
}

const wrapped = (items: readonly unknown[], query: URLSearchParams): ProviderReply => {
  const size = readInteger(query, 'pagesize', { from: 1, to: 100, fallback: 30 }) ?? 30
  const quota = query.has('key') ? 10_000 : 300
  const has = { has_more: items.length > size, quota_max: quota, quota_remaining: quota - 9 }
  return { status: 200, json: { items: items.slice(0, size), ...has } }
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}+#]+/gu) ?? []

/** Questions with at least half of the words, those with the most first. */
function search({ query, now }: ProviderRequest, hasNothing: boolean): ProviderReply {
  const words = wordsIn(query.get('q') ?? '')
  if (words.length === 0 && !query.has('tagged') && !query.has('title')) return badParameter('q')
  const ranked = PROGRAMMING_QUESTIONS.map((question) => {
    const known = [...wordsIn(question.title), ...question.tags]
    return { question, shared: words.filter((word) => known.includes(word)).length }
  })
  const found = ranked
    .filter(({ shared }) => !hasNothing && shared * 2 >= words.length)
    .sort((one, other) => other.shared - one.shared)
  const withBody = query.get('filter') === 'withbody'
  return wrapped(
    found.map(({ question }) => presentQuestion(question, now, withBody)),
    query,
  )
}

const SITES = new Set(['stackoverflow', 'es.stackoverflow', 'pt.stackoverflow', 'ru.stackoverflow', 'ja.stackoverflow'])

/** Every fourth one is an answer. */
function excerpts({ query, now }: ProviderRequest, corpus: Corpus): ProviderReply {
  const text = query.get('q')?.trim() ?? ''
  const page = readInteger(query, 'page', { from: 1, to: 25, fallback: 1 })
  const count = readInteger(query, 'pagesize', { from: 1, to: 100, fallback: 30 })
  if (text === '') return badParameter('q')
  if (page === undefined || count === undefined) return badParameter('page')
  const after = query.has('fromdate') ? Number(query.get('fromdate')) * 1000 : undefined
  const start = (page - 1) * count
  const { total, hits } = corpus.search({ engine: 'stackexchange', text, start, count, now, hidesAdult: true, after })
  const items = hits.map((hit) => ({
    item_type: hit.mark % 4 === 0 ? 'answer' : 'question',
    question_id: 1 + hit.mark,
    ...(hit.mark % 4 === 0 && { answer_id: 2 + hit.mark }),
    title: escapeHtml(hit.title),
    excerpt: `… <span class="highlight">${escapeHtml(text)}</span> ${escapeHtml(hit.sentences[0] ?? '')}`,
    score: hit.mark % 50,
    ...(hit.mark % 4 !== 0 && { is_answered: hit.mark % 3 !== 0 }),
    tags: ['climate'],
    ...(hit.publishedAt !== undefined && { creation_date: Math.floor(hit.publishedAt / 1000) }),
  }))
  return { status: 200, json: { items, has_more: start + count < total, quota_max: 300, quota_remaining: 291 } }
}

const slug = (title: string): string => wordsIn(title).join('-').replace(/[+#]/g, '')

const owner = (name: string, id: number) => ({
  account_id: id + 1,
  reputation: 1_000 + (id % 9_000),
  user_id: id,
  user_type: 'registered',
  profile_image: `https://stackoverflow.example/users/${id}.png`,
  display_name: escapeHtml(name),
  link: `https://stackoverflow.example/users/${id}`,
})

const presentQuestion = (question: ProgrammingQuestion, now: number, withBody: boolean) => {
  const { id, title, tags, score } = question
  const created = Math.floor(now / 1000) - YEAR_SECONDS - (id % YEAR_SECONDS)
  return {
    tags,
    owner: owner('Asker', id % 1_000),
    is_answered: true,
    view_count: score * 97,
    accepted_answer_id: id + 1,
    answer_count: 2,
    score,
    last_activity_date: created + 90_000,
    creation_date: created,
    question_id: id,
    content_license: 'CC BY-SA 4.0',
    link: `https://stackoverflow.example/questions/${id}/${slug(title)}`,
    title: escapeHtml(title),
    ...(withBody && { body: `<p>${escapeHtml(title)}</p>` }),
  }
}

function answers({ query, now }: ProviderRequest, ids: string): ProviderReply {
  const asked = new Set(ids.split(';'))
  const found = PROGRAMMING_QUESTIONS.filter(({ id }) => asked.has(String(id)))
  const withBody = query.get('filter') === 'withbody'
  return wrapped(
    found.flatMap((question) => presentAnswers(question, now, withBody)),
    query,
  )
}

function presentAnswers({ id, answer }: ProgrammingQuestion, now: number, withBody: boolean) {
  const created = Math.floor(now / 1000) - YEAR_SECONDS
  const code = `<pre class="lang-none"><code>${escapeHtml(answer.code)}\n</code></pre>`
  const body = `<p>${escapeHtml(answer.text)}</p>\n\n${code}`
  const present = (isAccepted: boolean, text: string) => {
    const answerId = isAccepted ? id + 1 : id + 2
    return {
      owner: owner(answer.author, answerId % 1_000),
      is_accepted: isAccepted,
      score: isAccepted ? answer.score : answer.score + 5,
      last_activity_date: created,
      creation_date: created,
      answer_id: answerId,
      question_id: id,
      content_license: 'CC BY-SA 4.0',
      ...(withBody && { body: text }),
    }
  }
  // Sorted by votes, so that the accepted one is not the first.
  return [present(false, '<p>Have you tried to turn it off and on again?</p>'), present(true, body)]
}
