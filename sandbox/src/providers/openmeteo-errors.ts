// The error format of Open-Meteo's services.
import type { ProviderReply } from './provider.ts'

export const openMeteoError = (reason: string, status = 400, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  json: { error: true, reason },
})

/** The real one says no more than this either. Retry-After is our own choice. */
export const openMeteoFailures = {
  badKey: (): ProviderReply => openMeteoError('The supplied API key is invalid.'),
  throttled: (_now: number, retryAfterSeconds: number): ProviderReply =>
    openMeteoError('Minutely API request limit exceeded. Please try again in one minute.', 429, {
      'retry-after': String(retryAfterSeconds),
    }),
  failure: (_now: number, status: number): ProviderReply => openMeteoError('Internal error.', status),
}
