import type { AnswerTable } from '../answer-table.test-body.ts'

export const table: AnswerTable = {
  answers: [
    {
      q: 'qr code https://example.com',
      text: 'QR code of "https://example.com", 25 × 25 modules',
      has: { content: 'https://example.com', size: 25 },
    },
    { q: 'qr "hello world"', text: 'QR code of "hello world", 21 × 21 modules', has: { content: 'hello world' } },
    { q: 'qr: hello', text: 'QR code of "hello", 21 × 21 modules' },
    { q: 'generate qr code for example.com/menu', text: 'QR code of "example.com/menu", 25 × 25 modules' },
    { q: 'QR code ada@example.com', text: 'QR code of "ada@example.com", 25 × 25 modules' },
    { q: 'qr tel:+441632960000', text: 'QR code of "tel:+441632960000", 25 × 25 modules' },
    {
      q: 'qr code: WIFI:T:WPA;S:home;P:secret;;',
      text: 'QR code of "WIFI:T:WPA;S:home;P:secret;;", 29 × 29 modules',
    },
    { q: 'qr code “grüße”', text: 'QR code of "grüße", 21 × 21 modules' },
    { q: 'create a qr code of www.example.org', text: 'QR code of "www.example.org", 25 × 25 modules' },
    { q: 'qr code: 12345678901234567890', text: 'QR code of "12345678901234567890", 21 × 21 modules' },
    // Markup never gets into the picture.
    { q: 'qr: </path><script>', text: 'QR code of "</path><script>", 25 × 25 modules' },
  ],
  silent: [
    'qr code',
    'qr code generator',
    'qr code scanner app',
    'qr code menu restaurant',
    'qr code parking scam',
    'qr code on canned food',
    'qr code for business card',
    'qr code for google review',
    'whatsapp web qr code not loading',
    'qr code überweisung',
    'generate qr code in python',
    'qr decomposition',
    'qr airways flight status',
    'qr code:',
    'qr code web.whatsapp.com',
  ],
}
