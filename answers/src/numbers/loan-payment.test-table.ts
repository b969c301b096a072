import type { AnswerTable } from '../answer-table.test-rules.ts'

export const table: AnswerTable = {
  answers: [
    {
      q: 'loan 200000 at 5% for 30 years',
      text: '200,000.00 at 5% over 360 months: ≈ 1,073.64 a month, ≈ 386,511.57 in all, ≈ 186,511.57 of it interest',
      has: { payment: '1073.64', months: 360, rate: '5' },
    },
    { q: 'mortgage 300,000 4.5% 25 years', matches: /^300,000\.00 at 4\.5% over 300 months: ≈ 1,667\.50 a month, / },
    { q: 'mortgage calculator $300k 4.5% 25 years', matches: /: ≈ 1,667\.50 a month, / },
    { q: 'loan calculator 10000 5% 36 months', matches: /: ≈ 299\.71 a month, / },
    { q: 'monthly payment on 20,000 at 6% over 60 months', matches: /: ≈ 386\.66 a month, ≈ 23,199\.36 in all, / },
    {
      q: 'loan of 12000 at 0% for 1 year',
      text: '12,000.00 at 0% over 12 months: 1,000.00 a month, 12,000.00 in all, 0.00 of it interest',
    },
    {
      q: 'loan payment 1000 at 12% for 1 month',
      text: '1,000.00 at 12% over 1 month: 1,010.00 a month, 1,010.00 in all, 10.00 of it interest',
    },
    { q: 'car loan 25000 dollars 3.9 percent 48 months', matches: /^25,000\.00 at 3\.9% over 48 months: / },
    {
      q: 'loan 200.000 5,5% 30 years',
      lang: 'de',
      matches: /^200\.000,00 at 5,5% over 360 months: ≈ 1\.135,58 a month, /,
    },
    { q: 'student loan 30000 at 4.99% for 10 years', matches: /: ≈ 318\.05 a month, / },
  ],
  silent: [
    'loan',
    'loan officer salary',
    'student loan forgiveness',
    'mortgage rates today refinance',
    'mortgage 30 years',
    'loan 5%',
    'loan 10000',
    'loan 10000 at 5%',
    'loan 10000 for 3 years',
    'payday loan',
    'loan 0 at 5% for 3 years',
    'loan 10000 at 5% for 51 years',
    'home loan interest 2025',
    'loan shark 5% 10 years 3 movies',
    'payment 5',
    'car loan 2024 5% best banks 3 years',
    'mortgage fixed 5 years 4% best deals',
    'mortgage',
    'student loan 2024',
    'monthly payment',
  ],
}
