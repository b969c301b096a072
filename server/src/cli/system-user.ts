// The user of the machine who runs a command, for the security events: `uid 0, alice` for alice under sudo. The kernel
// vouches for the number; the name is what sudo, or the person who set SUDO_USER, says.

const SYSTEM_USER = /^uid \d{1,10}(?:, [\w.-]{1,32})?$/

/** An empty string where users have no numbers. */
export function systemUserOf(uid: number | undefined, sudoUser = ''): string {
  if (uid === undefined) return ''
  const full = `uid ${uid}, ${sudoUser}`
  return isSystemUser(full) ? full : `uid ${uid}`
}

export const isSystemUser = (text: string): boolean => SYSTEM_USER.test(text)
