// Passkeys: fetches a challenge, passes it to an authenticator, and submits the form with the answer. The forms are hidden
// until this script runs, because they are useless without it; a line says so in their place.
const toBytes = (text) => {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/')
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const withBytes = (credentials = []) => credentials.map((one) => ({ ...one, id: toBytes(one.id) }))

/** The JSON options, as `navigator.credentials` expects them. */
const readOptions = ({ challenge, user, allowCredentials, excludeCredentials, ...rest }) => ({
  ...rest,
  challenge: toBytes(challenge),
  ...(user && { user: { ...user, id: toBytes(user.id) } }),
  ...(allowCredentials && { allowCredentials: withBytes(allowCredentials) }),
  ...(excludeCredentials && { excludeCredentials: withBytes(excludeCredentials) }),
})

/** The answer as JSON, with its bytes as text. */
const writeAnswer = ({ rawId, type, response }) => {
  const answer = { transports: response.getTransports?.() ?? [] }
  for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']) {
    if (response[name]) answer[name] = toText(response[name])
  }
  const id = toText(rawId)
  return JSON.stringify({ id, rawId: id, type, response: answer })
}

const ask = async (form) => {
  const body = new URLSearchParams({ _csrf: form.elements._csrf.value })
  const reply = await fetch(form.dataset.options, { method: 'POST', body })
  // Reloading the page asks for the password again, or restarts the sign-in.
  if (reply.redirected || reply.status === 403) {
    location.reload()
    return undefined
  }
  if (!reply.ok) throw new Error(String(reply.status))
  const publicKey = readOptions(await reply.json())
  return await navigator.credentials[form.dataset.passkey]({ publicKey })
}

for (const line of document.querySelectorAll('[data-without-script]')) line.hidden = true

for (const form of document.querySelectorAll('form[data-passkey]')) {
  form.hidden = !window.PublicKeyCredential
  const failed = form.querySelector('[data-passkey-failed]')
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    failed.hidden = true
    ask(form)
      .then((credential) => {
        if (!credential) return
        form.elements.credential.value = writeAnswer(credential)
        form.submit()
      })
      .catch(() => {
        // Cancelled, timed out or refused by the browser: one message for all, and the button is still there.
        failed.hidden = false
      })
  })
}
