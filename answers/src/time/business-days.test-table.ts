import type { AnswerTable } from '../answer-table.test-rules.ts'

const REMARK = '(Monday to Friday, public holidays not subtracted'

export const table: AnswerTable = {
  answers: [
    {
      q: 'business days until 24 december',
      text: `After today until Thursday, 24 December 2026, that day included: 29 ${REMARK}, UTC)`,
      has: { start: '2026-11-15', end: '2026-12-24', days: 29 },
    },
    {
      q: 'working days between 2026-12-01 and 2026-12-31',
      text: `1 December 2026 to Thursday, 31 December 2026, both included: 23 ${REMARK})`,
      has: { days: 23, time_zone: '' },
    },
    {
      q: 'how many business days between 1 june 2026 and 1 june 2026',
      text: `1 June 2026 to Monday, 1 June 2026, both included: 1 ${REMARK})`,
    },
    {
      q: '10 business days from today',
      text: `10 business days after 15 November 2026: Friday, 27 November 2026 ${REMARK}, UTC)`,
      has: { end: '2026-11-27' },
    },
    {
      q: '3 working days after 2026-11-20',
      text: `3 business days after 20 November 2026: Wednesday, 25 November 2026 ${REMARK})`,
    },
    {
      q: 'in 5 business days',
      text: `5 business days after 15 November 2026: Friday, 20 November 2026 ${REMARK}, UTC)`,
    },
    {
      q: 'arbeitstage bis 24.12.2026',
      lang: 'de',
      text: 'Nach heute bis einschließlich Donnerstag, 24. Dezember 2026: 29 (Montag bis Freitag, Feiertage nicht abgezogen, UTC)',
    },
    {
      q: 'jours ouvrés entre le 1er décembre 2026 et le 31 décembre 2026',
      lang: 'fr',
      text: 'Du 1er décembre 2026 au jeudi 31 décembre 2026, tous deux compris : 23 (du lundi au vendredi, jours fériés non déduits)',
    },
    {
      q: 'días hábiles hasta el 24 de diciembre',
      lang: 'es',
      text: 'Después de hoy y hasta el jueves, 24 de diciembre de 2026 incluido: 29 (de lunes a viernes, sin descontar festivos, UTC)',
    },
    {
      q: 'dias úteis até 24 de dezembro',
      lang: 'pt',
      text: 'Depois de hoje e até quinta-feira, 24 de dezembro de 2026, incluído: 29 (de segunda a sexta, sem descontar feriados, UTC)',
    },
    {
      q: 'giorni lavorativi fino al 24 dicembre',
      lang: 'it',
      text: 'Da domani al giovedì 24 dicembre 2026 incluso: 29 (da lunedì a venerdì, festivi non sottratti, UTC)',
    },
    {
      q: 'werkdagen tot 24 december',
      lang: 'nl',
      text: 'Na vandaag tot en met donderdag 24 december 2026: 29 (maandag tot en met vrijdag, feestdagen niet afgetrokken, UTC)',
    },
    {
      q: 'weekdays until christmas',
      text: `After today until Friday, 25 December 2026, that day included: 30 ${REMARK}, UTC)`,
    },
  ],
  silent: [
    'business days',
    'business days calculator',
    '3-5 business days',
    'what is a business day',
    'delivery in 5 business days',
    'how many business days in a year',
    'working days in november',
    'werktage bis 24.12.2026',
    'jours ouvrables avant noël',
    'business days between 2026-12-31 and 2026-12-01',
    'business days until the end',
    '0 business days from today',
    '99999 business days from today',
    'weekdays until it ends',
    'working days to die for',
  ],
}
