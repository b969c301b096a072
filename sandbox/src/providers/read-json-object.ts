// Reads the body of a POST request.
import { isRecord } from '../is-record.ts'

/** `undefined` if it is not a JSON object. */
export function readJsonObject(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
