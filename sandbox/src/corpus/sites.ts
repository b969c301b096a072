// The invented sites, which have pages on any subject, and the texts of each kind of site.
// In the texts {q} is the subject as typed and {Q} the same with a capital.

export type SiteKind = 'reference' | 'guide' | 'news' | 'forum' | 'research' | 'journal' | 'archive' | 'school'

export interface Site {
  host: string
  name: string
  kind: SiteKind
}

const sites = (kind: SiteKind, names: Readonly<Record<string, string>>): Site[] =>
  Object.entries(names).map(([host, name]) => ({ host, name, kind }))

export const SITES: readonly Site[] = [
  ...sites('reference', {
    'open-compendium.example': 'Open Compendium',
    'plain-answers.example': 'Plain Answers',
    'glossary.example.net': 'The Shared Glossary',
    'fieldbook.example.org': 'Fieldbook',
    'concise-atlas.example': 'The Concise Atlas',
    'first-principles.test': 'First Principles',
  }),
  ...sites('guide', {
    'practical-handbook.example': 'The Practical Handbook',
    'kitchen-table.example': 'Kitchen Table Guides',
    'step-by-step.test': 'Step by Step',
    'workbench-notes.example': 'Workbench Notes',
    'good-start.example.org': 'Good Start',
    'tested-twice.example': 'Tested Twice',
  }),
  ...sites('news', {
    'harbour-gazette.example': 'The Harbour Gazette',
    'morning-ledger.example': 'The Morning Ledger',
    'northern-dispatch.example': 'Northern Dispatch',
    'valley-observer.test': 'Valley Observer',
    'the-weekly-round.example': 'The Weekly Round',
    'public-square.example.org': 'Public Square',
  }),
  ...sites('forum', {
    'ask-the-room.example': 'Ask the Room',
    'commons-board.example': 'The Commons Board',
    'second-opinion.test': 'Second Opinion',
    'village-pump.example.net': 'Village Pump',
    'long-threads.example': 'Long Threads',
  }),
  ...sites('research', {
    'northfield-university.example': 'Northfield University',
    'open-measurements.example': 'Open Measurements',
    'review-letters.example.org': 'Review Letters',
    'institute-of-inquiry.example': 'Institute of Inquiry',
    'data-commons.test': 'Data Commons',
    'wetland-journal.example': 'The Wetland Journal',
  }),
  ...sites('journal', {
    'slow-notebook.example': 'Slow Notebook',
    'mara-writes.example': 'Mara Writes',
    'small-observations.test': 'Small Observations',
    'the-back-room.example': 'The Back Room',
    'from-the-allotment.example': 'From the Allotment',
    'unhurried.example.org': 'Unhurried',
  }),
  ...sites('archive', {
    'archive-of-letters.example': 'Archive of Letters',
    'city-museum.example': 'City Museum',
    'lantern-slides.example': 'Lantern Slides',
    'oral-histories.example.org': 'Oral Histories',
    'old-almanacs.test': 'Old Almanacs',
  }),
  ...sites('school', {
    'schoolroom.example': 'Schoolroom',
    'evening-classes.example': 'Evening Classes',
    'curious-minds.test': 'Curious Minds',
    'library-desk.example.org': 'Library Desk',
    'open-lectures.example': 'Open Lectures',
  }),
]

export const ADULT_SITES: readonly Site[] = [
  { host: 'after-hours-club.example', name: 'After Hours Club', kind: 'journal' },
  { host: 'late-lounge.test', name: 'Late Lounge', kind: 'journal' },
]

export interface SiteVoice {
  section: string
  /** Title and last part of the path. At least as many as one site has pages in a universe. */
  titles: readonly (readonly [title: string, path: string])[]
  sentences: readonly string[]
}

