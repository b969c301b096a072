// GitHub: `GET /search/repositories`, with a token (`github`) or without (`githubfree`). It has no safe filter.
import { defineJsonProvider, ok, optional, text, timeOf, whole } from './json-provider.ts'
import { projectNameOf, topicsOf } from './projects.ts'
import { isoSeconds } from './wire-time.ts'

const KEY = 'sandbox-github-key'
const PUSHED = / pushed:>=(\d{4}-\d{2}-\d{2})$/

const tier = <const Slug extends string>(slug: Slug, key: string) =>
  defineJsonProvider({
    slug,
    key,
    readsHeaders: ['authorization'],
    admits: ({ headers }) => headers.authorization === (key === '' ? undefined : `Bearer ${key}`),
    optionalMembers: 'full_name description pushed_at topics homepage language license incomplete_results',
    refusal: (_status, message) => ({ message, documentation_url: 'https://docs.github.example/rest' }),
    endpoints: [
      {
        at: 'GET /search/repositories',
        rules: {
          q: text(256),
          per_page: optional(whole(1, 100)),
          page: optional(whole(1, 100)),
        },
        answer(given, { now, corpus }) {
          const [page, count] = [Number(given['page'] ?? 1), Number(given['per_page'] ?? 30)]
          const q = String(given['q'])
          const { total, hits } = corpus.search({
            engine: 'github',
            text: q.replace(PUSHED, ''),
            start: (page - 1) * count,
            count,
            now,
            hidesAdult: false,
            after: timeOf(PUSHED.exec(q)?.[1]),
          })
          const items = hits.map((hit) => ({
            id: hit.mark,
            full_name: `${hit.host.split('.')[0]}/${projectNameOf(hit)}`,
            html_url: hit.url,
            description: hit.sentences.join(' '),
            stargazers_count: hit.mark % 9_000,
            language: 'TypeScript',
            pushed_at: isoSeconds(hit.publishedAt ?? now),
            topics: topicsOf(hit),
            homepage: hit.mark % 2 === 0 ? `https://${hit.host}/` : '',
            license: { spdx_id: 'MIT' },
          }))
          return ok({ total_count: total, incomplete_results: false, items })
        },
      },
    ],
  })

export const github = tier('github', KEY)
export const githubfree = tier('githubfree', '')
