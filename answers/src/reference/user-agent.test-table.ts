import type { AnswerTable } from '../answer-table.test-rules.ts'

const LINUX = 'Firefox 140.0 on Linux'
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

export const table: AnswerTable = {
  answers: [
    { q: 'what is my user agent', text: LINUX, has: { browser: 'Firefox', engine: 'Gecko', device: 'desktop' } },
    { q: 'my user agent', text: LINUX },
    { q: 'my user-agent string', text: LINUX },
    { q: 'What browser am I using?', text: LINUX },
    { q: "what's my browser", text: LINUX },
    { q: 'mon navigateur', lang: 'fr', text: LINUX },
    { q: 'welchen browser habe ich', lang: 'de', text: LINUX },
    { q: 'cuál es mi navegador', lang: 'es', text: LINUX },
    { q: 'mijn browser', lang: 'nl', text: LINUX },
    { q: 'my browser', client: { userAgent: PHONE }, text: 'Safari 18.5 on iOS 18.5', has: { device: 'mobile' } },
    { q: 'my browser', client: { userAgent: 'curl/8.14.1' }, matches: /^curl/i, has: { user_agent: 'curl/8.14.1' } },
    { q: 'my browser', client: { userAgent: 'our own\u0007 program' }, matches: /^our own/ },
    // The short form that people type.
    { q: 'user agent', text: 'Firefox 140.0 on Linux' },
    { q: 'user-agent', lang: 'de', text: 'Firefox 140.0 on Linux' },
  ],
  silent: [
    'user agent switcher chrome',
    'user agent string list',
    'user agents',
    'secret agent',
    'user agent sniffing',
    'best browser',
    'my browser is slow',
    'what is a browser',
    'browser',
    'change user agent firefox',
    'travel agent near me',
    'my agent',
    'mon navigateur ne marche plus',
    'what is my agent of the state',
    { q: 'my browser', client: { userAgent: '' } },
  ],
}
