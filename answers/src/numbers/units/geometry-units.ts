// Lengths, areas and volumes. Row format: display symbol | size in base units | symbols, case-sensitive | folded names
// in any of the seven languages | option. The option is one of: `prefixes` and those that the unit takes; its system
// (`us`, `imperial`, `metric`, `australian`); `offset`, which is added before multiplying by the size; or `reciprocal`,
// an inverse unit. See `unit-table.ts`.
const LENGTH = `
m | 1 | m | metre, metres, meter, meters, metern, metro, metros, metri | prefixes k c m d µ n h p da f M G
km | 1000 | | k
in | 0.0254 | in " '' ′′ ″ | inch, inches, pouce, pouces, zoll, pulgada, pulgadas, pollice, pollici, polegada, polegadas, duim
ft | 0.3048 | ft ' ′ | foot, feet, feet and inches, pied, pieds, fuss, fuß, pie, pies, piede, piedi, pe, pes, voet
yd | 0.9144 | yd yds | yard, yards, verge, verges, yarda, yardas, iarda, iarde, iardas, jarda, jardas
mi | 1609.344 | mi | mile, miles, mille, milles, meile, meilen, milla, millas, miglio, miglia, milha, milhas, mijl, mijlen
nmi | 1852 | nmi NM nm | nautical mile, nautical miles, sea mile, mille marin, milles marins, mille nautique, milles nautiques, seemeile, seemeilen, milla nautica, millas nauticas, miglio nautico, miglia nautiche, milha nautica, milhas nauticas, zeemijl, zeemijlen
thou | 0.0000254 | thou mil | thous, mils
fathom | 1.8288 | ftm | fathom, fathoms, brasse, brasses, faden, braza, brazas, vadem
rod | 5.0292 | rd | rod, rods, perch, perches
chain | 20.1168 | ch | chain, chains
furlong | 201.168 | fur | furlong, furlongs
league | 4828.032 | lea | league, leagues, lieue, lieues, legua, leguas, lega, leghe
hand | 0.1016 | hh | hand, hands
cubit | 0.4572 | | cubit, cubits, coudee, coudees, elle, ellen
Å | 0.0000000001 | Å | angstrom, angstroms
µm | 0.000001 | | micron, microns, mikron, micras, micra
au | 149597870700 | au AU ua AE | astronomical unit, astronomical units, unite astronomique, unites astronomiques, astronomische einheit, astronomische einheiten, unidad astronomica, unidades astronomicas, unita astronomica, unita astronomiche, unidade astronomica, unidades astronomicas, astronomische eenheid
ly | 9460730472580800 | ly al Lj lj | light year, light years, light-year, light-years, lightyear, lightyears, annee-lumiere, annees-lumiere, annee lumiere, annees lumiere, lichtjahr, lichtjahre, lichtjahren, ano luz, anos luz, anno luce, anni luce, ano-luz, anos-luz, lichtjaar, lichtjaren
light-second | 299792458 | ls | light second, light seconds, light-second, light-seconds, lichtsekunde, lichtsekunden, seconde-lumiere
light-minute | 17987547480 | | light minute, light minutes, light-minute, light-minutes, lichtminute, lichtminuten
pc | 30856775814913672.789139379577965 | pc | parsec, parsecs, parsek | prefixes k M G
pt | 0.0254/72 | pt | point, points, typographic point, punkt
pica | 0.0254/6 | | pica, picas
px | 0.0254/96 | px | pixel, pixels
`

const AREA = `
ha | 10000 | ha | hectare, hectares, hektar, hectarea, hectareas, ettaro, ettari
a | 100 | a | are, ares, ar
acre | 4046.8564224 | ac | acre, acres, acri, morgen
daa | 1000 | daa | decare, decares, dunam, dunams
rood | 1011.7141056 | ro | rood, roods
barn | 0.0000000000000000000000000001 | | barn, barns
`

