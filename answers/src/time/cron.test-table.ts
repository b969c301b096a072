import type { AnswerTable } from '../answer-table.test-rules.ts'

export const table: AnswerTable = {
  answers: [
    { q: 'cron */5 * * * *', text: '*/5 * * * *: Every 5 minutes → Sunday, 15 November 2026, 12:05 UTC' },
    {
      q: '0 9 * * 1-5',
      text: '0 9 * * 1-5: At 09:00, Monday through Friday → Monday, 16 November 2026, 09:00 UTC',
      has: { next_runs: ['2026-11-16T09:00:00Z', '2026-11-17T09:00:00Z', '2026-11-18T09:00:00Z'] },
    },
    { q: '* * * * *', text: '* * * * *: Every minute → Sunday, 15 November 2026, 12:01 UTC' },
    {
      q: '*/15 0 1,15 * 1-5',
      text: '*/15 0 1,15 * 1-5: Every 15 minutes, between 00:00 and 00:59, on day 1 and 15 of the month, Monday through Friday → Monday, 16 November 2026, 00:00 UTC',
    },
    {
      q: 'what does 0 9 * * 1-5 mean',
      text: '0 9 * * 1-5: At 09:00, Monday through Friday → Monday, 16 November 2026, 09:00 UTC',
    },
    { q: 'crontab @daily', text: '0 0 * * *: At 00:00 → Monday, 16 November 2026, 00:00 UTC' },
    { q: 'cron @hourly', text: '0 * * * *: Every hour → Sunday, 15 November 2026, 13:00 UTC' },
    { q: '0 0 30 2 *', text: '0 0 30 2 *: At 00:00, on day 30 of the month, only in February', has: { next_runs: [] } },
    {
      q: '0 0 29 2 *',
      text: '0 0 29 2 *: At 00:00, on day 29 of the month, only in February → Tuesday, 29 February 2028, 00:00 UTC',
    },
    { q: 'cron 0 0 12 * * 1', text: '0 0 12 * * 1: At 12:00, only on Monday → Monday, 16 November 2026, 12:00 UTC' },
    {
      q: 'cron 0 0 * * 0',
      lang: 'fr',
      text: '0 0 * * 0: À 00:00, uniquement le dimanche → dimanche 22 novembre 2026, 00:00 UTC',
    },
    {
      q: 'cron 30 4 1 jan,jul *',
      lang: 'de',
      text: '30 4 1 JAN,JUL *: Um 04:30, an Tag 1 des Monats, nur im Januar und Juli → Freitag, 1. Januar 2027, 04:30 UTC',
    },
    {
      q: 'cron 0 12 * * 1',
      lang: 'es',
      text: '0 12 * * 1: A las 12:00, sólo el lunes → lunes, 16 de noviembre de 2026, 12:00 UTC',
    },
    {
      q: 'cron 0 12 * * 2',
      lang: 'it',
      text: '0 12 * * 2: Alle 12:00, solo il martedì → martedì 17 novembre 2026, 12:00 UTC',
    },
    {
      q: 'cron 0 12 * * 3',
      lang: 'pt',
      text: '0 12 * * 3: Às 12:00, somente de quarta-feira → quarta-feira, 18 de novembro de 2026, 12:00 UTC',
    },
    {
      q: 'cron 0 12 * * 4',
      lang: 'nl',
      text: '0 12 * * 4: Om 12:00, alleen op donderdag → donderdag 19 november 2026, 12:00 UTC',
    },
  ],
  silent: [
    'cron job not running',
    'cron vs systemd timer',
    'crontab environment variables missing',
    'cronometer app',
    'cronut',
    '1 2 3 4 5',
    '5 * 5',
    '2 * 3 * 4',
    '2 * 3 * 4 * 5',
    'cron 99 * * * *',
    'cron',
    'crontab',
    '* * *',
    '0 9 * *',
    '4 8 15 16 23 42',
    'cron * * * * * * * *',
    'e=mc2',
    'rated ***** hotel',
    '@daily mail',
  ],
}