export const VOICES: Readonly<Record<SiteKind, SiteVoice>> = {
  reference: {
    section: 'topics',
    titles: [
      ['What is {q}? A short introduction', ''],
      ['{Q}: key terms & concepts', '/terms'],
      ['{Q} – an overview', '/overview'],
    ],
    sentences: [
      'A clear introduction to {q} for readers who are new to it.',
      'The entry covers where the term comes from, how it is used today and what it is often confused with.',
      'Every statement links to a source, and the page is reviewed twice a year.',
      'Start with the summary of {q}, then follow the cross-references to related entries.',
    ],
  },
  guide: {
    section: 'guides',
    titles: [
      ["A beginner's guide to {q}", ''],
      ['{Q}: common mistakes & how to avoid them', '/mistakes'],
      ['{Q}, step by step', '/steps'],
    ],
    sentences: [
      'Everything you need to get started with {q}, in the order you will need it.',
      'We tried each method ourselves and list what it cost, how long it took and what went wrong.',
      "If you only have an evening, begin with the checklist and leave the rest for when it's needed.",
      'Includes a printable summary and answers to the questions readers ask most about {q}.',
    ],
  },
  news: {
    section: 'stories',
    titles: [
      ['{Q}: what changed this year', ''],
      ['Five things to know about {q}', '/five-things'],
      ['The people behind {q}', '/people'],
    ],
    sentences: [
      'Our reporters look at what has changed in {q} and who is affected.',
      'Three people who know the subject well explain what they expect next, and why they disagree.',
      'The figures were published on Tuesday; the full tables are at the end of the article.',
      "Readers' letters on {q} follow below.",
    ],
  },
  forum: {
    section: 'threads',
    titles: [
      ['How do I get started with {q}?', ''],
      ['Which resources on {q} would you recommend?', '/resources'],
      ['{Q}: questions & answers', '/answers'],
    ],
    sentences: [
      'I have read the usual introductions to {q} and still have a few questions.',
      'The accepted answer suggests beginning small, with two examples and a list of things to check first.',
      '34 replies, 12 of them with links; the thread is summarised at the top.',
      'A friendly discussion of {q} among people who do it every week.',
    ],
  },
  research: {
    section: 'papers',
    titles: [
      ['{Q}: a review of the literature', ''],
      ['Measuring {q}: methods & first results', '/methods'],
      ['Open data on {q}', '/data'],
    ],
    sentences: [
      'This review brings together 61 studies of {q} published over two decades.',
      'We describe how the measurements were made, what they cannot show and where to obtain them.',
      'The data set is released under an open licence with a description of every column.',
      'The authors find good agreement on {q} in general and several open questions in detail.',
    ],
  },
  journal: {
    section: 'notes',
    titles: [
      ['Notes on {q}', ''],
      ['What I learned from a year of {q}', '/a-year-of'],
      ['{Q}, the slow way', '/slowly'],
    ],
    sentences: [
      'Some notes on {q} that I wish somebody had given me when I began.',
      "It's a long post with photographs, a few detours and one change of mind.",
      'I keep this page up to date as I learn more; corrections are welcome.',
      'Written after a rainy weekend spent on {q} and very little else.',
    ],
  },
  archive: {
    section: 'collections',
    titles: [
      ['A short history of {q}', ''],
      ['{Q} in letters & photographs', '/photographs'],
      ['From the collection: {q}', '/highlights'],
    ],
    sentences: [
      'Documents, drawings and photographs that trace the history of {q}.',
      'Digitised from the original bound volumes and transcribed by volunteers.',
      'The oldest item was given to the collection by a retired schoolteacher.',
      'Browse by year, by place or by the people who wrote about {q}.',
    ],
  },
  school: {
    section: 'lessons',
    titles: [
      ['{Q}: lesson plans & worksheets', ''],
      ['Understanding {q} in one hour', '/in-one-hour'],
      ['Course notes: {q}', '/course-notes'],
    ],
    sentences: [
      'Free lessons on {q}, written by teachers and tried in the classroom.',
      'Each lesson has a question to begin with, an activity for pairs and a short test.',
      "You don't need any equipment beyond paper and a pencil.",
      'The reading list on {q} is sorted from easy to demanding.',
    ],
  },
}
