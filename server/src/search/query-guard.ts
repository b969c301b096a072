// QUERY_GUARD: what happens to a query that holds a secret. Everything that would send a query to somebody calls `guardText`
// first, and before it looks in the cache, so that nothing is stored under a query with a secret. On the website,
// `site/search/guard-page.ts` asks the reader before that.
//
// Private engines and translation are not guarded: what they get stays with the operator, who may well look for an IBAN among
// their own documents.
import { Refusal } from '../errors.ts'
import { formsOf, type SecretForm, secretsIn, withoutSecrets } from '../text/secrets-in-text.ts'

/**
 * off     the query is sent as it is
 * warn    with a key, it is sent, and a header says what it holds; on the website, the reader is asked first
 * redact  it is sent with the name of the secret in its place
 * refuse  it is not sent
 */
export const GUARD_MODES = ['off', 'warn', 'redact', 'refuse'] as const
export type GuardMode = (typeof GUARD_MODES)[number]

export interface GuardReport {
  action: 'warned' | 'redacted' | 'refused'
  forms: readonly SecretForm[]
}

/** For the OpenAPI document. */
export const GUARD_HEADER = {
  'Query-Guard':
    'Only if the operator has turned the guard on and the query holds a secret: `warned=iban` if it was sent as it is, `redacted=iban, redacted=aws_key` if not.',
}

/** `redacted=iban, redacted=aws_key` */
export const guardHeader = ({ action, forms }: GuardReport): string =>
  forms.map(({ kind }) => `${action}=${kind}`).join(', ')

const namesOf = (forms: readonly SecretForm[]): string => forms.map(({ name }) => name).join(', ')

/** For a client that shows a text and no headers. */
export const guardSentence = ({ action, forms }: GuardReport): string =>
  action === 'warned'
    ? `The query seems to contain a secret (${namesOf(forms)}). It was sent as it is.`
    : `The query seemed to contain a secret (${namesOf(forms)}), which was not sent.`

/** Names the kind and never the secret. */
const secretRefusal = (forms: readonly SecretForm[]): Refusal =>
  new Refusal(
    'secret_in_query',
    {
      q: [`The query seems to contain a secret (${namesOf(forms)}), so nobody was asked. Send it without the secret.`],
    },
    { 'Query-Guard': guardHeader({ action: 'refused', forms }) },
  )

/** The text that may be sent for this caller. Throws a Refusal if none may be. */
export function guardText(
  { queryGuard, onSecret }: { queryGuard: GuardMode; onSecret: (report: GuardReport) => void },
  text: string,
): string {
  if (queryGuard === 'off') return text
  const secrets = secretsIn(text)
  if (secrets.length === 0) return text
  const forms = formsOf(secrets)
  if (queryGuard === 'refuse') throw secretRefusal(forms)
  onSecret({ action: queryGuard === 'warn' ? 'warned' : 'redacted', forms })
  return queryGuard === 'warn' ? text : withoutSecrets(text, secrets)
}
