// The value of one euro. Invented, realistic, and the same every day, so that documents can quote it.

/** The currencies of the ECB's file, in its order. */
export const REFERENCE_RATES: Readonly<Record<string, string>> = {
  USD: '1.1568',
  JPY: '170.10',
  CZK: '24.315',
  DKK: '7.4612',
  GBP: '0.8760',
  HUF: '391.25',
  PLN: '4.2610',
  RON: '5.0874',
  SEK: '10.9245',
  CHF: '0.9362',
  ISK: '144.20',
  NOK: '11.6830',
  TRY: '49.1275',
  AUD: '1.7725',
  BRL: '6.1840',
  CAD: '1.6140',
  CNY: '8.2450',
  HKD: '9.0025',
  IDR: '19290.40',
  ILS: '3.7415',
  INR: '102.4850',
  KRW: '1642.30',
  MXN: '21.3120',
  MYR: '4.9035',
  NZD: '1.9860',
  PHP: '67.930',
  SGD: '1.5045',
  THB: '37.485',
  ZAR: '20.1150',
}

/** Currencies that other central banks add. Kuwait's dinar has three decimals, Chile's peso none. */
export const FURTHER_RATES: Readonly<Record<string, string>> = {
  AED: '4.2483',
  ARS: '1612.5',
  CLP: '1091.3',
  COP: '4475.6',
  EGP: '54.62',
  KES: '149.48',
  KWD: '0.35514',
  MAD: '10.712',
  NGN: '1668.2',
  PEN: '3.9012',
  PKR: '326.15',
  RSD: '117.18',
  SAR: '4.338',
  TWD: '35.62',
  UAH: '48.71',
  VND: '30480',
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Rates are set at about 16:00 in Frankfurt, which is 15:00 UTC in winter. */
const SET_AT_MS = 15 * HOUR_MS

/** The last working day whose rates are published. Our own choice: bank holidays are working days here. */
export function lastBankingDay(now: number): string {
  let day = new Date(now - SET_AT_MS)
  while (day.getUTCDay() === 0 || day.getUTCDay() === 6) day = new Date(day.getTime() - DAY_MS)
  return day.toISOString().slice(0, 10)
}

const MAX_DAYS = 1000

/** The working days between two days, both included. */
export function bankingDays(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = Date.parse(from); day <= Date.parse(to) && days.length < MAX_DAYS; day += DAY_MS) {
    const date = new Date(day)
    if (date.getUTCDay() !== 0 && date.getUTCDay() !== 6) days.push(date.toISOString().slice(0, 10))
  }
  return days
}

/** A past rate as a share of today's: slow waves, of other lengths for each currency, that end at one. */
export function shareOfToday(code: string, date: string, last: string): number {
  const age = (Date.parse(last) - Date.parse(date)) / DAY_MS
  const length = 20 + ((code.charCodeAt(0) + code.charCodeAt(2)) % 17)
  return 1 + 0.02 * Math.sin(age / length) + 0.006 * Math.sin(age / 4)
}
