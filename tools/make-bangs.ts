// Writes `server/src/site/search/bangs.txt.br`, a compact table of the bangs, from Kagi's list (MIT, its notice is beside the
// table): `node tools/make-bangs.ts <bangs.json>`, where bangs.json is https://github.com/kagisearch/bangs, data/bangs.json.
//
// One line for a site: its address with `{}` for the query, then its triggers, separated by tabs. Left out: searches on
// Kagi itself, patterns with several placeholders, and addresses in which a query could change the host.
import { readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'

interface ListedBang {
  t: string
  ts?: string[]
  u: string
  x?: string
}

const TABLE = new URL('../server/src/site/search/bangs.txt.br', import.meta.url)
const PLACEHOLDER = '{{{s}}}'
const TRIGGER = /^[^\s!\t]{1,40}$/

const source = process.argv[2]
if (source === undefined) throw new Error('give the path of bangs.json')
const listed: ListedBang[] = JSON.parse(readFileSync(source, 'utf8'))

const isUsable = ({ u, x }: ListedBang): boolean => {
  const [before = '', ...after] = u.split(PLACEHOLDER)
  // The host is complete before the query begins.
  return (
    x === undefined &&
    after.length > 0 &&
    /^https?:\/\/[\w.-]+(?::\d+)?\/\S*$/.test(before) &&
    !/[\t\n{}]/.test(after.join(''))
  )
}

const seen = new Set<string>()
const lines: string[] = []
for (const { t, ts = [], u } of listed.filter(isUsable)) {
  const triggers = [t, ...ts]
    .map((trigger) => trigger.toLowerCase())
    .filter((trigger) => TRIGGER.test(trigger) && !seen.has(trigger))
  for (const trigger of triggers) seen.add(trigger)
  if (triggers.length > 0) lines.push([u.replaceAll(PLACEHOLDER, '{}'), ...triggers].join('\t'))
}
const text = lines.sort().join('\n')
const compressed = brotliCompressSync(text, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
})
writeFileSync(TABLE, compressed)
process.stdout.write(
  `${lines.length} sites, ${seen.size} triggers, ${text.length} characters, ${compressed.length} bytes\n`,
)