const VOLUME = `
L | 0.001 | l L ℓ | litre, litres, liter, liters, litern, litro, litros, litri | prefixes m c d µ h k
cm³ | 0.000001 | cc ccm | cubic centimetre
gal (US) | 0.003785411784 | gal | gallon, gallons, gallone, gallonen, galon, galones, gallone, galloni, galao, galoes, us gal, us gallon, us gallons | us
gal (imp.) | 0.00454609 | gal | gallon, gallons, imp gal, imperial gallon, imperial gallons, uk gallon, uk gallons | imperial
qt (US) | 0.000946352946 | qt | quart, quarts, us quart, us quarts | us
qt (imp.) | 0.0011365225 | qt | quart, quarts, imperial quart, imperial quarts, uk quart, uk quarts | imperial
pt (US) | 0.000473176473 | pt | pint, pints, pinte, pintes, pinta, pintas, pinte, us pint, us pints | us
pt (imp.) | 0.00056826125 | pt | pint, pints, pinte, pintes, pinta, pintas, imperial pint, imperial pints, uk pint, uk pints | imperial
fl oz (US) | 0.0000295735295625 | floz oz | fl oz, fl. oz., fl. oz, fluid ounce, fluid ounces, ounce, ounces, unze, unzen, onza, onzas, onca, oncas, oncia, onza liquida, onzas liquidas, once liquide, onces liquides, us fl oz, us fluid ounce | us
fl oz (imp.) | 0.0000284130625 | floz oz | fl oz, fl. oz., fl. oz, fluid ounce, fluid ounces, ounce, ounces, imperial fluid ounce, uk fl oz, uk fluid ounce, uk fluid ounces | imperial
gill (US) | 0.00011829411825 | gi | gill, gills, us gill | us
gill (imp.) | 0.0001420653125 | gi | gill, gills, imperial gill | imperial
cup (US) | 0.0002365882365 | c | cup, cups, us cup, us cups | us
cup (imp.) | 0.000284130625 | | imperial cup, imperial cups
cup (metric) | 0.00025 | c | cup, cups, uk cup, uk cups, metric cup, metric cups, tasse, tasses, tassen, taza, tazas, tazza, tazze, xicara, xicaras, kopje, kopjes | imperial
tbsp (US) | 0.00001478676478125 | tbsp Tbsp tbs T | tablespoon, tablespoons, us tablespoon, us tablespoons | us
tbsp (imp.) | 0.0000177581640625 | | imperial tablespoon, imperial tablespoons
tbsp (metric) | 0.000015 | tbsp Tbsp tbs EL el | tablespoon, tablespoons, uk tablespoon, metric tablespoon, cuillere a soupe, cuilleres a soupe, essloffel, cucharada, cucharadas, cucchiaio, cucchiai, colher de sopa, colheres de sopa, eetlepel, eetlepels | imperial
tbsp (Australian) | 0.00002 | tbsp Tbsp tbs T | tablespoon, tablespoons, australian tablespoon, australian tablespoons | australian
tsp (US) | 0.00000492892159375 | tsp t | teaspoon, teaspoons, us teaspoon, us teaspoons | us
tsp (imp.) | 0.0000177581640625/3 | | imperial teaspoon, imperial teaspoons
tsp (metric) | 0.000005 | tsp TL tl | teaspoon, teaspoons, uk teaspoon, metric teaspoon, cuillere a cafe, cuilleres a cafe, teeloffel, cucharadita, cucharaditas, cucchiaino, cucchiaini, colher de cha, colheres de cha, theelepel, theelepels | imperial
fl dr (US) | 0.0000036966911953125 | | fluid dram, fluid drams
bbl (oil) | 0.158987294928 | bbl | barrel, barrels, barrel of oil, barrels of oil, baril, barils, fass, barril, barriles, barris, barile, barili, vat, vaten
bu (US) | 0.03523907016688 | bu | bushel, bushels, boisseau, boisseaux, scheffel
pk (US) | 0.00880976754172 | pk | peck, pecks
acre-foot | 1233.48183754752 | | acre foot, acre feet, acre-foot, acre-feet
board foot | 0.002359737216 | FBM | board foot, board feet
stere | 1 | st | stere, steres, ster, raummeter
`

export const GEOMETRY = { length: LENGTH, area: AREA, volume: VOLUME }

/** Lengths whose squares and cubes are also units. */
export const LENGTHS_WITH_POWERS: readonly string[] = ['m', 'km', 'cm', 'mm', 'dm', 'in', 'ft', 'yd', 'mi']
