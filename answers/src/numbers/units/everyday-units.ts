// Mass, time, temperature, speed, data and fuel. `geometry-units.ts` explains the row format.
// Months and years have the mean length of the Gregorian calendar, in which 400 years have 146,097 days. A Pfund and a
// pond are 500 grams, as is a livre except in English and in Canada, and an ons is 100 grams; their symbols say so.
const MASS = `
g | 0.001 | g gr | gram, grams, gramme, grammes, gramm, gramo, gramos, grammo, grammi, grama, gramas | prefixes k m µ c d h n
kg | 1 | | kilo, kilos, chilo, chili, quilo, quilos
t | 1000 | t | tonne, tonnes, metric ton, metric tons, tonnen, tonelada, toneladas, tonnellata, tonnellate | prefixes k M G
t | 1000 | | ton | metric
ton (US) | 907.18474 | ton tn | ton, tons, short ton, short tons, us ton, us tons | us
ton (UK) | 1016.0469088 | ton | ton, tons, long ton, long tons, imperial ton, uk ton | imperial
lb | 0.45359237 | lb lbs | pound, pounds, livre, livres, libra, libras, libbra, libbre
livre (500 g) | 0.5 | | livre, livres | metric
Pfund (500 g) | 0.5 | | pfund
pond (500 g) | 0.5 | | pond, ponden
ons (100 g) | 0.1 | | ons, onsen
etto (100 g) | 0.1 | | etto, etti
oz | 0.028349523125 | oz | ounce, ounces, once, onces, unze, unzen, onza, onzas, oncia, once, onca, oncas
st | 6.35029318 | st | stone, stones
gr | 0.00006479891 | gr | grain, grains
dr | 0.0017718451953125 | dr | dram, drams
oz t | 0.0311034768 | ozt | troy ounce, troy ounces, ounce troy, oz t, once troy, feinunze, feinunzen, onza troy, onzas troy, oncia troy, once troy
lb t | 0.3732417216 | | troy pound, troy pounds
dwt | 0.00155517384 | dwt | pennyweight, pennyweights
ct | 0.0002 | ct | carat, carats, karat, quilate, quilates, carato, carati, karaat
q | 100 | dt | quintal, quintals, quintaux, doppelzentner, quintales, quintale, quintali
Ztr | 50 | Ztr | zentner
cwt (US) | 45.359237 | cwt | hundredweight, hundredweights | us
cwt (UK) | 50.80234544 | cwt | hundredweight, hundredweights | imperial
slug | 4.4482216152605/0.3048 | | slug, slugs
Da | 0.00000000000000000000000000166053906892 | Da u | dalton, daltons, atomic mass unit, atomic mass units
`

const TIME = `
s | 1 | s sec secs | second, seconds, seconde, secondes, sekunde, sekunden, segundo, segundos, secondo, secondi, seconden | prefixes m µ n p f
min | 60 | min mins m | minute, minutes, minuten, minuto, minutos, minuti, minuut
h | 3600 | h hr hrs std | hour, hours, heure, heures, stunde, stunden, hora, horas, ora, ore, uur, uren
d | 86400 | d j | day, days, jour, jours, tag, tage, tagen, dia, dias, giorno, giorni, dag, dagen
wk | 604800 | wk wks | week, weeks, semaine, semaines, woche, wochen, semana, semanas, settimana, settimane, weken
fortnight | 1209600 | | fortnight, fortnights, quinzaine
mo | 2629746 | mo mos | month, months, mois, monat, monate, monaten, mes, meses, mese, mesi, maand, maanden
yr | 31556952 | yr yrs y a | year, years, an, ans, annee, annees, jahr, jahre, jahren, ano, anos, anno, anni, jaar, jaren
decade | 315569520 | | decade, decades, decennie, decennies, jahrzehnt, jahrzehnte, decada, decadas, decennio, decenni, decennium
century | 3155695200 | | century, centuries, siecle, siecles, jahrhundert, jahrhunderte, siglo, siglos, secolo, secoli, seculo, seculos, eeuw, eeuwen
millennium | 31556952000 | | millennium, millennia, millenaire, jahrtausend, jahrtausende, milenio, milenios, millennio, millenni
`

const TEMPERATURE = `
°C | 1 | C °C | c, celsius, ° celsius, °celsius, ° c, degrees celsius, degree celsius, degrees c, deg c, degc, centigrade, degres celsius, degre celsius, degres, grad celsius, grad, grados celsius, grados, gradi celsius, gradi, graus celsius, graus, graden celsius, graden | offset 273.15
°F | 5/9 | F °F | f, fahrenheit, ° fahrenheit, °fahrenheit, ° f, degrees fahrenheit, degree fahrenheit, degrees f, deg f, degf, degres fahrenheit, degre fahrenheit, grad fahrenheit, grados fahrenheit, gradi fahrenheit, graus fahrenheit, graden fahrenheit | offset 459.67
K | 1 | K °K | k, kelvin, kelvins, degrees kelvin | offset 0
°R | 5/9 | °R | rankine, degrees rankine | offset 0
°Ré | 5/4 | °Ré °Re | reaumur, degrees reaumur | offset 218.52
`

