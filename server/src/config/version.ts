// The version of this program, the same as in `server/package.json`: `server/test/version.test.ts` checks that.

export const VERSION = '0.1.0'
