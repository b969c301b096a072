// Serves a page for every address, as a proxy for pages would, so that what the simulated engines find can be read
// without the network. Every site's robots.txt disallows /private/, and /hostile-<name> is what its name says.
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { fraction, hash } from './corpus/random.ts'

const HTML = { 'content-type': 'text/html; charset=utf-8' }
const ROBOTS = 'User-agent: *\nDisallow: /private/\n'
/** Decompresses to 300 MB: the same archive a hundred times, concatenated. */
const bomb = () => Buffer.concat(Array<Buffer>(100).fill(gzipSync(Buffer.alloc(3_000_000, 32))))
const DRIP_MS = 200

const HOSTILE: Readonly<Record<string, (response: ServerResponse) => void>> = {
  deep: (response) => response.writeHead(200, HTML).end('<div>'.repeat(100_000)),
  inline: (response) => response.writeHead(200, HTML).end('<p><b><i><u><a href="/">'.repeat(5_000)),
  tables: (response) => response.writeHead(200, HTML).end('<table><tr><td>'.repeat(2_000)),
  rows: (response) =>
    response.writeHead(200, HTML).end(`<table>${'<tr><td>1</td><td>2</td></tr>'.repeat(50_000)}</table>`),
  bomb: (response) => response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end(bomb()),
  drip(response) {
    response.writeHead(200, HTML)
    const drip = setInterval(() => response.write('<p>'), DRIP_MS)
    response.once('close', () => clearInterval(drip))
  },
  empty: (response) => response.writeHead(200, HTML).end('<html><body><div id="app"></div></body></html>'),
  film: (response) => response.writeHead(200, { 'content-type': 'video/mp4' }).end('film'),
  gone: (response) => response.writeHead(404, HTML).end('<p>Gone.</p>'),
}

const OPENINGS = [
  'Most people meet the subject by accident and never look back.',
  'There are two ways to begin, and only one of them needs a map.',
  'The first thing to know is how much of it was found out by amateurs.',
]
const MIDDLES = [
  'What follows was tried by four readers over a winter, and every figure was checked twice by somebody who had not seen it before.',
  'It costs little, it takes an evening, and the mistakes are the same for everyone: too fast, too much, too late.',
  'The records go back to 1884 and have gaps, which are marked, because a gap that is hidden misleads more than a wrong number.',
]

export function sendPage(address: string | null, response: ServerResponse): void {
  if (address === null || !URL.canParse(address)) {
    response.writeHead(400, { 'content-type': 'text/plain' }).end('use /pages?url=<address>')
    return
  }
  const { pathname, hostname } = new URL(address)
  if (pathname === '/robots.txt') {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(ROBOTS)
    return
  }
  const hostile = HOSTILE[/^\/hostile-([a-z]{1,20})$/.exec(pathname)?.[1] ?? '']
  if (hostile) hostile(response)
  else response.writeHead(200, HTML).end(articleOf(hostname, pathname, hash(address)))
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

function articleOf(host: string, path: string, state: number): string {
  const words = decodeURI(path)
    .split(/[/_-]+/)
    .filter(Boolean)
  const title = escaped(words.join(' ') || host)
  const pick = (list: readonly string[], at: number) => list[Math.floor(fraction(state, at) * list.length)] ?? ''
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta property="og:site_name" content="${escaped(host)}"><meta name="author" content="Mara Lindqvist">
<meta property="article:published_time" content="2026-02-03T08:00:00Z"></head>
<body><nav><a href="/">Home</a> <a href="/about">About</a></nav><main><article><h1>${title}</h1>
<p>${pick(OPENINGS, 0)} ${pick(MIDDLES, 1)}</p>
<h2>What to look at first</h2>
<ul><li>the <a href="/sources">sources</a>, which are listed at the end,</li><li>the table below,</li><li>the dates.</li></ul>
<table><thead><tr><th>Year</th><th>Figure</th></tr></thead><tbody><tr><td>2024</td><td>${hash(host) % 900}</td></tr><tr><td>2025</td><td>${state % 900}</td></tr></tbody></table>
<p>${pick(MIDDLES, 2)} ${pick(MIDDLES, 3)} Corrections are welcome, and so are better photographs.</p>
</article></main><footer>An invented page of the sandbox.</footer></body></html>`
}