const SPEED = `
m/s | 1 | m/s mps | metre per second, metres per second, meter per second, meters per second, metre par seconde, metres par seconde, meter pro sekunde, metros por segundo, metri al secondo, meter per seconde
km/h | 1000/3600 | km/h kmh kph kmph kmu | kilometre per hour, kilometres per hour, kilometer per hour, kilometers per hour, kilometre par heure, kilometres par heure, kilometre heure, stundenkilometer, kilometer pro stunde, kilometros por hora, chilometri orari, chilometri all'ora, quilometros por hora, kilometer per uur
mph | 0.44704 | mph mi/h | mile per hour, miles per hour, milles par heure, meilen pro stunde, millas por hora, miglia orarie, miglia all'ora, milhas por hora, mijl per uur
kn | 1852/3600 | kn kt kts | knot, knots, noeud, noeuds, knoten, nudo, nudos, nodo, nodi, no, nos, knoop, knopen
ft/s | 0.3048 | ft/s fps | foot per second, feet per second
ft/min | 0.3048/60 | ft/min fpm | feet per minute
in/s | 0.0254 | in/s ips | inches per second
km/s | 1000 | km/s | kilometres per second, kilometers per second
mi/s | 1609.344 | mi/s | miles per second
m/min | 1/60 | m/min | metres per minute, meters per minute
cm/s | 0.01 | cm/s | centimetres per second, centimeters per second
mm/s | 0.001 | mm/s | millimetres per second, millimeters per second
Mach (at sea level) | 340.294 | Ma | mach
c | 299792458 | c | speed of light, lichtgeschwindigkeit, vitesse de la lumiere
min/km | 1000/60 | min/km | minutes per kilometre, minutes per kilometer | reciprocal
min/mi | 1609.344/60 | min/mi | minutes per mile | reciprocal
`

const FUEL_ECONOMY = `
mpg (US) | 1.609344/3.785411784 | mpg | miles per gallon, miles per us gallon, us mpg, mpg us, meilen pro gallone, milles par gallon, millas por galon, miglia per gallone, milhas por galao, mijl per gallon | us
mpg (imp.) | 1.609344/4.54609 | mpg | miles per gallon, miles per imperial gallon, uk mpg, mpg uk, imperial mpg | imperial
km/L | 1 | km/l kml | kilometres per litre, kilometers per liter, kilometres par litre, kilometer pro liter, kilometros por litro, chilometri con un litro, chilometri al litro, quilometros por litro, kilometer per liter
L/100 km | 100 | l/100km l/100 | l/100 km, litres per 100 km, liters per 100 km, litre per 100 km, liter per 100 km, litres aux 100 km, litres aux 100, liter auf 100 km, litros por 100 km, litros a los 100, litri per 100 km, litros aos 100, liter op 100 km | reciprocal
mi/L | 1.609344 | mi/l | miles per litre, miles per liter
`

const DATA = `
B | 1 | B o | byte, bytes, octet, octets | prefixes k M G T P E Z Y
KiB | 1024 | KiB Kio | kibibyte, kibibytes
MiB | 1048576 | MiB Mio | mebibyte, mebibytes
GiB | 1073741824 | GiB Gio | gibibyte, gibibytes
TiB | 1099511627776 | TiB Tio | tebibyte, tebibytes
PiB | 1125899906842624 | PiB Pio | pebibyte, pebibytes
EiB | 1152921504606846976 | EiB Eio | exbibyte, exbibytes
bit | 1/8 | bit b | bits | prefixes k M G T P
Kibit | 128 | Kibit Kib | kibibit, kibibits
Mibit | 131072 | Mibit Mib | mebibit, mebibits
Gibit | 134217728 | Gibit Gib | gibibit, gibibits
nibble | 0.5 | | nibble, nibbles
`

const DATA_RATE = `
bit/s | 1 | bit/s bps b/s | bits per second
kbit/s | 1000 | kbit/s kbps kb/s Kbps | kilobits per second
Mbit/s | 1000000 | Mbit/s Mbps Mb/s | megabits per second, megabit pro sekunde, megabits par seconde, megabits por segundo
Gbit/s | 1000000000 | Gbit/s Gbps Gb/s | gigabits per second
Tbit/s | 1000000000000 | Tbit/s Tbps Tb/s | terabits per second
B/s | 8 | B/s o/s | bytes per second
kB/s | 8000 | kB/s KB/s ko/s kBps KBps | kilobytes per second
MB/s | 8000000 | MB/s Mo/s MBps | megabytes per second, megabyte pro sekunde, megaoctets par seconde, megabytes por segundo
GB/s | 8000000000 | GB/s Go/s GBps | gigabytes per second
TB/s | 8000000000000 | TB/s To/s | terabytes per second
KiB/s | 8192 | KiB/s | kibibytes per second
MiB/s | 8388608 | MiB/s | mebibytes per second
GiB/s | 8589934592 | GiB/s | gibibytes per second
`

export const EVERYDAY = {
  mass: MASS,
  time: TIME,
  temperature: TEMPERATURE,
  speed: SPEED,
  fuel_economy: FUEL_ECONOMY,
  data: DATA,
  data_rate: DATA_RATE,
}
