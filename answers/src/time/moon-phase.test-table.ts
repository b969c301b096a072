import type { AnswerTable } from '../answer-table.test-rules.ts'

export const table: AnswerTable = {
  answers: [
    {
      q: 'moon phase',
      text: 'Waxing crescent (15 November 2026), 32% lit. Next full moon: 24 November 2026. Next new moon: 9 December 2026 (UTC)',
    },
    {
      q: 'what is the phase of the moon',
      text: 'Waxing crescent (15 November 2026), 32% lit. Next full moon: 24 November 2026. Next new moon: 9 December 2026 (UTC)',
    },
    {
      q: 'next full moon',
      text: 'Next full moon: Tuesday, 24 November 2026, ≈ 14:54 (UTC)',
      has: { phase: 'waxing_crescent', next_full_moon: '2026-11-24T14:54Z', next_new_moon: '2026-12-09T00:52Z' },
    },
    { q: 'when is the next new moon', text: 'Next new moon: Wednesday, 9 December 2026, ≈ 00:52 (UTC)' },
    {
      q: 'moon phase 2026-12-24',
      text: 'Full moon (24 December 2026), 100% lit. Next full moon: 22 January 2027. Next new moon: 7 January 2027 (UTC)',
    },
    {
      q: 'moon phase on 17 november 2026',
      text: 'First quarter (17 November 2026), 50% lit. Next full moon: 24 November 2026. Next new moon: 9 December 2026 (UTC)',
    },
    {
      q: 'phase de la lune',
      lang: 'fr',
      text: 'Premier croissant (15 novembre 2026), 32 % éclairée. Prochaine pleine lune : 24 novembre 2026. Prochaine nouvelle lune : 9 décembre 2026 (UTC)',
    },
    { q: 'prochaine pleine lune', text: 'Prochaine pleine lune : mardi 24 novembre 2026, ≈ 14:54 (UTC)' },
    {
      q: 'mondphase heute',
      lang: 'de',
      text: 'Zunehmende Sichel (15. November 2026), 32 % beleuchtet. Nächster Vollmond: 24. November 2026. Nächster Neumond: 9. Dezember 2026 (UTC)',
    },
    { q: 'nächster vollmond', text: 'Nächster Vollmond: Dienstag, 24. November 2026, ≈ 14:54 (UTC)' },
    {
      q: 'fase lunar hoy',
      lang: 'es',
      text: 'Luna creciente (15 de noviembre de 2026), 32 % iluminada. Próxima luna llena: 24 de noviembre de 2026. Próxima luna nueva: 9 de diciembre de 2026 (UTC)',
    },
    { q: 'próxima luna llena', text: 'Próxima luna llena: martes, 24 de noviembre de 2026, ≈ 14:54 (UTC)' },
    {
      q: 'fase lunare',
      lang: 'it',
      text: 'Luna crescente (15 novembre 2026), 32% illuminata. Prossima luna piena: 24 novembre 2026. Prossima luna nuova: 9 dicembre 2026 (UTC)',
    },
    { q: 'prossima luna nuova', text: 'Prossima luna nuova: mercoledì 9 dicembre 2026, ≈ 00:52 (UTC)' },
    {
      q: 'fase da lua hoje',
      lang: 'pt',
      text: 'Lua crescente (15 de novembro de 2026), 32% iluminada. Próxima lua cheia: 24 de novembro de 2026. Próxima lua nova: 9 de dezembro de 2026 (UTC)',
    },
    {
      q: 'maanstand',
      lang: 'nl',
      text: 'Wassende sikkel (15 november 2026), 32% verlicht. Volgende volle maan: 24 november 2026. Volgende nieuwe maan: 9 december 2026 (UTC)',
    },
    { q: 'volgende volle maan', text: 'Volgende volle maan: dinsdag 24 november 2026, ≈ 14:54 (UTC)' },
    // The same phase for every wording.
    {
      q: 'moon phase today',
      text: 'Waxing crescent (15 November 2026), 32% lit. Next full moon: 24 November 2026. Next new moon: 9 December 2026 (UTC)',
      has: { phase: 'waxing_crescent', illumination: 0.315 },
    },
    {
      q: 'moon phase tonight',
      text: 'Waxing crescent (15 November 2026), 32% lit. Next full moon: 24 November 2026. Next new moon: 9 December 2026 (UTC)',
      has: { phase: 'waxing_crescent', illumination: 0.315 },
    },
    {
      q: 'next new moon',
      zone: 'America/Los_Angeles',
      text: 'Next new moon: Tuesday, 8 December 2026, ≈ 16:52',
      has: { phase: 'waxing_crescent', illumination: 0.315, next_new_moon: '2026-12-09T00:52Z' },
    },
  ],
  silent: [
    'moon',
    'moon phase watch',
    'new moon twilight',
    'full moon fever',
    'full moon party',
    'moon knight',
    'moonlight',
    'blood moon sarah j maas',
    'pink moon nick drake',
    'next moon landing',
    'moon phase tattoo',
    'clair de lune',
    'pleine lune film',
    'lune de miel',
    'mondphasen uhr',
    'vollmond lied',
    'luna park',
    'luna nueva pelicula',
    'luna rossa',
    'lua de cristal',
    'maan liedje',
    'phase 10',
  ],
}
