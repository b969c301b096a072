// docs/answers.md, from what the instant answers say of themselves and from what they really answer to their own
// examples, on the stage where nothing changes from run to run.
import { ALL_ANSWERS } from '../../src/answers/all.ts'
import type { Answer, Example } from '../../src/answers/answer.ts'
import { type AnswerStage, openAnswerStage } from './answer-stage.ts'

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Numbers and money': [
    'calculator',
    'units',
    'currency',
    'percentage_change',
    'number_base',
    'roman_numerals',
    'number_in_words',
    'loan_payment',
    'tip',
    'body_mass_index',
  ],
  'Time and dates': [
    'world_clock',
    'time_zone_conversion',
    'date_arithmetic',
    'days_until',
    'week_number',
    'unix_time',
    'public_holidays',
    'cron',
    'timer',
  ],
  'Weather, sky and places': ['weather', 'sun_times', 'moon_phase', 'country_facts'],
  Words: ['translation', 'dictionary_definition', 'letter_case', 'text_statistics', 'morse', 'rot13'],
  'Codes and formats': [
    'colour',
    'hash',
    'base64',
    'url_encoding',
    'html_entities',
    'json_format',
    'qr_code',
    'unicode_character',
    'http_status',
    'port',
    'mime_type',
    'chemical_element',
  ],
  'Chance and secrets': ['random_number', 'dice', 'coin', 'choose', 'uuid', 'ulid', 'password', 'passphrase'],
  'About you': ['own_ip', 'user_agent'],
}

const OPENING = `# Instant answers

<!-- Made by tools/make-answers-doc.ts from the answers themselves. Change them, not this page. -->

What [\`GET /api/v1/instant/\`](api/endpoints.md#instant-answers) answers, with examples and what really came back to them: on
Sunday, 15 November 2026, at 12:00 UTC, with the simulated providers of the demo, asked from 203.0.113.7. A query that is none of
these gets \`null\`. Silence is meant: a wrong answer above the results is worse than none, so most answers need a word that
says what is wanted. \`INSTANT_OFF\` switches answers off by their type.

Every answer has \`type\`, \`query\` and \`text\`, one line that says it all. The other members of each type are named below; their
shapes are in the OpenAPI document. Numbers that must be exact are strings.
`

const PERSONAL = 'Nobody may keep it: it is sent with `Cache-Control: no-store`. What is random differs every time.'

/** `undefined` for an answer that belongs to no group. */
export const groupOf = (slug: string): string | undefined =>
  Object.keys(GROUPS).find((group) => GROUPS[group]?.includes(slug))

export async function makeAnswersDocument(): Promise<string> {
  const stage = await openAnswerStage()
  try {
    const parts = [OPENING]
    for (const [group, slugs] of Object.entries(GROUPS)) {
      const answers = slugs.flatMap((slug) => ALL_ANSWERS.find((answer) => answer.slug === slug) ?? [])
      if (answers.length > 0) parts.push(`## ${group}\n`)
      for (const answer of answers) parts.push(await sectionOf(answer, stage))
    }
    return parts.join('\n')
  } finally {
    await stage.close()
  }
}

async function sectionOf(
  { slug, title, summary, examples, isPersonal, reply }: Answer,
  stage: AnswerStage,
): Promise<string> {
  const rows: string[] = []
  for (const example of examples) rows.push(await rowOf(example, stage))
  const members = Object.keys(reply.shape).map((name) => `\`${name}\``)
  return [
    `### ${title}\n`,
    `${summary}${isPersonal ? ` ${PERSONAL}` : ''}\n`,
    '| query | answer |',
    '|---|---|',
    ...rows,
    '',
    `Type \`${slug}\`${members.length > 0 ? `, with ${members.join(', ')}` : ''}.\n`,
  ].join('\n')
}

async function rowOf(example: Example, stage: AnswerStage): Promise<string> {
  const given = await stage.ask(example)
  const asked = code(example.q) + (example.lang ? `, \`lang=${example.lang}\`` : '')
  return `| ${asked} | ${given ? code(given.answer.text) : 'none'} |`
}

/** As code, so that nothing in it is taken for markup; in a table a bar must be escaped even so. */
function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`'
  const room = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${room}${text.replaceAll('|', '\\|')}${room}${fence}`
}
