// GET /.well-known/security.txt (RFC 9116): whom to tell about a flaw of this instance, if the operator has set a contact
// that the standard can express. Flaws of the program go to its maintainers, as SECURITY.md says.
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../errors.ts'
import { refuseOtherMethods } from '../text/refuse-other-methods.ts'
import { OPEN } from '../text/surface.ts'

const PATH = '/.well-known/security.txt'
/** The standard recommends less than a year. */
const VALID_DAYS = 180
const DAY_MS = 86_400_000
const EMAIL_ADDRESS = /^[\w.+-]+@[\w.-]+$/

interface SecurityTxtParts {
  /** OPERATOR_CONTACT. */
  contact: () => string
  publicUrl: string
  clock: () => number
}

export function mountSecurityTxt(http: FastifyInstance, { contact, publicUrl, clock }: SecurityTxtParts): void {
  http.get(PATH, { config: { surface: OPEN } }, (_request, reply) => {
    const address = contactAddress(contact())
    if (address === undefined) throw new Refusal('not_found', 'This instance names no contact.')
    const expires = (Math.floor(clock() / DAY_MS) + VALID_DAYS) * DAY_MS
    const lines = [
      '# For flaws of this instance. For flaws of Bowerbird itself, see SECURITY.md in its repository.',
      `Contact: ${address}`,
      `Expires: ${new Date(expires).toISOString()}`,
      ...(publicUrl.startsWith('https://') ? [`Canonical: ${publicUrl}${PATH}`] : []),
    ]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
  refuseOtherMethods(http, { path: PATH, methods: ['GET'] })
}

/** As a URI; undefined if it is neither an email address nor a page served over HTTPS. */
function contactAddress(contact: string): string | undefined {
  if (EMAIL_ADDRESS.test(contact)) return `mailto:${contact}`
  const url = URL.parse(contact)
  return url && ['https:', 'mailto:'].includes(url.protocol) ? url.href : undefined
}
