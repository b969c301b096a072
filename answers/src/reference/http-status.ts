// HTTP status codes: `http 404`, `status code 418`, `404 status code`. A bare number, `error 404`, `404 page design`
// and `http 502 bad gateway nginx fix` are ordinary searches and stay unanswered.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'

// Not imported, because of what that would load: `server/src/text/node-http.ts`.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** Explains the common codes; the others only have a name. */
const MEANINGS: Readonly<Record<number, string>> = {
  100: 'The server has the headers and waits for the body.',
  101: 'The connection goes on with the protocol that the client asked for.',
  103: 'Headers that come early, so that the client can begin to load what the page will need.',
  200: 'The request succeeded.',
  201: 'The request succeeded and something new was made.',
  202: 'The request was taken and will be worked on later.',
  204: 'The request succeeded and there is nothing to send back.',
  206: 'A part of the content, as the client asked for.',
  300: 'There are several answers to choose from.',
  301: 'The content has moved for good to another address.',
  302: 'The content is at another address for now.',
  303: 'The answer is at another address, to be fetched with GET.',
  304: 'What the client has kept is still current.',
  307: 'The content is at another address for now; the method stays the same.',
  308: 'The content has moved for good; the method stays the same.',
  400: 'The server does not understand the request.',
  401: 'The request needs valid credentials.',
  402: 'Payment is needed; hardly used otherwise.',
  403: 'The server understands the request and refuses it.',
  404: 'There is nothing at this address.',
  405: 'The address does not take this method.',
  406: 'There is no form of the content that the client would take.',
  407: 'The proxy needs valid credentials.',
  408: 'The client took too long to send its request.',
  409: 'The request does not fit the present state of the thing it is about.',
  410: 'The content was here and is gone for good.',
  411: 'The request must say how long its body is.',
  412: 'A condition that the client set is not met.',
  413: 'The body of the request is too large.',
  414: 'The address is too long.',
  415: 'The server does not take a body of this type.',
  416: 'The content does not have the part that was asked for.',
  417: 'The server cannot do what the Expect header wants.',
  418: 'A teapot was asked to brew coffee; an April joke of 1998.',
  421: 'The request reached a server that has no answer for this host.',
  422: 'The request is well formed and still makes no sense.',
  423: 'The thing is locked.',
  424: 'Another request failed on which this one depended.',
  425: 'The server will not act on a request that might be a repetition.',
  426: 'The client must use another protocol.',
  428: 'The request must be conditional.',
  429: 'The client sent too many requests in a given time.',
  431: 'The headers of the request are too large.',
  451: 'The content is withheld for legal reasons.',
  500: 'Something went wrong in the server.',
  501: 'The server does not know this method.',
  502: 'A server behind the gateway gave an invalid answer.',
  503: 'The server cannot answer now; it is overloaded or under maintenance.',
  504: 'A server behind the gateway did not answer in time.',
  505: 'The server does not speak this version of HTTP.',
  507: 'The server has no room to keep what was sent.',
  508: 'The server found itself going round in circles.',
  511: 'The network wants a sign-in before it lets anything through.',
}

const CLASSES = ['', 'informational', 'success', 'redirection', 'client error', 'server error']
const NAME = '(?:https?(?: (?:status(?: code)?|response(?: code)?|error(?: code)?|code))?|(?:status|response) code)'
const CODE_LAST = new RegExp(`^(?:what (?:is|does) )?(?:an? |the )?${NAME} ([1-5]\\d\\d)(?: mean| meaning)?\\??$`)
const CODE_FIRST = new RegExp(`^(?:what is )?([1-5]\\d\\d) ${NAME}(?: meaning)?\\??$`)

export const httpStatus = defineAnswer({
  slug: 'http_status',
  title: 'HTTP status code',
  summary: 'The name and meaning of an HTTP status code.',
  examples: [{ q: 'http 404' }, { q: 'status code 418' }, { q: '503 status code' }],
  reply: z.object({
    code: z.int(),
    name: z.string(),
    class: z.string(),
    meaning: z.string().describe('One sentence; empty for rare codes.'),
  }),
  match({ folded }) {
    if (!/[1-5]\d\d/.test(folded)) return null
    const code = (CODE_LAST.exec(folded) ?? CODE_FIRST.exec(folded))?.[1]
    return code !== undefined && STATUS_CODES[code] !== undefined ? { code: Number(code) } : null
  },
  answer({ code }) {
    const name = STATUS_CODES[code] ?? ''
    const meaning = MEANINGS[code] ?? ''
    const text = `HTTP ${code} ${name}${meaning && `: ${meaning}`}`
    return { text, code, name, class: CLASSES[Math.floor(code / 100)] ?? '', meaning }
  },
})
