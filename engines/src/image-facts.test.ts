// Size, creator and licence of every picture in every engine's fixture, as its provider gives them.
import { describe, expect, it } from 'vitest'
import { EVERY_READING, QUERY } from '../test/engine-cases.ts'
import { readFixture } from '../test/read-fixture.ts'
import type { HitOf } from './engine.ts'

const PEXELS = 'Pexels License https://www.pexels.com/license/'
const PIXABAY = 'Pixabay Content License https://pixabay.com/service/license-summary/'
const UNSPLASH = 'Unsplash License https://unsplash.com/license'

/** By engine, one row a picture: the picture itself, its size, who made it, its licence. */
const FACTS: Readonly<Record<string, readonly string[]>> = {
  bowerbird: [
    'https://lamps.example/a-full.jpg | 1600×900 | Ann Example | CC BY 4.0 https://creativecommons.org/licenses/by/4.0/',
    'https://lamps.example/b-full.jpg | 800×800 |  | ',
    ' |  |  | ',
  ],
  brave: [
    'https://birds.example.org/full/satin.jpg | 1920×1440 |  | ',
    'https://cdn.journal.example/plate-2.png |  |  | ',
    ' |  |  | ',
  ],
  commons: [
    'https://upload.wikimedia.org/wikipedia/commons/a/aa/Oak_bark.jpg | 4000×3000 | Ann & Example | CC BY-SA 4.0 https://creativecommons.org/licenses/by-sa/4.0',
    'https://upload.wikimedia.org/wikipedia/commons/b/bb/Oak.svg | 512×512 |  | Public domain ',
    'https://upload.wikimedia.org/wikipedia/commons/c/cc/Acorns.png |  |  | ',
  ],
  europeana: [
    ' |  |  | Public Domain Mark 1.0 http://creativecommons.org/publicdomain/mark/1.0/',
    ' |  |  | CC BY-SA 4.0 http://creativecommons.org/licenses/by-sa/4.0/',
    ' |  |  | ',
  ],
  firecrawl: [1, 2, 3].map((n) => `https://garden.example/${n}.jpg | 1200×800 |  | `),
  jina: [
    'https://garden.example/1.jpg | 1200×800 |  | ',
    'https://garden.example/2.jpg | 640×960 |  | ',
    'https://garden.example/3.jpg |  |  | ',
  ],
  kagi: [
    'https://moss.example/full.jpg | 1600×1200 |  | ',
    'https://garden.example/wall.jpg | 300×200 |  | ',
    ' |  |  | ',
  ],
  openverse: [
    'https://cdn.stock.example/1.jpg | 960×640 | T. Example | CC0 1.0 https://creativecommons.org/publicdomain/zero/1.0/',
    'https://museum.example/plates/12.png |  |  | CC BY-SA ',
    'https://photos.example/acorn.jpg |  |  | CC BY ',
  ],
  pexels: [1, 2, 3].map((n) => `https://garden.example/${n}.jpg | 4000×3000 | A | ${PEXELS}`),
  pixabay: [
    `https://pixabay.com/get/oak-1_1280.jpg | 4000×2250 | example | ${PIXABAY}`,
    ` |  |  | ${PIXABAY}`,
    ` |  |  | ${PIXABAY}`,
  ],
  searchapi: [
    'https://garden.example/1.jpg | 1600×900 |  | ',
    'https://garden.example/2.jpg | 800×800 |  | ',
    'https://garden.example/3.jpg | 640×960 |  | ',
  ],
  searxng: [
    'https://cdn.photos.example/1.jpg | 800×600 |  | ',
    'https://cdn.photos.example/2.jpg |  | Ann Example | ',
    ' |  |  | ',
  ],
  serpapi: [
    'https://garden.example/1.jpg | 1600×900 |  | ',
    'https://garden.example/2.jpg | 800×800 |  | ',
    'https://garden.example/3.jpg |  |  | ',
  ],
  serper: [
    'https://garden.example/1.jpg | 1600×900 |  | ',
    'https://garden.example/2.jpg | 800×800 |  | ',
    'https://garden.example/3.jpg |  |  | ',
  ],
  unsplash: [
    `https://garden.example/f1.jpg | 4000×6000 | Ann | ${UNSPLASH}`,
    ` |  |  | ${UNSPLASH}`,
    ` |  |  | ${UNSPLASH}`,
  ],
  webiq: [
    'https://garden.example/1.jpg | 1600×900 |  | ',
    'https://garden.example/2.jpg | 800×800 |  | ',
    'https://garden.example/3.jpg | 640×960 |  | ',
  ],
  yacy: [1, 2, 3].map((n) => `https://garden.example/${n}.jpg |  |  | `),
}

const factsOf = ({ imageUrl = '', width, height, creator = '', licence }: HitOf['images']): string =>
  [imageUrl, width ? `${width}×${height}` : '', creator, licence ? `${licence.name} ${licence.url}` : ''].join(' | ')

const IMAGE_TABS = EVERY_READING.filter(({ name, engine }) => name === 'images' && engine.tierOf === undefined)

it('lists every engine that finds pictures', () => {
  expect(IMAGE_TABS.map(({ engine }) => engine.slug).toSorted()).toEqual(Object.keys(FACTS).toSorted())
})

describe.each(IMAGE_TABS)('$engine.slug', ({ engine, tab, fixture }) => {
  it('gives the size, creator and licence of its pictures', () => {
    const { hits } = tab.parse(readFixture(`${fixture}-page`), QUERY)
    expect((hits as HitOf['images'][]).map(factsOf)).toEqual(FACTS[engine.slug])
  })
})
