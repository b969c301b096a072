import type { AnswerTable } from '../answer-table.test-rules.ts'

export const table: AnswerTable = {
  answers: [
    {
      q: 'time difference between london and tokyo',
      text: 'London → Tokyo: +9 h; 12:00 London (GMT, UTC+0) = 21:00 Tokyo (JST, UTC+9)',
      has: { minutes: 540 },
    },
    {
      q: 'time difference london new york',
      text: 'London → New York: −5 h; 12:00 London (GMT, UTC+0) = 07:00 New York (EST, UTC-5)',
      has: { minutes: -300 },
    },
    {
      q: 'difference between est and gmt',
      text: 'EST → GMT: +5 h; 07:00 EST (UTC-5) = 12:00 GMT (UTC)',
    },
    {
      q: 'time in berlin vs new york',
      text: 'Berlin → New York: −6 h; 13:00 Berlin (CET, UTC+1) = 07:00 New York (EST, UTC-5)',
    },
    {
      q: 'time difference with india',
      zone: 'Europe/London',
      text: 'London → India: +5 h 30 min; 12:00 London (GMT, UTC+0) = 17:30 India (IST, UTC+5:30)',
      has: { minutes: 330 },
    },
    {
      q: 'how many hours ahead is sydney of london',
      text: 'London → Sydney: +11 h; 12:00 London (GMT, UTC+0) = 23:00 Sydney (AEDT, UTC+11)',
    },
    {
      q: 'zeitverschiebung new york',
      lang: 'de',
      zone: 'Europe/Berlin',
      text: 'Berlin → New York: −6 h; 13:00 Berlin (CET, UTC+1) = 07:00 New York (EST, UTC-5)',
    },
    {
      q: 'zeitunterschied zwischen berlin und tokio',
      text: 'Berlin → Tokio: +8 h; 13:00 Berlin (CET, UTC+1) = 21:00 Tokio (JST, UTC+9)',
    },
    {
      q: 'décalage horaire entre paris et montréal',
      lang: 'fr',
      text: 'Paris → Montréal : −6 h; 13:00 Paris (CET, UTC+1) = 07:00 Montréal (EST, UTC-5)',
    },
    {
      q: 'diferencia horaria entre madrid y lima',
      lang: 'es',
      text: 'Madrid → Lima: −6 h; 13:00 Madrid (CET, UTC+1) = 07:00 Lima (PET, UTC-5)',
    },
    {
      q: 'differenza oraria tra roma e londra',
      lang: 'it',
      text: 'Roma → Londra: −1 h; 13:00 Roma (CET, UTC+1) = 12:00 Londra (GMT, UTC+0)',
    },
    {
      q: 'diferença de fuso entre lisboa e são paulo',
      lang: 'pt',
      text: 'Lisboa → São Paulo: −3 h; 12:00 Lisboa (WET, UTC+0) = 09:00 São Paulo (BRT, UTC-3)',
    },
    {
      q: 'tijdverschil tussen amsterdam en new york',
      lang: 'nl',
      text: 'Amsterdam → New York: −6 h; 13:00 Amsterdam (CET, UTC+1) = 07:00 New York (EST, UTC-5)',
    },
  ],
  silent: [
    'time difference',
    'time difference calculator',
    'difference between a and b',
    'difference between london and paris',
    'difference between affect and effect',
    'difference between java and javascript',
    'zeitverschiebung',
    'zeitverschiebung new york',
    'zeitunterschied jetlag baby',
    'décalage horaire bébé',
    'berlin vs new york',
    'paris vs psg',
    'time in prison vs jail',
    'how far behind is my baby',
    'time difference equation',
    'diferencia horaria',
    'fuso orario',
    'time difference mars earth',
  ],
}
