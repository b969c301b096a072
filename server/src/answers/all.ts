// Every instant answer, in the order in which they look at a query: the first that has an answer gives it. What needs an
// explicit trigger comes before what goes by the query's form alone.
import type { Answer } from './answer.ts'
import { base64 } from './text/base64.ts'
import { bodyMassIndex } from './numbers/body-mass-index.ts'
import { calculator } from './numbers/calculator.ts'
import { chemicalElement } from './reference/chemical-element.ts'
import { choose } from './random/choose.ts'
import { coin } from './random/coin.ts'
import { colour } from './text/colour.ts'
import { countryFacts } from './country-facts.ts'
import { cron } from './time/cron.ts'
import { currency } from './live/currency.ts'
import { dateArithmetic } from './time/date-arithmetic.ts'
import { daysUntil } from './days-until.ts'
import { dice } from './random/dice.ts'
import { dictionaryDefinition } from './live/dictionary-definition.ts'
import { hash } from './text/hash.ts'
import { htmlEntities } from './text/html-entities.ts'
import { httpStatus } from './reference/http-status.ts'
import { jsonFormat } from './text/json-format.ts'
import { letterCase } from './text/letter-case.ts'
import { loanPayment } from './numbers/loan-payment.ts'
import { mimeType } from './reference/mime-type.ts'
import { moonPhase } from './time/moon-phase.ts'
import { morse } from './text/morse.ts'
import { numberBase } from './numbers/number-base.ts'
import { numberInWords } from './numbers/number-in-words.ts'
import { ownIp } from './reference/own-ip.ts'
import { passphrase } from './random/passphrase.ts'
import { password } from './random/password.ts'
import { percentageChange } from './numbers/percentage-change.ts'
import { port } from './reference/port.ts'
import { publicHolidays } from './public-holidays.ts'
import { qrCode } from './text/qr-code.ts'
import { randomNumber } from './random/random-number.ts'
import { romanNumerals } from './numbers/roman-numerals.ts'
import { rot13 } from './text/rot13.ts'
import { sunTimes } from './time/sun-times.ts'
import { textStatistics } from './text/text-statistics.ts'
import { timeZoneConversion } from './time/time-zone-conversion.ts'
import { timer } from './time/timer.ts'
import { tip } from './numbers/tip.ts'
import { translation } from './live/translation.ts'
import { ulid } from './random/ulid.ts'
import { unicodeCharacter } from './text/unicode-character.ts'
import { units } from './numbers/units.ts'
import { unixTime } from './time/unix-time.ts'
import { urlEncoding } from './text/url-encoding.ts'
import { userAgent } from './reference/user-agent.ts'
import { uuid } from './random/uuid.ts'
import { weather } from './live/weather.ts'
import { weekNumber } from './time/week-number.ts'
import { worldClock } from './time/world-clock.ts'

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
