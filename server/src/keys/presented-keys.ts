// Reads presented keys: parts and hash. A client sends the same key with every request on a connection, so what was read
// last is remembered for each connection, and forgotten with it. That saves the checksum and the hash, which are most of
// the work; whether the key is valid is judged every time.
//
// Several clients may share a connection to us, behind a proxy. So texts are compared in constant time, like hashes.
import { timingSafeEqual } from 'node:crypto'
import { hashSecret, type KeyParts, readKey } from './key-format.ts'

export interface PresentedKey extends Pick<KeyParts, 'prefix'> {
  secretHash: Uint8Array
}

/** `connection` is any object that lives as long as the connection does. Undefined: this is no key of ours. */
export type ReadPresented = (presented: string, connection?: object) => PresentedKey | undefined

interface LastKey {
  bytes: Buffer
  key: PresentedKey
}

export function createPresentedKeys(): ReadPresented {
  const last = new WeakMap<object, LastKey>()
  return (presented, connection) => {
    if (!connection) return read(presented)
    const bytes = Buffer.from(presented)
    const before = last.get(connection)
    if (before?.bytes.length === bytes.length && timingSafeEqual(before.bytes, bytes)) return before.key
    const key = read(presented)
    if (key) last.set(connection, { bytes, key })
    return key
  }
}

function read(presented: string): PresentedKey | undefined {
  const parts = readKey(presented)
  return parts && { prefix: parts.prefix, secretHash: hashSecret(parts.secret) }
}
