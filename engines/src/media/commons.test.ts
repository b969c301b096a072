import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { commons } from './commons.ts'

const { images } = commons.tabs
const QUERY: EngineQuery = { text: 'oak bark', page: 1, safe: false, date: undefined, lang: '', now: 0 }

const answered = (body: unknown) => () => images?.parse({ status: 200, headers: {}, body: JSON.stringify(body) }, QUERY)

describe('commons images request', () => {
  it('searches pictures only, ten at a time', () => {
    const { path = '' } = images?.request({ ...QUERY, page: 3 }, { baseUrl: '' }) ?? {}
    const { pathname, searchParams } = new URL(path, 'https://provider.example')
    expect(pathname).toBe('/w/api.php')
    expect(Object.fromEntries(searchParams)).toEqual({
      action: 'query',
      format: 'json',
      formatversion: '2',
      generator: 'search',
      gsrnamespace: '6',
      gsrsearch: 'filetype:bitmap|drawing oak bark',
      gsrlimit: '10',
      gsroffset: '20',
      prop: 'imageinfo',
      iiprop: 'url|size|extmetadata',
      iiextmetadatafilter: 'Artist|LicenseShortName|LicenseUrl',
      iiurlheight: '180',
    })
  })

  it('is not made when clean results are wanted', () => {
    expect(images?.honours).not.toContain('safe')
  })

  it('stays within the longest search that Commons takes', () => {
    const text = 'x'.repeat(commons.maxQueryLength?.characters ?? 0)
    const { path = '' } = images?.request({ ...QUERY, text }, { baseUrl: '' }) ?? {}
    expect(new URL(path, 'https://provider.example').searchParams.get('gsrsearch')?.length).toBe(300)
  })
})

describe('commons images reply', () => {
  it('is in order of rank, titled by the file without its ending', () => {
    expect(images?.parse(readFixture('commons-images-page'), QUERY).hits).toMatchObject([
      {
        title: 'Oak bark',
        url: 'https://commons.wikimedia.org/wiki/File:Oak_bark.jpg',
        thumbnailUrl: 'https://upload.wikimedia.org/wikipedia/commons/thumb/a/aa/Oak_bark.jpg/250px-Oak_bark.jpg',
        imageUrl: 'https://upload.wikimedia.org/wikipedia/commons/a/aa/Oak_bark.jpg',
      },
      {
        title: 'Oak, 1.25 m',
        url: 'https://commons.wikimedia.org/wiki/File:Oak,_1.25_m.svg',
        thumbnailUrl: 'https://upload.wikimedia.org/wikipedia/commons/thumb/b/bb/Oak.svg/250px-Oak.svg.png',
        imageUrl: 'https://upload.wikimedia.org/wikipedia/commons/b/bb/Oak.svg',
      },
      {
        title: 'Acorns & cups',
        url: 'https://commons.wikimedia.org/wiki/File:Acorns_%26_cups.png',
        thumbnailUrl: 'https://upload.wikimedia.org/wikipedia/commons/c/cc/Acorns.png',
      },
    ])
  })

  it('drops pages without a file, even if nothing else was found', () => {
    expect(images?.parse(readFixture('commons-images-bare'), QUERY).hits.length).toBe(3)
    const page = answered({ batchcomplete: true, query: { pages: [{ title: 'File:Gone.jpg', index: 1 }] } })()
    expect(page?.hits).toEqual([])
  })

  it.each([
    ['ratelimited', 'throttled', false],
    ['maxlag', 'unreachable', false],
    ['readonly', 'unreachable', false],
    ['internal_api_error_DBQueryError', 'unreachable', false],
    ['badvalue', 'rejected', false],
    ['cirrussearch-query-too-long', 'rejected', true],
  ])('with status 200 and the error %s is %s, never an empty page', (code, kind, isQueryFault) => {
    const body = { error: { code, info: 'canary' }, batchcomplete: true }
    expect(answered(body)).toThrow(expect.objectContaining({ kind, isQueryFault }))
    expect(answered(body)).not.toThrow(/canary/)
  })
})

describe('commons videos', () => {
  const { videos } = commons.tabs
  const query = { text: 'oak', page: 1, safe: false, date: undefined, lang: '', now: 0 }

  it('asks for videos with their length', () => {
    const { path = '' } = videos?.request(query, { baseUrl: '' }) ?? {}
    const parameters = new URL(path, 'https://a.example').searchParams
    expect([parameters.get('gsrsearch'), parameters.get('iiprop')]).toEqual([
      'filetype:video oak',
      'url|size|timestamp|user',
    ])
  })

  it('reads them by rank', () => {
    const hits = videos?.parse(readFixture('commons-videos-page'), query).hits
    expect(hits?.map(({ title }) => title)).toEqual(['Oak film 3', 'Oak film 2', 'Oak film 1'])
    expect(hits?.[0]).toMatchObject({ publisher: 'Ann', durationSeconds: 62, publishedAt: Date.UTC(2020, 0, 1) })
  })
})
