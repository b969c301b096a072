// The country that a search is for. A region is a wish about the results, not a filter: an engine that can't favour a
// country is asked all the same, and whoever asked for one is told (`Engine-Status`, the plan, a line above the results).
import type { EngineTab } from '@bowerbird/engines/engine.ts'

/** ISO 3166-1 alpha-2. */
export const COUNTRIES: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC ' +
    'CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD ' +
    'GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH ' +
    'KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW ' +
    'MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC ' +
    'SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY ' +
    'UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
)

/** Those that many people search for, for lists to choose from. */
export const COMMON_COUNTRIES: readonly string[] = (
  'AE AR AT AU BE BG BR CA CH CL CN CO CZ DE DK EE EG ES FI FR GB GR HK HR HU ID IE IL IN IS IT JP ' +
  'KE KR LT LU LV MA MX MY NG NL NO NZ PE PH PK PL PT RO RS RU SA SE SG SI SK TH TR TW UA US VN ZA'
).split(' ')

/** A country in upper case; '' for none; `undefined` if the text is no country. `UK` isn't in the standard, but in use. */
export function readRegion(text: string): string | undefined {
  const code = text.trim().toUpperCase()
  if (code === '' || code === 'ALL') return ''
  if (code === 'UK') return 'GB'
  return COUNTRIES.has(code) ? code : undefined
}

interface Wanted {
  region?: string | undefined
  lang: string
}

type RegionAbility = Pick<EngineTab<unknown, unknown>, 'takesRegion'>

/** Whether a region that is asked for has no effect on what an engine finds. */
export const ignoresRegion = ({ takesRegion }: RegionAbility, { region, lang }: Wanted): boolean =>
  region !== undefined && takesRegion?.(region, lang) !== true

/** The countries that one of these tabs takes. Some take them only beside a language. */
export const regionsTakenBy = (tabs: readonly (RegionAbility | undefined)[]): string[] =>
  [...COUNTRIES].filter((region) =>
    tabs.some((tab) => tab?.takesRegion?.(region, '') === true || tab?.takesRegion?.(region, 'en') === true),
  )

/** The slots in whose results a region had no effect. */
export const slotsWithoutRegion = (reports: readonly { slot: string; ignoresRegion?: true }[]): string[] => [
  ...new Set(reports.filter((report) => report.ignoresRegion).map(({ slot }) => slot)),
]
