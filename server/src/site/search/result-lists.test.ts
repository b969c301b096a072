import type { VideoHit, WebHit } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import type { MergedHit } from '../../search/merge.ts'
import { type Language, wordsIn } from '../i18n/messages.ts'
import { LISTS } from './result-lists.ts'
import type { ResultView } from './result-parts.ts'

const NOW = Date.UTC(2026, 10, 17)

function viewIn(language: Language): ResultView {
  const { search, reading, papers, sites, software, videos, frame } = wordsIn(language)
  return {
    words: search,
    reading,
    papers,
    sites,
    software,
    videos,
    frame,
    locale: language,
    now: NOW,
    engines: [],
    showsIcons: false,
    newTab: false,
    toRead: () => '',
    menuOf: () => false,
    folds: false,
    pictures: { signedPath: (address, kind, instead = '') => `/${kind}/${address}/${instead}`, find: () => undefined },
  }
}

const merged = <Hit>(hit: Hit, more: Partial<MergedHit<Hit>> = {}): MergedHit<Hit> => ({
  hit,
  score: 1,
  slots: ['a'],
  contributions: [],
  ...more,
})

const PAGE = 'https://www.npmjs.com/package/oak'
const EMPTY = {
  kind: 'web' as const,
  title: 'Oak',
  description: 'Trees',
  faviconUrl: '',
  publishedAt: undefined,
  sitelinks: [],
}

/** The facts in the line below the only result, in order. */
const factsIn = (page: string): string[] =>
  [...page.matchAll(/<span>(?:<(?:bdi|time)[^>]*>)?([^<]*)/g)].map(([, fact = '']) =>
    fact.replaceAll(/[\u00a0\u202f]/g, ' '),
  )

describe('a code result', () => {
  const shown = (software: WebHit['software'], language: Language = 'en') =>
    LISTS.code([merged({ ...EMPTY, url: 'https://git.example/oak', ...(software && { software }) })], viewIn(language))
      .text

  it.each<[Language, WebHit['software'], string[]]>([
    ['en', undefined, []],
    ['en', { stars: 1 }, ['1 star']],
    ['en', { stars: 1234, language: 'Rust', licence: 'MIT' }, ['Rust', 'MIT', '1.2K stars']],
    ['en', { version: '1.2.3', downloads: 15_200_000 }, ['Version 1.2.3', '15.2M downloads']],
    ['en', { votes: 12, isAnswered: true }, ['Answered', '12 votes']],
    ['fr', { stars: 1_200_000, downloads: 3 }, ['1,2 M d’étoiles', '3 téléchargements']],
    ['de', { stars: 1234, votes: 1 }, ['1 Stimme', '1234 Sterne']],
    ['es', { stars: 1_200_000 }, ['1,2 M de estrellas']],
  ])('in %s, %j is shown as %j', (language, software, facts) => {
    expect(factsIn(shown(software, language))).toEqual(facts)
  })

  it('shows a provider’s words as text, and not all of them if they are many', () => {
    const page = shown({ language: '<img src=x>', licence: 'x'.repeat(300) })
    expect(page).toContain('<bdi>&lt;img src=x&gt;</bdi>')
    expect(page).toContain(`<bdi>${'x'.repeat(40)}…</bdi>`)
  })

  it('has the line that installs a package, also where a rule shows another address of it', () => {
    const BOX =
      '<p class="install"><code dir="ltr">npm install oak</code><button type="button" data-copy="npm install oak" data-copied="Copied" aria-label="Copy npm install oak">Copy</button></p>'
    expect(LISTS.code([merged({ ...EMPTY, url: PAGE })], viewIn('en')).text).toContain(BOX)
    const rewritten = merged({ ...EMPTY, url: 'https://mirror.example/oak' }, { originalUrl: PAGE })
    expect(LISTS.code([rewritten], viewIn('en')).text).toContain(BOX)
    expect(shown(undefined)).not.toContain('install')
  })

  it('has no such line on the web tab', () => {
    expect(LISTS.web([merged({ ...EMPTY, url: PAGE })], viewIn('en')).text).not.toContain('install')
  })
})

describe('a video', () => {
  const video = {
    kind: 'video' as const,
    title: 'Oak',
    url: 'https://tube.example/1',
    publishedAt: NOW - 86_400_000,
    publisher: 'Trees',
  }
  const shown = (more: Partial<VideoHit>) =>
    LISTS.videos(
      [merged<VideoHit>({ ...video, durationSeconds: 61, thumbnailUrl: 'https://tube.example/s.jpg', ...more })],
      viewIn('en'),
    ).text

  it('says when it was published, by whom, how often it was watched and how long it is', () => {
    expect(factsIn(shown({ views: 1337 }))).toEqual(['1 day ago', 'Trees', '1.3K views'])
    expect(factsIn(shown({}))).toEqual(['1 day ago', 'Trees'])
    expect(shown({})).toContain('</span>1:01</span>')
  })

  it('plays nothing here: its picture leads to the publisher, and says so', () => {
    const page = shown({})
    expect(page).toContain(
      '<a href="https://tube.example/1" title="Watch on tube.example" aria-hidden="true" tabindex="-1">',
    )
    expect(page).not.toMatch(/<(?:iframe|video|embed|object)/)
  })

  it('has its larger picture on wide windows alone, and the small one should that fail', () => {
    const page = shown({ previewUrl: 'https://tube.example/l.jpg' })
    expect(page).toContain(
      '<source media="(width >= 75rem)" srcset="/thumbnail/https://tube.example/l.jpg/https://tube.example/s.jpg">',
    )
    expect(page).toContain('src="/thumbnail/https://tube.example/s.jpg/"')
    expect(shown({})).not.toContain('<source')
  })
})
