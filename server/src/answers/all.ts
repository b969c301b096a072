// Every instant answer, in the order in which they look at a query: the first that has an answer gives it. What needs an
// explicit trigger comes before what goes by the query's form alone.
import type { Answer } from './answer.ts'
import { base64 } from './base64.ts'
import { bodyMassIndex } from './body-mass-index.ts'
import { calculator } from './calculator.ts'
import { chemicalElement } from './chemical-element.ts'
import { choose } from './choose.ts'
import { coin } from './coin.ts'
import { colour } from './colour.ts'
import { countryFacts } from './country-facts.ts'
import { cron } from './cron.ts'
import { currency } from './currency.ts'
import { dateArithmetic } from './date-arithmetic.ts'
import { daysUntil } from './days-until.ts'
import { dice } from './dice.ts'
import { dictionaryDefinition } from './dictionary-definition.ts'
import { hash } from './hash.ts'
import { htmlEntities } from './html-entities.ts'
import { httpStatus } from './http-status.ts'
import { jsonFormat } from './json-format.ts'
import { letterCase } from './letter-case.ts'
import { loanPayment } from './loan-payment.ts'
import { mimeType } from './mime-type.ts'
import { moonPhase } from './moon-phase.ts'
import { morse } from './morse.ts'
import { numberBase } from './number-base.ts'
import { numberInWords } from './number-in-words.ts'
import { ownIp } from './own-ip.ts'
import { passphrase } from './passphrase.ts'
import { password } from './password.ts'
import { percentageChange } from './percentage-change.ts'
import { port } from './port.ts'
import { publicHolidays } from './public-holidays.ts'
import { qrCode } from './qr-code.ts'
import { randomNumber } from './random-number.ts'
import { romanNumerals } from './roman-numerals.ts'
import { rot13 } from './rot13.ts'
import { sunTimes } from './sun-times.ts'
import { textStatistics } from './text-statistics.ts'
import { timeZoneConversion } from './time-zone-conversion.ts'
import { timer } from './timer.ts'
import { tip } from './tip.ts'
import { translation } from './translation.ts'
import { ulid } from './ulid.ts'
import { unicodeCharacter } from './unicode-character.ts'
import { units } from './units.ts'
import { unixTime } from './unix-time.ts'
import { urlEncoding } from './url-encoding.ts'
import { userAgent } from './user-agent.ts'
import { uuid } from './uuid.ts'
import { weather } from './weather.ts'
import { weekNumber } from './week-number.ts'
import { worldClock } from './world-clock.ts'

export const ALL_ANSWERS: readonly Answer[] = [
  // Text and codes, by a trigger.
  ownIp,
  userAgent,
  hash,
  base64,
  urlEncoding,
  htmlEntities,
  jsonFormat,
  qrCode,
  letterCase,
  textStatistics,
  morse,
  rot13,
  unicodeCharacter,
  uuid,
  ulid,
  password,
  passphrase,
  httpStatus,
  port,
  mimeType,
  chemicalElement,
  // Time and place, by a trigger.
  timeZoneConversion,
  worldClock,
  daysUntil,
  dateArithmetic,
  unixTime,
  weekNumber,
  sunTimes,
  moonPhase,
  publicHolidays,
  weather,
  timer,
  cron,
  countryFacts,
  translation,
  dictionaryDefinition,
  colour,
  // Numbers.
  coin,
  dice,
  randomNumber,
  choose,
  romanNumerals,
  numberInWords,
  numberBase,
  percentageChange,
  loanPayment,
  tip,
  bodyMassIndex,
  units,
  currency,
  // By its form alone, and therefore last.
  calculator,
]
