// Every instant answer, in the order they're tried: the first with a result wins. Answers that need an explicit trigger
// come before those that match on the query's form alone.
import type { Answer } from './answer.ts'
import { currency } from './live/currency.ts'
import { dictionaryDefinition } from './live/dictionary-definition.ts'
import { translation } from './live/translation.ts'
import { weather } from './live/weather.ts'
import { calculator } from './numbers/calculator.ts'
import { loanPayment } from './numbers/loan-payment.ts'
import { numberBase } from './numbers/number-base.ts'
import { percentageChange } from './numbers/percentage-change.ts'
import { romanNumerals } from './numbers/roman-numerals.ts'
import { tip } from './numbers/tip.ts'
import { units } from './numbers/units.ts'
import { coin } from './random/coin.ts'
import { dice } from './random/dice.ts'
import { passphrase } from './random/passphrase.ts'
import { password } from './random/password.ts'
import { randomNumber } from './random/random-number.ts'
import { uuid } from './random/uuid.ts'
import { chemicalElement } from './reference/chemical-element.ts'
import { constants } from './reference/constants.ts'
import { countryFacts } from './reference/country-facts.ts'
import { httpStatus } from './reference/http-status.ts'
import { ownIp } from './reference/own-ip.ts'
import { base64 } from './text/base64.ts'
import { colour } from './text/colour.ts'
import { hash } from './text/hash.ts'
import { htmlEntities } from './text/html-entities.ts'
import { morse } from './text/morse.ts'
import { qrCode } from './text/qr-code.ts'
import { rot13 } from './text/rot13.ts'
import { unicodeCharacter } from './text/unicode-character.ts'
import { urlEncoding } from './text/url-encoding.ts'
import { calendarFacts } from './time/calendar-facts.ts'
import { clockChange } from './time/clock-change.ts'
import { dateArithmetic } from './time/date-arithmetic.ts'
import { daysUntil } from './time/days-until.ts'
import { moonPhase } from './time/moon-phase.ts'
import { publicHolidays } from './time/public-holidays.ts'
import { sunTimes } from './time/sun-times.ts'
import { timeDifference } from './time/time-difference.ts'
import { timeZoneConversion } from './time/time-zone-conversion.ts'
import { timer } from './time/timer.ts'
import { unixTime } from './time/unix-time.ts'
import { weekNumber } from './time/week-number.ts'
import { worldClock } from './time/world-clock.ts'

export const ALL_ANSWERS: readonly Answer[] = [
  // Text, codes and reference, by trigger.
  ownIp,
  hash,
  base64,
  urlEncoding,
  htmlEntities,
  qrCode,
  morse,
  rot13,
  unicodeCharacter,
  uuid,
  password,
  passphrase,
  httpStatus,
  chemicalElement,
  constants,
  // Time, place, language and colour, by trigger.
  timeDifference,
  timeZoneConversion,
  worldClock,
  calendarFacts,
  clockChange,
  daysUntil,
  dateArithmetic,
  unixTime,
  weekNumber,
  sunTimes,
  moonPhase,
  publicHolidays,
  weather,
  timer,
  countryFacts,
  translation,
  dictionaryDefinition,
  colour,
  // Chance and numbers.
  coin,
  dice,
  randomNumber,
  romanNumerals,
  numberBase,
  percentageChange,
  loanPayment,
  tip,
  units,
  currency,
  // Matches on form alone, so it comes last.
  calculator,
]
