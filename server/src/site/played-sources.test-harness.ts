// Data sources for tests of pages that stand on them: the real services ask, and what each source says to a call is the
// test's to write down.
import type { BoundSource, FindSource } from '@bowerbird/engines/source.ts'

/** By `slug call`: what is found, an error that is thrown, or what a function says of the query. */
export type Sayings = Record<string, unknown>

/** A source is configured when it says anything at all. */
export function playedSources(sayings: Sayings, searchQuery: unknown[] = []): FindSource {
  const bind = (slug: string) => ({
    source: { slug, name: slug, terms: { attribution: `© ${slug}` }, homepage: `https://${slug}.example` },
    async ask(call: { name: string }, query: unknown) {
      searchQuery.push(query)
      const said = sayings[`${slug} ${call.name}`]
      const found = typeof said === 'function' ? await said(query) : said
      if (found instanceof Error) throw found
      return { found, isStale: false, ageMs: 0 }
    },
  })
  // Stands for the bound source of each slug; tests give every call what its own type would find.
  return ((source: { slug: string }) =>
    Object.keys(sayings).some((name) => name.startsWith(`${source.slug} `))
      ? (bind(source.slug) as unknown as BoundSource)
      : undefined) as FindSource
}
