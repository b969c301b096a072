// Chemical elements: `element gold`, `atomic number of iron`, `symbol for sodium`, `element 79`. Bare `mercury`, `gold`
// or `lead`, `the fifth element` and `element matrix client` are ordinary searches and stay unanswered.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'

const ELEMENTS =
  `
  H hydrogen He helium Li lithium Be beryllium B boron C carbon N nitrogen O oxygen F fluorine Ne neon Na sodium
  Mg magnesium Al aluminium Si silicon P phosphorus S sulfur Cl chlorine Ar argon K potassium Ca calcium Sc scandium
  Ti titanium V vanadium Cr chromium Mn manganese Fe iron Co cobalt Ni nickel Cu copper Zn zinc Ga gallium
  Ge germanium As arsenic Se selenium Br bromine Kr krypton Rb rubidium Sr strontium Y yttrium Zr zirconium Nb niobium
  Mo molybdenum Tc technetium Ru ruthenium Rh rhodium Pd palladium Ag silver Cd cadmium In indium Sn tin Sb antimony
  Te tellurium I iodine Xe xenon Cs caesium Ba barium La lanthanum Ce cerium Pr praseodymium Nd neodymium
  Pm promethium Sm samarium Eu europium Gd gadolinium Tb terbium Dy dysprosium Ho holmium Er erbium Tm thulium
  Yb ytterbium Lu lutetium Hf hafnium Ta tantalum W tungsten Re rhenium Os osmium Ir iridium Pt platinum Au gold
  Hg mercury Tl thallium Pb lead Bi bismuth Po polonium At astatine Rn radon Fr francium Ra radium Ac actinium
  Th thorium Pa protactinium U uranium Np neptunium Pu plutonium Am americium Cm curium Bk berkelium Cf californium
  Es einsteinium Fm fermium Md mendelevium No nobelium Lr lawrencium Rf rutherfordium Db dubnium Sg seaborgium
  Bh bohrium Hs hassium Mt meitnerium Ds darmstadtium Rg roentgenium Cn copernicium Nh nihonium Fl flerovium
  Mc moscovium Lv livermorium Ts tennessine Og oganesson
  `.match(/\S+/g) ?? []
const ELEMENT_COUNT = ELEMENTS.length / 2

/** Atomic numbers. The names, and the symbols below, are in lower case. */
const NUMBER_BY_NAME = new Map<string, number>([
  ['aluminum', 13],
  ['sulphur', 16],
  ['cesium', 55],
])
const NUMBER_BY_SYMBOL = new Map<string, number>()
for (let number = 1; number <= ELEMENT_COUNT; number += 1) {
  NUMBER_BY_SYMBOL.set((ELEMENTS[2 * number - 2] ?? '').toLowerCase(), number)
  NUMBER_BY_NAME.set(ELEMENTS[2 * number - 1] ?? '', number)
}

const PROPERTY =
  '(?:atomic (?:number|mass|weight)|(?:chemical |element |periodic table )?symbol) (?:of|for)(?: the element)?'
const BY_NAME = new RegExp(`^(?:what is )?(?:the )?(?:(?:chemical )?element|${PROPERTY}) ([a-z]{3,13})\\??$`)
const AFTER_NAME =
  /^([a-z]{3,13}) (?:chemical element|element|atomic (?:number|mass|weight)|chemical symbol|element symbol)$/
const BY_NUMBER = /^(?:(?:what is )?(?:chemical )?element (?:number |with atomic number )?|atomic number )(\d{1,3})\??$/
const BY_SYMBOL =
  /^(?:chemical element|what element is|which element is|element symbol|chemical symbol) ([a-z]{1,2})\??$/

/** `element Hg`: written as a symbol is. */
const CASED_SYMBOL = /^[Ee]lement ([A-Z][a-z])$/

/** The last atomic number of each period, after a leading 0. */
const PERIOD_ENDS = [0, 2, 10, 18, 36, 54, 86, 118]

export const chemicalElement = defineAnswer({
  slug: 'chemical_element',
  title: 'Chemical element',
  summary: 'The symbol, atomic number, mass and place in the periodic table of an element.',
  examples: [{ q: 'element gold' }, { q: 'atomic number of iron' }, { q: 'symbol for sodium' }, { q: 'element 79' }],
  reply: z.object({
    name: z.string(),
    symbol: z.string(),
    atomic_number: z.int(),
    atomic_mass: z
      .number()
      .nullable()
      .describe('Standard atomic weight; `null` where there is none, because no isotope is stable.'),
    period: z.int(),
    group: z.int().nullable().describe('`null` for the lanthanides and actinides.'),
  }),
  match({ folded, text }) {
    if (!/element|atomic|symbol/.test(folded)) return null
    const name = (BY_NAME.exec(folded) ?? AFTER_NAME.exec(folded))?.[1]
    const symbol = BY_SYMBOL.exec(folded)?.[1] ?? CASED_SYMBOL.exec(text)?.[1]?.toLowerCase()
    const numeral = BY_NUMBER.exec(folded)?.[1]
    const number = Number(numeral ?? NUMBER_BY_NAME.get(name ?? '') ?? NUMBER_BY_SYMBOL.get(symbol ?? '') ?? 0)
    return number >= 1 && number <= ELEMENT_COUNT ? { number } : null
  },
  async answer({ number }) {
    const { elements } = await import('chemical-elements')
    const symbol = ELEMENTS[2 * number - 2] ?? ''
    const lower = ELEMENTS[2 * number - 1] ?? ''
    const name = lower.charAt(0).toUpperCase() + lower.slice(1)
    const mass = elements.find((element) => element.number === number)?.mass ?? null
    // Rounded as in tables: further digits depend on where on Earth the element was found.
    const atomic_mass = mass === null ? null : Math.round(mass * 1e3) / 1e3
    const weight = atomic_mass === null ? '' : `, atomic mass ${atomic_mass}`
    return {
      text: `${name} (${symbol}): atomic number ${number}${weight}`,
      name,
      symbol,
      atomic_number: number,
      atomic_mass,
      period: PERIOD_ENDS.findIndex((end) => number <= end),
      group: groupOf(number),
    }
  },
})

/** Counts from the end of the element's period, except for its first two elements. Helium is in the last group. */
function groupOf(number: number): number | null {
  const period = PERIOD_ENDS.findIndex((end) => number <= end)
  const fromStart = number - (PERIOD_ENDS[period - 1] ?? 0)
  const toEnd = (PERIOD_ENDS[period] ?? 0) - number
  if (number === 1) return 1
  if (fromStart <= 2 && number !== 2) return fromStart
  // La to Yb and Ac to No are placed below the table.
  if (period >= 6 && toEnd >= 16) return null
  return 18 - toEnd
}
