import type { AnswerTable } from '../answer-table.test-rules.ts'

export const table: AnswerTable = {
  answers: [
    { q: 'mime type of pdf', text: '.pdf: application/pdf', has: { types: ['application/pdf'], extensions: ['pdf'] } },
    { q: 'mime type pdf', text: '.pdf: application/pdf' },
    { q: '.webp mime type', text: '.webp: image/webp' },
    { q: 'MIME type for SVG files', text: '.svg: image/svg+xml' },
    { q: 'what is the content type of json', text: '.json: application/json' },
    { q: 'media type of .js', text: '.js: text/javascript, application/javascript' },
    { q: 'mime type for mp3', text: '.mp3: audio/mpeg, audio/mp3' },
    { q: 'csv mime-type', text: '.csv: text/csv' },
    { q: 'mime type application/json', text: 'application/json: .json, .map' },
    { q: 'mime type of image/jpeg', text: 'image/jpeg: .jpg, .jpeg, .jpe' },
    { q: 'file extension for text/html', text: 'text/html: .html, .htm, .shtml' },
  ],
  silent: [
    'mime type',
    'mime type sniffing',
    'mime type list',
    'mime artist',
    'mime attachment outlook',
    'nginx mime types css not loading',
    'mime type of',
    'text/html',
    'application/pdf',
    'content type header',
    'content type header missing',
    'mime type of constructor',
    'blood type of parents',
    'extension for chrome',
    'hair extension for thin hair',
  ],
}
