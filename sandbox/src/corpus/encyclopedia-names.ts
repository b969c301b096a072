// Names of the items and properties that entries of the encyclopedia refer to: English, French, German. A name that is
// missing in a language falls back to English, as on Wikidata.

const LINES = `
P17 country, pays, Staat
P19 place of birth, lieu de naissance, Geburtsort
P26 spouse, conjoint, Ehepartner
P27 country of citizenship, pays de nationalité, Staatsangehörigkeit
P31 instance of, nature de l'élément, ist ein(e)
P36 capital, capitale, Hauptstadt
P37 official language, langue officielle, Amtssprache
P38 currency, monnaie, Währung
P50 author, auteur, Autor
P57 director, réalisateur, Regisseur
P78 top-level Internet domain, domaine internet de premier niveau, Top-Level-Domain
P84 architect, architecte, Architekt
P105 taxon rank, rang taxonomique, taxonomischer Rang
P106 occupation, occupation, Tätigkeit
P131 located in, localisation administrative, liegt in
P136 genre, genre, Genre
P161 cast member, distribution, Darsteller
P166 award received, distinction reçue, Auszeichnung
P178 developer, développeur, Entwickler
P225 taxon name, nom scientifique, wissenschaftlicher Name
P246 element symbol, symbole chimique, Elementsymbol
P275 copyright license, licence, Lizenz
P345 IMDb ID, identifiant IMDb, IMDb-ID
P348 software version, version logicielle, Softwareversion
P407 language of work, langue de l'œuvre, Sprache
P421 time zone, fuseau horaire, Zeitzone
P474 country calling code, indicatif téléphonique, Ländervorwahl
P495 country of origin, pays d'origine, Herkunftsland
P569 date of birth, date de naissance, Geburtsdatum
P570 date of death, date de mort, Sterbedatum
P571 inception, date de fondation, Gründungsdatum
P577 publication date, date de publication, Veröffentlichungsdatum
P856 official website, site officiel, offizielle Website
P1082 population, population, Einwohnerzahl
P1086 atomic number, numéro atomique, Ordnungszahl
P1619 date of official opening, date d'ouverture, Datum der Eröffnung
P2043 length, longueur, Länge
P2044 elevation above sea level, altitude, Höhe über dem Meeresspiegel
P2046 area, superficie, Fläche
P2047 duration, durée, Dauer
P2048 height, hauteur, Höhe
P2067 mass, masse, Masse
Q5 human, être humain, Mensch
Q30 United States, États-Unis, Vereinigte Staaten
Q79 Egypt, Égypte, Ägypten
Q84 London, Londres, London
Q142 France, France, Frankreich
Q145 United Kingdom, Royaume-Uni, Vereinigtes Königreich
Q150 French, français, Französisch
Q892 J. R. R. Tolkien
Q1860 English, anglais, Englisch
Q4916 euro, euro, Euro
Q6655 UTC+01:00
Q7727 minute, minute, Minute
Q11573 metre, mètre, Meter
Q16402 Guido van Rossum
Q25191 Christopher Nolan
Q35409 family, famille, Familie
Q38104 Nobel Prize in Physics, prix Nobel de physique, Nobelpreis für Physik
Q38111 Leonardo DiCaprio
Q169470 physicist, physicien, Physiker
Q170790 mathematician, mathématicien, Mathematiker
Q173399 Elliot Page
Q174193 United Kingdom of Great Britain and Ireland
Q177311 Joseph Gordon-Levitt
Q471839 science fiction film, film de science-fiction, Science-Fiction-Film
Q483261 dalton
Q712226 square kilometre, kilomètre carré, Quadratkilometer
Q778243 Stephen Sauvestre
Q828224 kilometre, kilomètre, Kilometer
Q1234567 William King
Q2600299 Python license
Q5482740 programmer, programmeur, Programmierer
`

const LANGUAGES = ['en', 'fr', 'de']

/** Keyed by id, then by language. */
export const ENCYCLOPEDIA_NAMES: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  LINES.split('\n')
    .filter(Boolean)
    .map((line) => {
      const [id = '', ...words] = line.split(' ')
      const names = words.join(' ').split(', ')
      return [id, Object.fromEntries(names.map((name, at) => [LANGUAGES[at] ?? 'en', name]))]
    }),
)
