// The places of the simulated geocoder: real large cities, with some of their names in other languages, and a few
// invented towns that no other source can know.

export interface Town {
  id: number
  name: string
  latitude: number
  longitude: number
  country: string
  countryCode: string
  region: string
  zone: string
  /** 0: unknown. */
  population: number
  /** GeoNames: PPLC is a capital, PPL a populated place, PCLI a country. */
  feature: string
  /** Its names by language, where they differ. */
  names: Readonly<Record<string, string>>
}

/** name | latitude | longitude | country | code | region | zone | population | feature | other names */
const LINES = `
Paris|48.85341|2.3488|France|FR|Île-de-France|Europe/Paris|2138551|PPLC|it:Parigi,de:Paris,nl:Parijs
Paris|33.66094|-95.55551|United States|US|Texas|America/Chicago|24782|PPLA2|
Lyon|45.74846|4.84671|France|FR|Auvergne-Rhône-Alpes|Europe/Paris|522250|PPLA|it:Lione
London|51.50853|-0.12574|United Kingdom|GB|England|Europe/London|8961989|PPLC|fr:Londres,es:Londres,pt:Londres,it:Londra,nl:Londen
London|42.98339|-81.23304|Canada|CA|Ontario|America/Toronto|422324|PPL|
Berlin|52.52437|13.41053|Germany|DE|Berlin|Europe/Berlin|3426354|PPLC|it:Berlino,es:Berlín,pt:Berlim,nl:Berlijn
Munich|48.13743|11.57549|Germany|DE|Bavaria|Europe/Berlin|1260391|PPLA|de:München,it:Monaco di Baviera,es:Múnich,pt:Munique,nl:München
Hamburg|53.57532|10.01534|Germany|DE|Hamburg|Europe/Berlin|1845229|PPLA|fr:Hambourg,es:Hamburgo,it:Amburgo
Vienna|48.20849|16.37208|Austria|AT|Vienna|Europe/Vienna|1691468|PPLC|de:Wien,fr:Vienne,es:Viena,pt:Viena,nl:Wenen
Zürich|47.36667|8.55|Switzerland|CH|Zurich|Europe/Zurich|341730|PPLA|it:Zurigo,fr:Zurich
Madrid|40.4165|-3.70256|Spain|ES|Madrid|Europe/Madrid|3255944|PPLC|
Barcelona|41.38879|2.15899|Spain|ES|Catalonia|Europe/Madrid|1620343|PPLA|fr:Barcelone,it:Barcellona
Rome|41.89193|12.51133|Italy|IT|Lazio|Europe/Rome|2318895|PPLC|it:Roma,es:Roma,pt:Roma,de:Rom
Milan|45.46427|9.18951|Italy|IT|Lombardy|Europe/Rome|1371498|PPLA|it:Milano,de:Mailand,es:Milán,pt:Milão,nl:Milaan
Lisbon|38.71667|-9.13333|Portugal|PT|Lisbon|Europe/Lisbon|517802|PPLC|pt:Lisboa,es:Lisboa,fr:Lisbonne,de:Lissabon,it:Lisbona,nl:Lissabon
Porto|41.14961|-8.61099|Portugal|PT|Porto|Europe/Lisbon|249633|PPLA|es:Oporto
Amsterdam|52.37403|4.88969|Netherlands|NL|North Holland|Europe/Amsterdam|741636|PPLC|
Utrecht|52.09083|5.12222|Netherlands|NL|Utrecht|Europe/Amsterdam|290529|PPLA|
Brussels|50.85045|4.34878|Belgium|BE|Brussels|Europe/Brussels|1019022|PPLC|fr:Bruxelles,nl:Brussel,de:Brüssel,it:Bruxelles
Tromsø|69.6489|18.95508|Norway|NO|Troms|Europe/Oslo|38980|PPLA|
Reykjavik|64.13548|-21.89541|Iceland|IS|Capital Region|Atlantic/Reykjavik|118918|PPLC|
New York|40.71427|-74.00597|United States|US|New York|America/New_York|8804190|PPL|es:Nueva York,pt:Nova Iorque
Los Angeles|34.05223|-118.24368|United States|US|California|America/Los_Angeles|3820914|PPLA2|es:Los Ángeles
San Francisco|37.77493|-122.41942|United States|US|California|America/Los_Angeles|864816|PPLA2|
San Diego|32.71571|-117.16472|United States|US|California|America/Los_Angeles|1394928|PPLA2|
San Antonio|29.42412|-98.49363|United States|US|Texas|America/Chicago|1469845|PPLA2|
San José|9.93333|-84.08333|Costa Rica|CR|San José|America/Costa_Rica|335007|PPLC|
San Salvador|13.68935|-89.18718|El Salvador|SV|San Salvador|America/El_Salvador|525990|PPLC|
San Juan|18.46633|-66.10572|Puerto Rico|PR|San Juan|America/Puerto_Rico|418140|PPLC|
São Paulo|-23.5475|-46.63611|Brazil|BR|São Paulo|America/Sao_Paulo|10021295|PPLA|
Mexico City|19.42847|-99.12766|Mexico|MX|Mexico City|America/Mexico_City|12294193|PPLC|es:Ciudad de México
Quito|0|-78.5|Ecuador|EC|Pichincha|America/Guayaquil|1399814|PPLC|
Tokyo|35.6895|139.69171|Japan|JP|Tokyo|Asia/Tokyo|8336599|PPLC|de:Tokio,es:Tokio,nl:Tokio,pt:Tóquio
Mumbai|19.07283|72.88261|India|IN|Maharashtra|Asia/Kolkata|12691836|PPLA|
Singapore|1.28967|103.85007|Singapore|SG||Asia/Singapore|3547809|PPLC|
Sydney|-33.86785|151.20732|Australia|AU|New South Wales|Australia/Sydney|4627345|PPLA|
Cairo|30.06263|31.24967|Egypt|EG|Cairo|Africa/Cairo|7734614|PPLC|fr:Le Caire,de:Kairo,es:El Cairo
Nairobi|-1.28333|36.81667|Kenya|KE|Nairobi|Africa/Nairobi|2750547|PPLC|
Bowerstead|52.4|1.4|United Kingdom|GB|England|Europe/London|4211|PPL|
Lützenbrück|47.7|10.9|Germany|DE|Bavaria|Europe/Berlin|9330|PPL|
Saint-Perdreau|46.3|3.1|France|FR|Auvergne-Rhône-Alpes|Europe/Paris|2870|PPL|
Null Harbour|0|0|||| |0|HBR|
`

const namesIn = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(',').flatMap((pair) => (pair === '' ? [] : [pair.split(':')])))

const townOf = (line: string, index: number): Town => {
  const [
    name = '',
    latitude,
    longitude,
    country = '',
    code = '',
    region = '',
    zone = '',
    population,
    feature = '',
    names = '',
  ] = line.split('|')
  return {
    id: 2_000_001 + index,
    name,
    latitude: Number(latitude),
    longitude: Number(longitude),
    country,
    countryCode: code,
    region,
    zone: zone.trim(),
    population: Number(population),
    feature,
    names: namesIn(names),
  }
}

export const TOWNS: readonly Town[] = LINES.trim().split('\n').map(townOf)
