// Device cookies, after OWASP: a browser in which someone has signed in gets a token, and with it has attempts of its own
// at that account (`sign-in-limits.ts`). However many strangers guess, the owner gets in on a known device.
//
// The token grants nothing else, and nothing about it is stored: it is a random id and a keyed hash of the id, the user
// and the hash of the password, so it works on every node and after a restart, and ends with the password.
import type { RandomBytes } from '../keys/key-format.ts'
import { createKeyedHash, isSameHash } from '../text/cryptography.ts'

interface DeviceOwner {
  id: string
  passwordHash: string
}

interface DeviceTokenParts {
  instanceSecret: string
  randomBytes: RandomBytes
}

export type DeviceTokens = ReturnType<typeof createDeviceTokens>

const ID_BYTES = 16
const FORM = /^([\w-]{22})\.([\w-]{22})$/

export function createDeviceTokens({ instanceSecret, randomBytes }: DeviceTokenParts) {
  const keyedHash = createKeyedHash(instanceSecret, 'known devices')
  const tagOf = (deviceId: string, { id, passwordHash }: DeviceOwner) => keyedHash(`${deviceId} ${id} ${passwordHash}`)
  return {
    mint(owner: DeviceOwner): string {
      const deviceId = Buffer.from(randomBytes(ID_BYTES)).toString('base64url')
      return `${deviceId}.${tagOf(deviceId, owner)}`
    },
    /** The device's id. Undefined unless the token was issued here, to this user, with the current password. */
    recognise(token: string | undefined, owner: DeviceOwner | undefined): string | undefined {
      const [, deviceId = '', tag = ''] = FORM.exec(token ?? '') ?? []
      return owner && isSameHash(tag, tagOf(deviceId, owner)) ? deviceId : undefined
    },
  }
}
