import type { AnswerTable } from '../answer-table.test-rules.ts'

export const table: AnswerTable = {
  answers: [
    {
      q: 'format json {"a":1,"b":[true,null]}',
      text: 'Valid JSON (2 members): {"a":1,"b":[true,null]}',
      has: { is_valid: true, formatted: '{\n  "a": 1,\n  "b": [\n    true,\n    null\n  ]\n}' },
    },
    { q: '{"name": "Ada"}', text: 'Valid JSON (1 member): {"name":"Ada"}', has: { minified: '{"name":"Ada"}' } },
    { q: 'json [1, 2, 3]', text: 'Valid JSON (3 elements): [1,2,3]' },
    { q: 'json validate {}', text: 'Valid JSON (0 members): {}', has: { formatted: '{}' } },
    {
      q: 'pretty print json: [[],{}]',
      text: 'Valid JSON (2 elements): [[],{}]',
      has: { formatted: '[\n  [],\n  {}\n]' },
    },
    // Keeps all digits and duplicate members.
    {
      q: 'json format {"n":12345678901234567890,"n":1.10}',
      text: 'Valid JSON (1 member): {"n":12345678901234567890,"n":1.10}',
    },
    { q: 'minify json { "a" : "x  y" }', text: 'Valid JSON (1 member): {"a":"x  y"}' },
    { q: 'check json "a \\" b"', text: 'Valid JSON (string): "a \\" b"' },
    { q: 'validate json {"a":1', matches: /^Not valid JSON: .+\.$/, has: { is_valid: false, formatted: '' } },
    { q: 'json validate [1, 2,]', matches: /^Not valid JSON: .+\.$/, has: { minified: '' } },
    { q: "format json {'a':1}", matches: /^Not valid JSON: .+\.$/ },
    {
      q: '{"__proto__":{"x":1}}',
      text: 'Valid JSON (1 member): {"__proto__":{"x":1}}',
      has: { formatted: '{\n  "__proto__": {\n    "x": 1\n  }\n}' },
    },
  ],
  silent: [
    'json',
    'json format',
    'json parser online',
    'json schema tutorial',
    'format json in notepad++',
    'json vs yaml',
    'pretty json vscode shortcut',
    'postgres jsonb index',
    '{"a":',
    '[1,2,3]',
    '{braces}',
    '"quoted phrase"',
    'json validator',
    'what is json',
    'jason bourne',
    'json "key"',
  ],
}
