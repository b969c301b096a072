// An authenticator in software, for tests: one key pair that answers as a browser would hand its answers on, and that
// can be made to lie.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { RelyingParty } from './passkeys.ts'

/** What a test may want otherwise than an honest authenticator has it. */
interface Lies {
  origin?: string
  rpId?: string
  counter?: number
  isUserChecked?: boolean
  userHandle?: string
  signature?: Buffer
}

interface Options {
  challenge: string
  user?: { id: string }
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const text = (data: Buffer): string => data.toString('base64url')

const PRESENT = 0x01
const CHECKED = 0x04
const WITH_CREDENTIAL = 0x40

export class SoftAuthenticator {
  readonly credentialId = randomBytes(16)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #party: RelyingParty
  #handle = ''
  counter = 0

  constructor(party: RelyingParty) {
    this.#party = party
  }

  /** The answer to a question for a new passkey. */
  create(options: unknown, lies: Lies = {}): string {
    const { challenge, user } = options as Options
    this.#handle = user?.id ?? ''
    const authData = Buffer.concat([
      this.#authenticatorData(lies, WITH_CREDENTIAL),
      Buffer.alloc(16),
      Buffer.from([0, this.credentialId.length]),
      this.credentialId,
      this.#publicKey(),
    ])
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      cborText('fmt'),
      cborText('none'),
      cborText('attStmt'),
      Buffer.from([0xa0]),
      cborText('authData'),
      cborBytes(authData),
    ])
    const clientDataJSON = this.#clientData('webauthn.create', challenge, lies)
    return this.#answer({ clientDataJSON: text(clientDataJSON), attestationObject: text(attestationObject) })
  }

  /** The answer to a question for one that is there. */
  get(options: unknown, lies: Lies = {}): string {
    const { challenge } = options as Options
    const clientDataJSON = this.#clientData('webauthn.get', challenge, lies)
    const authenticatorData = this.#authenticatorData(lies, 0)
    const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
    return this.#answer({
      clientDataJSON: text(clientDataJSON),
      authenticatorData: text(authenticatorData),
      signature: text(lies.signature ?? sign('sha256', signed, this.#keys.privateKey)),
      userHandle: lies.userHandle ?? this.#handle,
    })
  }

  #answer(response: Record<string, string>): string {
    const id = text(this.credentialId)
    return JSON.stringify({ id, rawId: id, type: 'public-key', response })
  }

  #clientData(type: string, challenge: string, { origin = this.#party.origin }: Lies): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #authenticatorData({ rpId = this.#party.id, counter = ++this.counter, isUserChecked = true }: Lies, more: number) {
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([PRESENT | (isUserChecked ? CHECKED : 0) | more]), counted])
  }

  /** COSE: { 1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y } */
  #publicKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const coordinate = (value: string) => cborBytes(Buffer.from(value, 'base64url'))
    const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21])
    return Buffer.concat([head, coordinate(x), Buffer.from([0x22]), coordinate(y)])
  }
}

const cborText = (value: string): Buffer => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])

/** With the length in as few bytes as it takes, which is the only form that counts. */
const cborBytes = (value: Buffer): Buffer => {
  const { length } = value
  const head = length < 256 ? [0x58, length] : [0x59, length >> 8, length % 256]
  return Buffer.concat([Buffer.from(head), value])
}
