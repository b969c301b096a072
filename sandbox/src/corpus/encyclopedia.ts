// The invented encyclopedia: entries by title, by item and by words. Titles that look like a common subject get a
// made-up entry, the same for the same title, so that the demo has something to show for most of them.
import { ENCYCLOPEDIA_ENTRIES } from './encyclopedia-entries.ts'
import { type EncyclopediaEntry, entry } from './encyclopedia-entry.ts'
import { capitalised } from './phrasing.ts'
import { hash } from './random.ts'

export interface FoundTitle {
  entry: EncyclopediaEntry
  /** The article's title in this language. */
  title: string
  /** Set when the requested title redirects to a section of the article. */
  section: string
}

/** Item numbers above every real one. */
const FIRST_INVENTED_ITEM = 900_000_000

const titleIn = ({ titles }: EncyclopediaEntry, lang: string): string => titles[lang] ?? titles.en

const ITEMS = new Map(ENCYCLOPEDIA_ENTRIES.map((one) => [one.id, one]))

/** Every title and redirect, in all languages: the sandbox serves every edition at one address. */
const TITLES = new Map<string, { entry: EncyclopediaEntry; section: string }>()
for (const one of ENCYCLOPEDIA_ENTRIES) {
  for (const written of [...one.redirects, ...Object.values(one.titles)]) {
    const [title = '', section = ''] = written.split('#')
    TITLES.set(title, { entry: one, section })
  }
}

/** A known title in the wrong case is missing, and no entry is made up for it. */
const KNOWN = new Set([...TITLES.keys()].map((title) => title.toLowerCase()))

/** Finds titles like a wiki: written exactly, except for the case of the first letter. */
export function findTitle(asked: string, lang: string): FoundTitle | undefined {
  const title = capitalised(asked.trim())
  const known = TITLES.get(title)
  if (known) return { ...known, title: titleIn(known.entry, lang) }
  const invented = inventEntry(title)
  return invented && { entry: invented, title: invented.titles.en, section: '' }
}

/** Invents entries for two in three of the words that could be a subject: no encyclopedia has everything. */
function inventEntry(title: string): EncyclopediaEntry | undefined {
  const isSubject = /^\p{Lu}\p{Ll}{2,14}$/u.test(title) && /[aeiouy]/i.test(title)
  const mark = hash(`entry\n${title}`)
  const subject = title.toLowerCase()
  if (!isSubject || mark % 3 === 0 || /nothing/i.test(title) || KNOWN.has(subject)) return undefined
  return entry({
    id: `Q${FIRST_INVENTED_ITEM + (mark % 90_000_000)}`,
    titles: { en: title },
    extracts: {
      en:
        `${title} is a subject of this invented encyclopedia. Much has been written about ${subject}, ` +
        'and some of it was read. What is said here is made up.',
    },
    description: 'subject of an invented encyclopedia',
    picture: mark % 2 === 0 ? `Picture of ${subject}.jpg` : '',
  })
}

export const findItem = (id: string): EncyclopediaEntry | undefined => ITEMS.get(id)

/** The item of a made-up entry exists, but has no statements. */
export const isInventedItem = (id: string): boolean => Number(id.slice(1)) >= FIRST_INVENTED_ITEM

/** Entries that have every word in a title, those with the shortest titles first. */
export function searchEntries(text: string, lang: string): { entry: EncyclopediaEntry; title: string }[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length === 0) return []
  return ENCYCLOPEDIA_ENTRIES.filter(({ titles, redirects }) => {
    const known = [...redirects, ...Object.values(titles)].join(' ').toLowerCase()
    return words.every((word) => known.includes(word))
  })
    .map((one) => ({ entry: one, title: titleIn(one, lang) }))
    .sort((one, other) => one.title.length - other.title.length)
}
