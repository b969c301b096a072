// Names for the weather: the WMO codes in seven languages, and the words around the figures. Unknown codes have no
// name.
import type { Language } from '../question.ts'

/** Codes that share a name: light and dense freezing drizzle, for example, aren't worth telling apart. */
const GROUPS: Readonly<Record<number, string>> = {
  0: 'clear',
  1: 'mainlyClear',
  2: 'partlyCloudy',
  3: 'overcast',
  45: 'fog',
  48: 'rimeFog',
  51: 'lightDrizzle',
  53: 'drizzle',
  55: 'denseDrizzle',
  56: 'freezingDrizzle',
  57: 'freezingDrizzle',
  61: 'lightRain',
  63: 'rain',
  65: 'heavyRain',
  66: 'freezingRain',
  67: 'freezingRain',
  71: 'lightSnow',
  73: 'snow',
  75: 'heavySnow',
  77: 'snowGrains',
  80: 'lightShowers',
  81: 'showers',
  82: 'heavyShowers',
  85: 'snowShowers',
  86: 'snowShowers',
  95: 'thunderstorm',
  96: 'hail',
  99: 'hail',
}

const NAMES =
  'clear mainlyClear partlyCloudy overcast fog rimeFog lightDrizzle drizzle denseDrizzle freezingDrizzle lightRain rain heavyRain freezingRain lightSnow snow heavySnow snowGrains lightShowers showers heavyShowers snowShowers thunderstorm hail'.split(
    ' ',
  )

/** In the order of NAMES. */
const WORDS: Readonly<Record<Language, string>> = {
  en: 'clear sky,mainly clear,partly cloudy,overcast,fog,rime fog,light drizzle,drizzle,dense drizzle,freezing drizzle,light rain,rain,heavy rain,freezing rain,light snow,snow,heavy snow,snow grains,light showers,showers,heavy showers,snow showers,thunderstorm,thunderstorm with hail',
  fr: 'ciel dégagé,plutôt dégagé,partiellement nuageux,couvert,brouillard,brouillard givrant,bruine légère,bruine,bruine dense,bruine verglaçante,pluie légère,pluie,forte pluie,pluie verglaçante,neige légère,neige,forte neige,neige en grains,averses légères,averses,fortes averses,averses de neige,orage,orage avec grêle',
  de: 'klarer Himmel,überwiegend klar,teils bewölkt,bedeckt,Nebel,gefrierender Nebel,leichter Nieselregen,Nieselregen,dichter Nieselregen,gefrierender Nieselregen,leichter Regen,Regen,starker Regen,gefrierender Regen,leichter Schneefall,Schneefall,starker Schneefall,Schneegriesel,leichte Schauer,Schauer,starke Schauer,Schneeschauer,Gewitter,Gewitter mit Hagel',
  es: 'cielo despejado,mayormente despejado,parcialmente nublado,cubierto,niebla,niebla helada,llovizna ligera,llovizna,llovizna densa,llovizna helada,lluvia ligera,lluvia,lluvia fuerte,lluvia helada,nieve ligera,nieve,nieve fuerte,granos de nieve,chubascos ligeros,chubascos,chubascos fuertes,chubascos de nieve,tormenta,tormenta con granizo',
  it: 'cielo sereno,prevalentemente sereno,parzialmente nuvoloso,coperto,nebbia,nebbia ghiacciata,pioviggine leggera,pioviggine,pioviggine fitta,pioviggine gelata,pioggia leggera,pioggia,pioggia forte,pioggia gelata,neve leggera,neve,neve forte,nevischio,rovesci leggeri,rovesci,rovesci forti,rovesci di neve,temporale,temporale con grandine',
  pt: 'céu limpo,céu pouco nublado,parcialmente nublado,encoberto,nevoeiro,nevoeiro gelado,chuvisco leve,chuvisco,chuvisco denso,chuvisco gelado,chuva leve,chuva,chuva forte,chuva gelada,neve leve,neve,neve forte,grãos de neve,aguaceiros leves,aguaceiros,aguaceiros fortes,aguaceiros de neve,trovoada,trovoada com granizo',
  nl: 'heldere hemel,overwegend helder,half bewolkt,bewolkt,mist,aanvriezende mist,lichte motregen,motregen,dichte motregen,ijzelende motregen,lichte regen,regen,zware regen,ijzel,lichte sneeuw,sneeuw,zware sneeuw,motsneeuw,lichte buien,buien,zware buien,sneeuwbuien,onweer,onweer met hagel',
}

/** '' for an unknown code. */
export function weatherWords(code: number | null, language: Language): string {
  const name = code === null ? undefined : GROUPS[code]
  return name === undefined ? '' : (WORDS[language].split(',')[NAMES.indexOf(name)] ?? '')
}

export interface WeatherLabels {
  feelsLike: string
  humidity: string
  wind: string
  today: string
  /** Before a probability. */
  precipitation: string
}

export const WEATHER_LABELS: Readonly<Record<Language, WeatherLabels>> = {
  en: { feelsLike: 'feels like', humidity: 'humidity', wind: 'wind', today: 'today', precipitation: 'precipitation' },
  fr: {
    feelsLike: 'ressenti',
    humidity: 'humidité',
    wind: 'vent',
    today: 'aujourd’hui',
    precipitation: 'précipitations',
  },
  de: { feelsLike: 'gefühlt', humidity: 'Luftfeuchte', wind: 'Wind', today: 'heute', precipitation: 'Niederschlag' },
  es: {
    feelsLike: 'sensación de',
    humidity: 'humedad',
    wind: 'viento',
    today: 'hoy',
    precipitation: 'precipitaciones',
  },
  it: { feelsLike: 'percepita', humidity: 'umidità', wind: 'vento', today: 'oggi', precipitation: 'precipitazioni' },
  pt: { feelsLike: 'sensação de', humidity: 'humidade', wind: 'vento', today: 'hoje', precipitation: 'precipitação' },
  nl: {
    feelsLike: 'voelt als',
    humidity: 'luchtvochtigheid',
    wind: 'wind',
    today: 'vandaag',
    precipitation: 'neerslag',
  },
}
