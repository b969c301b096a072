// The operations behind `bowerbird calibrate`.
import { z } from 'zod'
import { Refusal } from '../errors.ts'
import { WEIGHTS_SETTING } from '../search/calibration/calibrated-weights.ts'
import { applyTo, isGraded, resultOf } from '../search/calibration/calibration-result.ts'
import { type Calibration, createCalibrationStore } from '../search/calibration/calibration-store.ts'
import {
  CALIBRATED_TABS,
  type Calibrations,
  createCalibrations,
  MAX_QUERIES,
} from '../search/calibration/calibrations.ts'
import { PROPOSED_LANGUAGES } from '../search/calibration/proposed-queries.ts'
import type { SettingsContext } from '../settings/stored-settings.ts'
import { operation } from './operation.ts'

const id = z.string().regex(/^\d{1,18}$/)
const place = z.int().min(0).max(999)

/** A command's own process can do everything but search. */
const calibrationsOf = ({ calibrations, db }: SettingsContext): Calibrations =>
  calibrations ?? createCalibrations({ store: createCalibrationStore(db), slugOf: () => undefined })

async function requireCalibration(access: SettingsContext, wanted: string): Promise<Calibration> {
  const calibration = await calibrationsOf(access).find(wanted)
  if (calibration) return calibration
  throw new Refusal('not_found', 'There is no such calibration. To list them, run: bowerbird calibrate list.')
}

export type PresentedCalibration = ReturnType<typeof presentCalibration>

function presentCalibration({ id, createdAt, tab, lang, searches }: Calibration) {
  const { graded, gain, verdict, wanted, engines } = resultOf(searches)
  return {
    id,
    created_at: createdAt.toISOString(),
    tab,
    lang,
    searches: searches.length,
    finished: searches.filter(isGraded).length,
    /** Of those, the ones that had something good. */
    counted: graded,
    /** Over equal weights, with its interval; null if it is too early to tell. */
    gain: gain ?? null,
    verdict,
    /** How many searches should be enough to be sure. */
    wanted,
    engines,
  }
}

export const CALIBRATION_OPERATIONS = {
  'calibration-list': operation(z.strictObject({}), async (access) =>
    (await calibrationsOf(access).list()).map(presentCalibration),
  ),
  'calibration-create': operation(
    z.strictObject({
      tab: z.enum(CALIBRATED_TABS),
      lang: z.enum(['', ...PROPOSED_LANGUAGES]),
      queries: z.array(z.string().max(2_000)).max(MAX_QUERIES),
    }),
    async (access, wanted) => {
      const created = await calibrationsOf(access).create(wanted)
      return presentCalibration(await requireCalibration(access, created))
    },
  ),
  'calibration-show': operation(z.strictObject({ id }), async (access, args) =>
    presentCalibration(await requireCalibration(access, args.id)),
  ),
  'calibration-next': operation(z.strictObject({ id }), async (access, args) => {
    await requireCalibration(access, args.id)
    return (await calibrationsOf(access).next(args.id)) ?? { state: 'done' as const }
  }),
  'calibration-search': operation(z.strictObject({ id }), async (access, args) => {
    await calibrationsOf(access).search(args.id)
    return {}
  }),
  'calibration-grade': operation(
    z.strictObject({ id, place, result: place, grade: z.int().min(0).max(2) }),
    async (access, { id: calibration, ...graded }) => {
      await calibrationsOf(access).grade(calibration, graded)
      return {}
    },
  ),
  'calibration-back': operation(z.strictObject({ id }), async (access, args) => {
    await calibrationsOf(access).back(args.id)
    return {}
  }),
  'calibration-skip': operation(z.strictObject({ id, place }), async (access, args) => {
    await calibrationsOf(access).skip(args.id, args.place)
    return {}
  }),
  'calibration-apply': operation(z.strictObject({ id }), async (access, args) => {
    const calibration = await requireCalibration(access, args.id)
    const { values } = await access.settings.read()
    const value = applyTo(values[WEIGHTS_SETTING], calibration)
    return { changed: await access.settings.change(access, { [WEIGHTS_SETTING]: value }), weights: value }
  }),
  'calibration-undo': operation(z.strictObject({}), async (access) => {
    const [newest, before] = await access.settings.history(WEIGHTS_SETTING)
    if (!newest || !before)
      throw new Refusal('conflict', 'No calibration was ever applied, so there is nothing to undo.')
    return {
      changed: await access.settings.change(access, { [WEIGHTS_SETTING]: before.value }),
      weights: before.value ?? null,
    }
  }),
  'calibration-delete': operation(z.strictObject({ id }), async (access, args) => {
    await requireCalibration(access, args.id)
    return { deleted: await calibrationsOf(access).remove(args.id) }
  }),
}
