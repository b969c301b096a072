// The European Central Bank: `GET /stats/eurofxref/eurofxref-daily.xml`, the day's euro reference rates as XML with
// single quotes. Keyless. Our own choice: the errors, which are web pages there.
import { EMPTY_CORPUS } from '../corpus/corpus.ts'
import { lastBankingDay, REFERENCE_RATES } from '../corpus/exchange-rates.ts'
import { defineProvider, type ProviderReply } from './provider.ts'

const PATH = '/stats/eurofxref/eurofxref-daily.xml'

export const ecb = defineProvider({
  slug: 'ecb',
  key: '',
  readsHeaders: [],
  optionalMembers: [],
  answer({ method, path, now }, corpus) {
    if (method !== 'GET' || path !== PATH) return undefined
    return { status: 200, text: daily(corpus === EMPTY_CORPUS ? {} : REFERENCE_RATES, now), contentType: 'text/xml' }
  },
  badKey: () => page(403, 'Forbidden'),
  throttled: (_now, retryAfterSeconds) => ({
    ...page(429, 'Too Many Requests'),
    headers: { 'retry-after': String(retryAfterSeconds) },
  }),
  failure: (_now, status) => page(status, 'An error occurred'),
})

const daily = (rates: Readonly<Record<string, string>>, now: number): string => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>
\t\t<gesmes:name>European Central Bank</gesmes:name>
\t</gesmes:Sender>
\t<Cube>
\t\t<Cube time='${lastBankingDay(now)}'>
${Object.entries(rates)
  .map(([currency, rate]) => `\t\t\t<Cube currency='${currency}' rate='${rate}'/>`)
  .join('\n')}
\t\t</Cube>
\t</Cube>
</gesmes:Envelope>
`

const page = (status: number, words: string): ProviderReply => ({
  status,
  text: `<!doctype html><html lang="en"><head><title>${words}</title></head><body><h1>${words}</h1></body></html>`,
  contentType: 'text/html; charset=utf-8',
})
