// Encrypts cached responses and hashes their Redis keys, so that Redis learns nothing. Results repeat the words of the
// query in titles and URLs, and suggestions begin with them. Both secrets are known only to the instance's nodes. A
// response that another program wrote, or that was moved to another key, is rejected.
import { randomBytes } from 'node:crypto'
import { createEncryption, createKeyedHash, type KeyedHash } from '../text/cryptography.ts'

export interface ResponseEncryption {
  hashName: KeyedHash
  /** `key` is the Redis key under which it is stored. */
  encrypt: (text: string, key: string) => string
  /** '' for anything that `encrypt` didn't write for this key. */
  decrypt: (encrypted: string, key: string) => string
}

export function createResponseEncryption(instanceSecret: string): ResponseEncryption {
  const encryption = createEncryption(instanceSecret, 'bowerbird texts of responses', randomBytes)
  return {
    hashName: createKeyedHash(instanceSecret, 'names of responses'),
    encrypt: (text, key) => encryption.encrypt(Buffer.from(text), key).toString('base64'),
    decrypt: (encrypted, key) => encryption.decrypt(Buffer.from(encrypted, 'base64'), key)?.toString() ?? '',
  }
}
