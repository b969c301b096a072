// One request in three languages. The examples run as they are once the key is in the environment, where a key belongs.
import type { ApiOperation } from './api-document.ts'

export interface CodeExample {
  language: 'curl' | 'TypeScript' | 'Python'
  code: string
}

/** Good first requests, where the parameters' own examples wouldn't make one. */
const BETTER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  maps: { q: 'Eiffel Tower' },
  translate: { q: 'hello', target: 'fr' },
  instant: { q: '100 usd to eur' },
  cards: { q: 'Eiffel Tower' },
  similar_image_search: { q: 'glacier' },
}

/** Bodies for endpoints that only take POST. */
const BODIES: Readonly<Record<string, string>> = {
  batch:
    '{"requests": [{"id": "1", "endpoint": "web", "params": {"q": "climate"}}, {"id": "2", "endpoint": "news", "params": {"q": "climate"}}]}',
}

export function examplesOf(operation: ApiOperation, baseUrl: string): CodeExample[] {
  const query = new URLSearchParams(queryOf(operation)).toString()
  const address = `${baseUrl}${operation.path}${query && `?${query}`}`
  const body = BODIES[operation.name]
  if (body) {
    const code = `curl -H "Authorization: Api-Key $BOWERBIRD_KEY" \\\n  --json '${body}' \\\n  '${address}'`
    return [{ language: 'curl', code }]
  }
  if (!operation.needsKey) return [{ language: 'curl', code: `curl '${address}'` }]
  return [
    { language: 'curl', code: `curl -H "Authorization: Api-Key $BOWERBIRD_KEY" \\\n  '${address}'` },
    {
      language: 'TypeScript',
      code: `const reply = await fetch('${address}', {
  headers: { Authorization: \`Api-Key \${process.env.BOWERBIRD_KEY}\` },
})
if (!reply.ok) throw new Error(await reply.text())
console.log(await reply.json())`,
    },
    {
      language: 'Python',
      code: `import json, os, urllib.request

request = urllib.request.Request(
    "${address}",
    headers={"Authorization": "Api-Key " + os.environ["BOWERBIRD_KEY"]},
)
print(json.load(urllib.request.urlopen(request)))`,
    },
  ]
}

function queryOf({ name, parameters }: ApiOperation): Record<string, string> {
  const better = BETTER[name]
  if (better) return { ...better }
  const required = parameters.filter(({ isRequired, example }) => isRequired && example !== '')
  return Object.fromEntries(required.map((parameter) => [parameter.name, parameter.example]))
}
