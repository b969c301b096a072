// Usernames as stored in the database: lower case, and only a few characters.
import { Refusal } from '../errors.ts'

const USERNAME = /^[a-z\d][a-z\d._-]{1,63}$/i

/** '' for an invalid username: no user has that name, and PostgreSQL would reject a query with some characters. */
export const toStoredUsername = (username: string): string => (USERNAME.test(username) ? username.toLowerCase() : '')

/** Returns the username as it is stored. Refuses an invalid one with 400. */
export function checkUsername(username: string): string {
  if (USERNAME.test(username)) return username.toLowerCase()
  throw new Refusal('parameter_invalid', {
    username: ['Use 2 to 64 letters, digits, dots, underscores or hyphens, starting with a letter or a digit.'],
  })
}

export const unknownUser = (): Refusal => new Refusal('not_found', 'There is no user with this name.')
