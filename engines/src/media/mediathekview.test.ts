import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { mediathekview } from './mediathekview.ts'

const { videos } = mediathekview.tabs
const bodyFor = (query: EngineQuery) => JSON.parse(videos?.request(query, { baseUrl: '' }).body ?? '')

describe('mediathekview', () => {
  it('asks for the best, or for the newest when the host filters by date', () => {
    expect(bodyFor({ ...QUERY, date: undefined })).toEqual({
      queries: [{ fields: ['title', 'topic'], query: 'oak tree' }],
      future: false,
      offset: 10,
      size: 10,
    })
    expect(bodyFor(QUERY)).toMatchObject({ sortBy: 'timestamp', sortOrder: 'desc' })
  })

  it('leaves out versions for the blind and the deaf, and falls back on the film itself', () => {
    const hits = videos?.parse(readFixture('mediathekview-videos-page'), ANY).hits
    expect(hits?.map(({ title, url }) => [title, url])).toEqual([
      ['WISO: Wärmepumpe 1', 'https://www.zdf.example/wiso-1'],
      ['WISO: Wärmepumpe 3', 'https://films.example/3.mp4'],
      ['WISO: Wärmepumpe 4', 'https://www.zdf.example/wiso-4'],
    ])
    expect(hits?.[1]?.durationSeconds).toBe(undefined)
  })
})
