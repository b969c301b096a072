// What each data source sends and reads, by example. What all of them must do is in source-reply-rules.test.ts.
import { describe, expect, it } from 'vitest'
import { readExamples, runExamples, type Subject } from '../test/examples.ts'
import { SOURCE_FILES, type SourceReader, sourceFolder, sourceReaders } from '../test/source-cases.ts'

const SOURCES = await Promise.all(
  SOURCE_FILES.map(async (file) => {
    const folder = sourceFolder(file)
    return { folder, readers: await sourceReaders(file), examples: readExamples(`sources/${folder}`) }
  }),
)

/** Rows name the key of an answer in the cache, and how long it is kept, as if they were sent. */
const subjectOf = ({ name, schema, keepSeconds, ...call }: SourceReader): Subject => ({
  request: ({ asked = null, settings }) => ({
    ...call.request(asked, { baseUrl: '', apiKey: '', ...settings }),
    key: call.keyOf(asked),
    keepSeconds,
  }),
  read: (reply, { asked }) => {
    const found = call.parse(reply, asked)
    if (name === 'probe') return 'healthy'
    expect(schema.parse(found)).toEqual(found)
    return found
  },
})

describe.each(SOURCES)('$folder', ({ folder, readers, examples }) => {
  for (const reader of readers) {
    describe(reader.name, () => runExamples(examples[reader.name] ?? [], subjectOf(reader), `sources/${folder}`))
  }

  it('has examples of every call', () => {
    expect(Object.keys(examples).toSorted()).toEqual(readers.map(({ name }) => name).toSorted())
  })
})
