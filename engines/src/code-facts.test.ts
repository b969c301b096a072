// What every engine says of the projects, packages and questions in its fixture, and of its videos, as its provider
// gives it.
import { describe, expect, it } from 'vitest'
import { EVERY_READING, QUERY } from '../test/engine-cases.ts'
import { readFixture } from '../test/read-fixture.ts'
import type { HitOf, Tab } from './engine.ts'

type Facts = Readonly<Record<string, readonly unknown[]>>

/** By engine, one row a result; `undefined` where the provider says nothing. */
const CODE: Facts = {
  artifacthub: [undefined, undefined, undefined],
  bowerbird: [undefined, undefined, undefined],
  codeberg: [{ stars: 3 }, undefined, undefined],
  crates: [{ version: '1.0.0', downloads: 5 }, { downloads: 1 }, undefined],
  dockerhub: [undefined, undefined, undefined],
  flathub: [undefined, undefined, undefined],
  github: [{ stars: 120, language: 'Rust', licence: 'MIT' }, undefined, { stars: 4300, language: 'C++' }],
  huggingface: Array.from({ length: 10 }, () => undefined),
  mdn: [undefined, undefined, undefined],
  npm: [{ version: '1.2.3' }, { version: '0.1.0' }, { version: '9.0.0' }],
}

const WEB: Facts = { stackexchange: [{ votes: 5, isAnswered: true }, undefined, undefined] }

/** By engine, one row a video: how often it was watched, and its larger picture. */
const VIDEOS: Facts = {
  bowerbird: [{}, {}, {}],
  brave: [{ views: 1_523_000 }, { views: 12 }, {}],
  commons: [{}, {}, {}],
  dailymotion: [{ views: 1_200_345 }, {}, {}],
  kagi: [{}, {}, {}],
  mediathekview: [{}, {}, {}],
  niconico: [{ views: 100 }, {}, {}],
  peertube: [{}, {}, {}],
  pexels: [{}, {}, {}],
  searxng: [{ views: 5300 }, {}, {}],
  sepiasearch: [
    { views: 1337, previewUrl: 'https://tube.example/lazy-static/previews/1.jpg' },
    { views: 12, previewUrl: 'https://films.example/static/2-850.jpg' },
    { previewUrl: 'https://old.example/static/previews/3.jpg' },
  ],
  serper: [{}, {}, {}],
  webiq: [{ views: 4100 }, {}, {}],
  youtube: [{ previewUrl: 'https://garden.example/h.jpg' }, {}, {}],
}

const tabsOf = (tab: Tab) => EVERY_READING.filter(({ name, engine }) => name === tab && engine.tierOf === undefined)

it('lists every engine that finds code or videos', () => {
  expect(
    tabsOf('code')
      .map(({ engine }) => engine.slug)
      .toSorted(),
  ).toEqual(Object.keys(CODE).toSorted())
  expect(
    tabsOf('videos')
      .map(({ engine }) => engine.slug)
      .toSorted(),
  ).toEqual(Object.keys(VIDEOS).toSorted())
})

const QUESTIONS = tabsOf('web').filter(({ engine }) => engine.slug in WEB)

describe.each([...tabsOf('code'), ...QUESTIONS])('$fixture', ({ engine, name, tab, fixture }) => {
  it('says what its provider says of each project, package or question', () => {
    const hits = tab.parse(readFixture(`${fixture}-page`), QUERY).hits as HitOf['code'][]
    expect(hits.map(({ software }) => software)).toEqual((name === 'code' ? CODE : WEB)[engine.slug])
  })
})

describe.each(tabsOf('videos'))('$fixture', ({ engine, tab, fixture }) => {
  it('says how often each video was watched, and where a larger picture is', () => {
    const hits = tab.parse(readFixture(`${fixture}-page`), QUERY).hits as HitOf['videos'][]
    const facts = hits.map(({ views, previewUrl }) => JSON.parse(JSON.stringify({ views, previewUrl })))
    expect(facts).toEqual(VIDEOS[engine.slug])
  })
})
