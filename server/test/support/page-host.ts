// A proxy for pages (`READER_PROXY_URL`) that has an article at every address, with a text and a picture that a test can
// look for, and a few pages that can't be read, named by why.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PageHost {
  url: string
  /** The headers of every request so far. */
  requests: IncomingHttpHeaders[]
  close: () => Promise<void>
}

interface Article {
  /** In every paragraph. */
  text: string
  pictureUrl: string
}

interface Reply {
  status?: number
  type?: string
  body: string
}

const UNREADABLE: Readonly<Record<string, Reply>> = {
  '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /private/\n' },
  '/gone': { status: 404, body: '<p>Gone.</p>' },
  '/broken': { status: 503, body: '<p>Later.</p>' },
  '/film': { type: 'video/mp4', body: 'film' },
  '/empty': { body: '<html><body><div id="app"></div></body></html>' },
}

export async function startPageHost(article: Article): Promise<PageHost> {
  const requests: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    requests.push(request.headers)
    const address = new URL(request.url ?? '', 'http://localhost').searchParams.get('url') ?? ''
    const { status = 200, type = 'text/html', body } = UNREADABLE[URL.parse(address)?.pathname ?? ''] ?? pageOf(article)
    response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server has an address with a port
  return {
    url: `http://127.0.0.1:${port}/`,
    requests,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const PARAGRAPHS = 4

/** Long enough to be taken for an article. */
const pageOf = ({ text, pictureUrl }: Article): Reply => ({
  body: `<!doctype html><html lang="en"><head><title>A page</title></head><body><main><article><h1>A page</h1>
${`<p>What was written about ${text} over a long winter was read by four people, and every figure in it was checked twice by somebody who had not seen it before.</p>`.repeat(PARAGRAPHS)}
<figure><img src="${pictureUrl}" alt="A picture" width="320" height="180"></figure></article></main></body></html>`,
})
