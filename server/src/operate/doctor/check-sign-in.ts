// Checks that each identity provider answers and is the one that the settings name, by preparing a sign-in as the first
// person of the day would. Nobody is signed in, so a wrong client secret isn't found.
import type { Finding } from '../../cli/cli-host.ts'
import type { IdentityProvider } from '../../oidc/identity-provider.ts'
import { callbackPath, isUnreachable, openConnection, reasonOf } from '../../oidc/oidc.ts'
import type { Configuration } from '../../settings/configuration.ts'
import { broken, fine, warning } from './finding.ts'

export const checkSignIn = (configuration: Configuration): Promise<Finding[]> =>
  Promise.all(configuration.identityProviders.map((provider) => checkProvider(provider, configuration)))

async function checkProvider(
  provider: IdentityProvider,
  { publicUrl, outgoingProxy }: Configuration,
): Promise<Finding> {
  const about = `Sign-in with ${provider.name}`
  const connection = openConnection(provider, { publicUrl, outgoingProxy, clock: Date.now })
  try {
    const client = await connection.client()
    await client.begin({ isFresh: false })
    const answer = `It answers. It must allow ${publicUrl}${callbackPath(provider.slug)} as a redirect URI.`
    if (client.hasPkce) return fine(about, answer)
    return warning(about, `${answer} It does not say that it supports PKCE.`, 'If it can be turned on there, do so.')
  } catch (error) {
    if (isUnreachable(error))
      return warning(about, 'It did not answer.', 'Check that this machine can reach it, and look again later.')
    const advice = 'Compare the issuer in the settings, letter by letter, with the one that the provider names.'
    return broken(about, `It is not what the settings say (${reasonOf(error)}).`, advice)
  } finally {
    await connection.close()
  }
}
