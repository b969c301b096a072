import type { AnswerTable } from '../answer-table.test-rules.ts'

export const table: AnswerTable = {
  answers: [
    {
      q: 'when do the clocks change',
      text: 'Europe (CET): Sunday, 28 March 2027, 02:00 → 03:00 (forward, in 133 days); United States: Sunday, 14 March 2027, 02:00 → 03:00 (forward, in 119 days)',
    },
    {
      q: 'when do clocks change',
      lang: 'en-GB',
      text: 'United Kingdom: Sunday, 28 March 2027, 01:00 → 02:00 (forward, in 133 days)',
      has: {
        places: [
          {
            place: 'United Kingdom',
            time_zone: 'Europe/London',
            changes: [{ date: '2027-03-28', before: '01:00', after: '02:00' }],
          },
        ],
      },
    },
    {
      q: 'when does daylight saving time end',
      lang: 'en-US',
      text: 'United States: Sunday, November 7, 2027, 2:00 AM → 1:00 AM (back, in 357 days)',
    },
    {
      q: 'when does daylight saving time end in canada',
      text: 'Ottawa: Sunday, 7 November 2027, 02:00 → 01:00 (back, in 357 days)',
    },
    {
      q: 'when do the clocks go back',
      zone: 'Europe/Berlin',
      text: 'Berlin: Sunday, 31 October 2027, 03:00 → 02:00 (back, in 350 days)',
    },
    {
      q: 'when does daylight saving time start in japan',
      text: 'Japan: the clocks do not change',
      has: { places: [{ place: 'Japan', time_zone: 'Asia/Tokyo', changes: [] }] },
    },
    {
      q: 'wann ist zeitumstellung',
      lang: 'de',
      text: 'Europa (MEZ): Sonntag, 28. März 2027, 02:00 → 03:00 (vor, in 133 Tagen)',
    },
    {
      q: 'wann endet die sommerzeit',
      lang: 'de-AT',
      text: 'Österreich: Sonntag, 31. Oktober 2027, 03:00 → 02:00 (zurück, in 350 Tagen)',
    },
    {
      q: 'zeitumstellung 2027',
      text: 'Europa (MEZ): Sonntag, 28. März 2027, 02:00 → 03:00 (vor), Sonntag, 31. Oktober 2027, 03:00 → 02:00 (zurück)',
    },
    {
      q: "changement d'heure",
      lang: 'fr',
      text: 'Europe (CET) : dimanche 28 mars 2027, 02:00 → 03:00 (on avance, dans 133 jours)',
    },
    {
      q: 'cuándo cambia la hora',
      lang: 'es-ES',
      text: 'España: domingo, 28 de marzo de 2027, 02:00 → 03:00 (se adelanta, dentro de 133 días)',
    },
    {
      q: "quando cambia l'ora",
      lang: 'it',
      text: 'Europa (CET): domenica 28 marzo 2027, 02:00 → 03:00 (avanti, tra 133 giorni)',
    },
    {
      q: 'quando muda a hora',
      lang: 'pt-PT',
      text: 'Portugal: domingo, 28 de março de 2027, 01:00 → 02:00 (adianta, dentro de 133 dias)',
    },
    {
      q: 'wintertijd 2027',
      lang: 'nl',
      text: 'Europa (CET): zondag 31 oktober 2027, 03:00 → 02:00 (achteruit)',
    },
  ],
  silent: [
    'clocks',
    'clocks coldplay',
    'clock change',
    'clock change battery',
    'time change',
    'daylight saving time',
    'daylight saving time history',
    'daylight saving time bill',
    'daylight savings bank',
    'daylight movie',
    'when do the clocks change in narnia',
    'when does daylight come',
    'spring forward fall back',
    'sommerzeit',
    'sommerzeit happiness film',
    'winterzeit rezepte',
    'zeitumstellung abschaffen',
    'zeitumstellung baby',
    "changement d'heure suppression",
    'cambio de hora avión',
    'wintertijd afschaffen',
    'when will the time come',
  ],
}
