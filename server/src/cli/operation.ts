// One administrative operation: a function from arguments to a result, both of them JSON, that checks its arguments.
import type { z } from 'zod'
import { Refusal } from '../errors.ts'
import type { SettingsContext } from '../settings/stored-settings.ts'

export function operation<Args extends z.ZodType, Result>(
  schema: Args,
  run: (access: SettingsContext, args: z.output<Args>) => Promise<Result>,
) {
  return async (access: SettingsContext, given: z.input<Args>): Promise<Result> => {
    const args = schema.safeParse(given)
    if (args.success) return await run(access, args.data)
    throw new Refusal(
      'parameter_invalid',
      'The running instance is a different version and does not understand this command. Restart it.',
    )
  }
}
