// Force, pressure, energy, power and other units that engineers convert. `geometry-units.ts` explains the row format.
// The calorie is the thermochemical one; the bare word means the food calorie, a kilocalorie, except next to one of
// `EXACT_ENERGIES` in `../units.ts`, such as joules. The British thermal unit is the International Table one.
const JOULE_NAMES = 'joule, joules, julio, julios'
const WATT_NAMES = 'watt, watts, vatio, vatios'

export const PHYSICS = {
  acceleration: `
m/s² | 1 | m/s2 m/s^2 | metres per second squared, meters per second squared
ft/s² | 0.3048 | ft/s2 ft/s^2 | feet per second squared
g | 9.80665 | g G g0 | standard gravity, g force, g-force, gs
Gal | 0.01 | Gal | gals
`,
  force: `
N | 1 | N | newton, newtons | prefixes k M m G
lbf | 4.4482216152605 | lbf | pound force, pounds force, pound-force
kgf | 9.80665 | kgf kp | kilogram force, kilogram-force, kilopond
dyn | 0.00001 | dyn | dyne, dynes
ozf | 0.27801385095378125 | ozf | ounce force, ounce-force
kip | 4448.2216152605 | kip | kips
pdl | 0.138254954376 | pdl | poundal, poundals
`,
  pressure: `
Pa | 1 | Pa | pascal, pascals, pascales | prefixes k h M G m
bar | 100000 | bar | bars, bares
mbar | 100 | mbar mb | millibar, millibars
atm | 101325 | atm | atmosphere, atmospheres, atmosphare, atmospharen, atmosfera, atmosferas, atmosfere, atmosfeer
at | 98066.5 | at | technical atmosphere
psi | 4.4482216152605/0.00064516 | psi lbf/in2 | pound per square inch, pounds per square inch
ksi | 4448.2216152605/0.00064516 | ksi |
psf | 4.4482216152605/0.09290304 | psf | pounds per square foot
mmHg | 133.322387415 | mmHg | mm hg, millimetre of mercury, millimetres of mercury, millimeters of mercury
inHg | 3386.388640341 | inHg | in hg, inch of mercury, inches of mercury
Torr | 101325/760 | Torr | torrs
cmH₂O | 98.0665 | cmH2O | cm h2o
inH₂O | 249.08891 | inH2O | in h2o
`,
  energy: `
J | 1 | J | ${JOULE_NAMES} | prefixes k M G m T
kcal | 4184 | kcal Cal | kilocalorie, kilocalories, kilokalorie, kilokalorien, kilocaloria, kilocalorias, chilocaloria, chilocalorie, food calorie, food calories, large calorie, calorie, calories, kalorie, kalorien, caloria, calorias, calorieen
cal | 4.184 | cal | small calorie, small calories, gram calorie, gram calories, calorie, calories, kalorie, kalorien, caloria, calorias, calorieen
Wh | 3600 | Wh | watt hour, watt hours, watt-hour, watt-hours, wattheure, wattheures, wattstunde, wattstunden, vatio hora, vatios hora, wattora, wattuur | prefixes k M G T m
BTU | 1055.05585262 | BTU Btu | btus, british thermal unit, british thermal units
therm | 105505585.262 | thm | therm, therms
eV | 0.0000000000000000001602176634 | eV | electronvolt, electronvolts, electron volt, electron volts, elektronenvolt | prefixes k M G T m
erg | 0.0000001 | erg | ergs
ft·lbf | 1.3558179483314004 | ftlb ft-lb ft·lb | foot pound, foot pounds, foot-pound, foot-pounds, ft lb, ft lbs
t TNT | 4184000000 | tTNT | ton of tnt, tons of tnt, tonne of tnt, tonnes of tnt, tonnen tnt
toe | 41868000000 | toe | tonne of oil equivalent, tonnes of oil equivalent
`,
  power: `
W | 1 | W | ${WATT_NAMES} | prefixes k M G T m µ
hp | 745.69987158227022 | hp HP bhp | horsepower, mechanical horsepower, horse power, caballos de fuerza
PS | 735.49875 | PS ps ch cv CV pk | metric horsepower, pferdestarke, pferdestarken, cheval-vapeur, chevaux, chevaux-vapeur, caballo de vapor, caballos de vapor, caballos, cavallo vapore, cavalli, cavalli vapore, cavalo-vapor, cavalos-vapor, cavalos, paardenkracht
BTU/h | 1055.05585262/3600 | BTU/h BTU/hr | btu per hour, btus per hour
kcal/h | 4184/3600 | kcal/h |
TR | 12660670.23144/3600 | TR | ton of refrigeration, tons of refrigeration
ft·lbf/s | 1.3558179483314004 | | foot-pounds per second, foot pounds per second
`,
  torque: `
N·m | 1 | Nm N·m N*m | newton metre, newton metres, newton meter, newton meters, newtonmeter, newton-metre, newton-meter
kN·m | 1000 | kNm |
N·cm | 0.01 | Ncm |
lbf·ft | 1.3558179483314004 | lbft lb-ft lbf·ft ft-lb ftlb ft-lbs | lb ft, ft lb, ft lbs, foot pound, foot pounds, foot-pounds, pound foot, pound feet
lbf·in | 0.1129848290276167 | lbin lb-in in-lb in-lbs | lb in, in lb, in lbs, inch pound, inch pounds
ozf·in | 0.00706155181422604 | oz-in | oz in, ounce inch, ounce inches
kgf·m | 9.80665 | kgfm kgm | kgf m, kilogram metre
kgf·cm | 0.0980665 | kgfcm | kgf cm
`,
  angle: `
° | 1 | ° deg | degree, degrees, degre, degres, grad, grados, grado, gradi, grau, graus, graad, graden
rad | 57.29577951308232087679815481410517033240547 | rad | radian, radians, radiant, radianten, radian, radianes, radiante, radianti, radianos, radialen
mrad | 0.05729577951308232087679815481410517033240547 | mrad | milliradian, milliradians
gon | 0.9 | gon grd | gradian, gradians, gons, grade, neugrad
′ | 1/60 | arcmin | arcminute, arcminutes, minute of arc, minutes of arc, bogenminute, bogenminuten
″ | 1/3600 | arcsec | arcsecond, arcseconds, second of arc, seconds of arc, bogensekunde, bogensekunden
turn | 360 | rev | turn, turns, revolution, revolutions, tour, tours, umdrehung, umdrehungen
NATO mil | 0.05625 | | nato mil, nato mils, angular mil, angular mils
`,
  frequency: `
Hz | 1 | Hz | hertz, hercio, hercios | prefixes k M G T m
rpm | 1/60 | rpm | revolutions per minute, tours par minute, umdrehungen pro minute, revoluciones por minuto, giri al minuto, rotacoes por minuto, toeren per minuut
bpm | 1/60 | bpm | beats per minute
`,
  voltage: 'V | 1 | V | volt, volts, voltios, voltio | prefixes k m µ M n',
  current: 'A | 1 | A amp amps | ampere, amperes, amperio, amperios | prefixes m µ k n',
  resistance: 'Ω | 1 | Ω ohm | ohms, ohmios, ohmio | prefixes k M m G',
  capacitance: 'F | 1 | F | farad, farads, faradios, faradio | prefixes µ n p m',
  inductance: 'H | 1 | H | henry, henries, henrys | prefixes m µ n',
  charge: `
C | 1 | C | coulomb, coulombs, culombios | prefixes m µ n
Ah | 3600 | Ah | ampere hour, ampere hours, amp hour, amp hours, amperestunde, amperestunden, amperios hora, amperora, ampere-heure | prefixes m
`,
  magnetic_flux_density: `
T | 1 | T | tesla, teslas | prefixes m µ n
Gs | 0.0001 | G Gs | gauss | prefixes k m
`,
  radioactivity: `
Bq | 1 | Bq | becquerel, becquerels | prefixes k M G T
Ci | 37000000000 | Ci | curie, curies | prefixes m µ n
`,
  absorbed_dose: `
Gy | 1 | Gy | gray, grays | prefixes m µ
rad | 0.01 | rad | rads
`,
  equivalent_dose: `
Sv | 1 | Sv | sievert, sieverts | prefixes m µ n
rem | 0.01 | rem | rems | prefixes m
`,
  illuminance: `
lx | 1 | lx | lux
fc | 1/0.09290304 | fc | foot candle, foot candles, foot-candle, foot-candles, footcandle, footcandles
ph | 10000 | ph | phot
`,
  luminance: `
cd/m² | 1 | cd/m2 cd/m^2 nt | nit, nits, candela per square metre, candelas per square metre, candela per square meter
fL | 3.4262590996353905 | fL | foot lambert, foot lamberts, foot-lambert
`,
  density: `
kg/m³ | 1 | kg/m3 kg/m^3 g/l g/L | kilograms per cubic metre, kilograms per cubic meter, grams per litre, grams per liter
g/cm³ | 1000 | g/cm3 g/cm^3 g/ml g/mL g/cc kg/l kg/L | grams per cubic centimetre, grams per cubic centimeter
mg/L | 0.001 | mg/l mg/L | milligrams per litre, milligrams per liter
lb/ft³ | 0.45359237/0.028316846592 | lb/ft3 lb/ft^3 | pounds per cubic foot
lb/in³ | 0.45359237/0.000016387064 | lb/in3 lb/in^3 | pounds per cubic inch
lb/gal (US) | 0.45359237/0.003785411784 | lb/gal | pounds per gallon
`,
  flow: `
m³/s | 1 | m3/s m^3/s | cubic metres per second, cubic meters per second
m³/h | 1/3600 | m3/h m^3/h | cubic metres per hour, cubic meters per hour
L/s | 0.001 | l/s L/s | litres per second, liters per second
L/min | 0.001/60 | l/min L/min lpm | litres per minute, liters per minute
L/h | 0.001/3600 | l/h L/h | litres per hour, liters per hour
gal/min (US) | 0.003785411784/60 | gpm | gallons per minute | us
gal/min (imp.) | 0.00454609/60 | gpm | gallons per minute | imperial
ft³/min | 0.028316846592/60 | cfm ft3/min | cubic feet per minute
ft³/s | 0.028316846592 | cfs ft3/s | cubic feet per second
`,
  viscosity: `
Pa·s | 1 | Pas Pa·s | pascal second, pascal seconds
mPa·s | 0.001 | mPas mPa·s |
P | 0.1 | P | poise
cP | 0.001 | cP | centipoise
`,
}
