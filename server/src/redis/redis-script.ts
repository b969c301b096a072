// A Lua script, and the hash that calls it on a server that has already run it.
import { createHash } from 'node:crypto'

export interface Script {
  lua: string
  sha: string
}

export const defineScript = (lua: string): Script => ({ lua, sha: createHash('sha1').update(lua).digest('hex') })
