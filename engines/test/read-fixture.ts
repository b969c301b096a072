// Reads a fixture, for tests only: `<slug>-<tab>-<what>` is `fixtures/engines/<slug>/<tab>-<what>.json`, which holds `status`,
// `headers` and `body`. A body that is a text is sent as it stands, any other as JSON. The content is invented: some
// terms forbid storing replies.
import { readFileSync } from 'node:fs'
import type { ProviderReply } from '../src/engine.ts'

export const readFixture = (name: string, folder = 'engines'): ProviderReply => {
  const file = readFileSync(new URL(`../fixtures/${folder}/${name.replace('-', '/')}.json`, import.meta.url), 'utf8')
  const { status, headers, body }: Omit<ProviderReply, 'body'> & { body: unknown } = JSON.parse(file)
  return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
}
