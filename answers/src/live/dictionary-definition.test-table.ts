import type { AnswerTable } from '../answer-table.test-rules.ts'

export const table: AnswerTable = {
  answers: [
    {
      q: 'define serendipity',
      text: 'serendipity (noun): The luck of finding something good without having looked for it.',
    },
    { q: 'meaning of ephemeral', text: 'ephemeral (adjective): Lasting only for a short time.' },
    {
      q: 'serendipity definition',
      text: 'serendipity (noun): The luck of finding something good without having looked for it.',
    },
    {
      q: 'definition of serendipity',
      text: 'serendipity (noun): The luck of finding something good without having looked for it.',
    },
    { q: 'what does ephemeral mean?', text: 'ephemeral (adjective): Lasting only for a short time.' },
    {
      q: 'what is the meaning of serendipity',
      text: 'serendipity (noun): The luck of finding something good without having looked for it.',
    },
    { q: 'ephemeral meaning', text: 'ephemeral (adjective): Lasting only for a short time.' },
    {
      q: 'Define Serendipity',
      text: 'serendipity (noun): The luck of finding something good without having looked for it.',
    },
    { q: 'define the word ephemeral', text: 'ephemeral (adjective): Lasting only for a short time.' },
    {
      q: 'what does the word serendipity mean',
      text: 'serendipity (noun): The luck of finding something good without having looked for it.',
    },
    { q: 'definition for ephemeral', text: 'ephemeral (adjective): Lasting only for a short time.' },
    { q: 'define: ubiquitous', text: 'ubiquitous (adjective): Being everywhere at once, or seeming to be.' },
    { q: 'define: love', text: 'love (noun): A deep affection.' },
  ],
  silent: [
    'meaning of life',
    'meaning of life monty python',
    'definition of done scrum',
    'high definition tv antenna',
    'define css variable',
    'define in c macro',
    'define zxqvzxqv',
    'n/a meaning in survey design',
    'definition von wahnsinn',
    'hotel california meaning behind the song',
    'define',
    'definition',
    'mean girls',
    'what does the fox say',
    'what does it mean',
    'urban dictionary',
    'meaning',
    'define: x = 5',
    'dictionary',
    'dictionary app',
  ],
}
