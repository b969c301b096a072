// What Redis may know of a response: nothing. Results repeat the words of the query in their titles and addresses, and
// suggestions begin with them, so responses are encrypted and their names hashed, both with keys that only the nodes of
// the instance have. A response that somebody else wrote, or moved to another name, is not believed.
import { randomBytes } from 'node:crypto'
import { createEncryption } from '../text/encrypt.ts'
import { createKeyedHash, type KeyedHash } from '../text/keyed-hash.ts'

export interface ResponseSecrecy {
  nameOf: KeyedHash
  /** `key` is the Redis key that it is stored under. */
  encrypt: (text: string, key: string) => string
  /** '' for anything that `encrypt` has not written for this key. */
  decrypt: (encrypted: string, key: string) => string
}

export function createResponseSecrecy(instanceSecret: string): ResponseSecrecy {
  const { encrypt, decrypt } = createEncryption(instanceSecret, 'bowerbird texts of responses', randomBytes)
  return {
    nameOf: createKeyedHash(instanceSecret, 'names of responses'),
    encrypt: (text, key) => encrypt(Buffer.from(text), key).toString('base64'),
    decrypt: (encrypted, key) => decrypt(Buffer.from(encrypted, 'base64'), key)?.toString() ?? '',
  }
}
