import type { AnswerTable } from '../answer-table.test-rules.ts'

export const table: AnswerTable = {
  answers: [
    {
      q: 'sunrise in paris',
      text: 'Paris, Sunday, 15 November 2026: sunrise 07:59, sunset 17:10, daylight 9 h 11 min',
    },
    { q: 'sunset tokyo', text: 'Tokyo, Sunday, 15 November 2026: sunrise 06:16, sunset 16:34, daylight 10 h 18 min' },
    {
      q: 'sunset in tokyo tomorrow',
      text: 'Tokyo, Monday, 16 November 2026: sunrise 06:17, sunset 16:33, daylight 10 h 16 min',
    },
    {
      q: 'when does the sun set in london',
      text: 'London, Sunday, 15 November 2026: sunrise 07:18, sunset 16:11, daylight 8 h 53 min',
    },
    {
      q: 'sunrise in tromso on 2026-12-15',
      text: 'Tromsø, Tuesday, 15 December 2026: polar night, the sun does not rise',
      has: { polar: 'night', sunrise: '', sunset: '', daylight_minutes: 0 },
    },
    {
      q: 'sunset in tromso on 2027-06-15',
      text: 'Tromsø, Tuesday, 15 June 2027: midnight sun, the sun does not set',
      has: { polar: 'day', daylight_minutes: 1440 },
    },
    {
      q: 'sunset in bowerstead',
      text: 'Bowerstead, Sunday, 15 November 2026: sunrise 07:15, sunset 16:01, daylight 8 h 46 min',
    },
    {
      q: 'tokyo sunset time',
      text: 'Tokyo, Sunday, 15 November 2026: sunrise 06:16, sunset 16:34, daylight 10 h 18 min',
    },
    {
      q: 'sunrise in sydney',
      lang: 'en-US',
      text: 'Sydney, Sunday, November 15, 2026: sunrise 5:43 AM, sunset 7:36 PM, daylight 13 h 52 min',
    },
    {
      q: 'sonnenuntergang berlin',
      lang: 'de',
      text: 'Berlin, Sonntag, 15. November 2026: Sonnenaufgang 07:28, Sonnenuntergang 16:13, Tageslänge 8 h 45 min',
    },
    {
      q: 'sonnenaufgang in hamburg morgen',
      text: 'Hamburg, Montag, 16. November 2026: Sonnenaufgang 07:47, Sonnenuntergang 16:21, Tageslänge 8 h 34 min',
    },
    {
      q: 'wann geht in münchen die sonne unter',
      text: 'München, Sonntag, 15. November 2026: Sonnenaufgang 07:20, Sonnenuntergang 16:35, Tageslänge 9 h 16 min',
    },
    {
      q: 'lever du soleil à lyon',
      lang: 'fr',
      text: 'Lyon, dimanche 15 novembre 2026 : lever 07:40, coucher 17:09, jour 9 h 29 min',
    },
    {
      q: 'coucher de soleil paris',
      text: 'Paris, dimanche 15 novembre 2026 : lever 07:59, coucher 17:10, jour 9 h 11 min',
    },
    {
      q: 'à quelle heure se couche le soleil à paris',
      text: 'Paris, dimanche 15 novembre 2026 : lever 07:59, coucher 17:10, jour 9 h 11 min',
    },
    {
      q: 'puesta de sol en madrid',
      lang: 'es',
      text: 'Madrid, domingo, 15 de noviembre de 2026: salida del sol 08:00, puesta del sol 17:57, luz 9 h 57 min',
    },
    {
      q: 'a qué hora amanece en sevilla',
      text: 'Sevilla, domingo, 15 de noviembre de 2026: salida del sol 08:03, puesta del sol 18:13, luz 10 h 10 min',
    },
    {
      q: 'alba a roma',
      lang: 'it',
      text: 'Roma, domenica 15 novembre 2026: alba 06:59, tramonto 16:49, luce 9 h 50 min',
    },
    {
      q: 'a che ora tramonta il sole a milano',
      text: 'Milano, domenica 15 novembre 2026: alba 07:21, tramonto 16:53, luce 9 h 31 min',
    },
    {
      q: 'pôr do sol em lisboa',
      lang: 'pt',
      text: 'Lisboa, domingo, 15 de novembro de 2026: nascer do sol 07:18, pôr do sol 17:23, luz 10 h 04 min',
    },
    {
      q: 'zonsondergang amsterdam morgen',
      lang: 'nl',
      text: 'Amsterdam, maandag 16 november 2026: zonsopkomst 08:03, zonsondergang 16:46, daglicht 8 h 43 min',
    },
    // The client's location, if it is given.
    {
      q: 'sunset',
      point: { latitude: 37.77, longitude: -122.42 },
      text: 'San Francisco, Sunday, 15 November 2026: sunrise 06:50, sunset 16:58, daylight 10 h 08 min',
      has: { place: 'San Francisco', country: 'US', latitude: 37.77, time_zone: 'America/Los_Angeles' },
    },
    {
      q: 'sonnenuntergang morgen',
      point: { latitude: 52.52, longitude: 13.4 },
      zone: 'Europe/Berlin',
      text: 'Berlin, Montag, 16. November 2026: Sonnenaufgang 07:29, Sonnenuntergang 16:11, Tageslänge 8 h 42 min',
    },
    {
      q: 'tramonto',
      lang: 'it',
      point: { latitude: -45, longitude: -140 },
      text: '-45.00, -140.00, domenica 15 novembre 2026: alba 13:40, tramonto 04:29, luce 14 h 49 min (UTC)',
      has: { country: '', time_zone: 'UTC' },
    },
    {
      q: 'sunrise tomorrow',
      point: { latitude: -45, longitude: -140 },
      zone: 'Pacific/Pitcairn',
      text: '-45.00, -140.00, Monday, 16 November 2026: sunrise 05:39, sunset 20:30, daylight 14 h 51 min',
    },
  ],
  silent: [
    'sunrise tomorrow',
    'lever du soleil',
    'zonsondergang vandaag',
    { q: 'sunset boulevard', point: { latitude: 37.77, longitude: -122.42 } },
    { q: 'sunset overdrive', point: { latitude: 37.77, longitude: -122.42 } },
    'sunset boulevard',
    'before sunrise',
    'before sunset',
    'sunset beach tv show',
    'sunrise alarm clock',
    'sunrise movement',
    'angkor wat sunrise tour',
    'sunrise florida',
    'sunset',
    'sunset in atlantis',
    'sunrise avenue lyrics',
    'sunset overdrive',
    'tequila sunrise recipe',
    'coucher de soleil tableau',
    'lever du soleil monet',
    'sonnenuntergang tattoo',
    'sonnenaufgang wandern',
    'amanecer en edimburgo',
    'puesta de sol pintura',
    'alba parietti',
    'tramonto',
    'nascer do sol foto',
    'zonsondergang schilderen',
    'wake me up before you go go',
    'sun',
  ],
}
