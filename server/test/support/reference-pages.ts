// The pages of docs/reference/ that `npm run docs` generates, by file name.
import { makeAnswersDocument } from './answers-document.ts'
import { makeCommandsDocument } from './commands-document.ts'
import { makeEngineDocumentSchema } from './engine-document-schema.ts'
import { makeEnginesDocument } from './engines-document.ts'
import { makeMetricsDocument } from './metrics-document.ts'
import { makeSettingsDocument } from './settings-document.ts'

export const REFERENCE_PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  'answers.md': makeAnswersDocument,
  'commands.md': makeCommandsDocument,
  'engine-document.schema.json': makeEngineDocumentSchema,
  'engines.md': makeEnginesDocument,
  'metrics.md': makeMetricsDocument,
  'settings.md': makeSettingsDocument,
}
