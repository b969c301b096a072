import type { AnswerTable } from './answer-table.test-body.ts'

export const table: AnswerTable = {
  answers: [
    {
      q: 'public holidays germany 2026',
      text: "Public holidays, Germany 2026: 1 Jan New Year's Day, 3 Apr Good Friday, 6 Apr Easter Monday, 1 May Labour Day, 14 May Ascension Day, 25 May Whit Monday, 3 Oct National Holiday, 25 Dec Christmas Day, 26 Dec Boxing Day",
    },
    {
      q: 'public holidays in france',
      text: "Public holidays, France 2026: 1 Jan New Year's Day, 6 Apr Easter Monday, 1 May Labour Day, 8 May Victory Day, 14 May Ascension Day, 25 May Whit Monday, 14 Jul Bastille Day, 15 Aug Assumption, 1 Nov All Saints' Day, 11 Nov Armistice Day, 25 Dec Christmas Day",
    },
    {
      q: 'germany public holidays 2027',
      text: "Public holidays, Germany 2027: 1 Jan New Year's Day, 26 Mar Good Friday, 29 Mar Easter Monday, 1 May Labour Day, 6 May Ascension Day, 17 May Whit Monday, 3 Oct National Holiday, 25 Dec Christmas Day, 26 Dec Boxing Day",
    },
    {
      q: '2026 public holidays japan',
      text: "Public holidays, Japan 2026: 1 Jan New Year's Day, 12 Jan Coming of Age Day, 11 Feb Foundation Day, 23 Feb Emperor's Birthday, 20 Mar Spring Equinox Day, 29 Apr Showa Day, 3 May Constitution Day, 4 May Greenery Day, 5 May Children's Day, 6 May Constitution Day (substitute day), 20 Jul Marine Day, 11 Aug Mountain Day, 21 Sept Respect-for-the-Aged Day, 22 Sept Citizens' Holiday, 23 Sept Autumnal Equinox Day, 12 Oct Sports Day, 3 Nov Culture Day, 23 Nov Labor Thanksgiving Day",
    },
    {
      q: 'holidays in portugal 2026',
      text: "Public holidays, Portugal 2026: 1 Jan New Year's Day, 3 Apr Good Friday, 5 Apr Easter Sunday, 25 Apr Liberty Day, 1 May Labour Day, 4 Jun Corpus Christi, 10 Jun Portugal Day, 15 Aug Assumption, 5 Oct Implantação da República, 1 Nov All Saints' Day, 1 Dec Restauração da Independência, 8 Dec Immaculate Conception, 25 Dec Christmas Day",
    },
    {
      q: 'next holiday in france',
      text: 'Next public holiday, France: Christmas Day, Friday, 25 December 2026 (40 days)',
    },
    {
      q: 'next bank holiday uk',
      text: 'Next public holiday, United Kingdom: Christmas Day, Friday, 25 December 2026 (40 days)',
    },
    {
      q: 'when is the next bank holiday',
      lang: 'en-GB',
      text: 'Next public holiday, United Kingdom: Christmas Day, Friday, 25 December 2026 (40 days)',
    },
    {
      q: 'federal holidays usa 2026',
      text: "Public holidays, United States 2026: 1 Jan New Year's Day, 19 Jan Martin Luther King Jr. Day, 16 Feb Washington's Birthday, 25 May Memorial Day, 19 Jun Juneteenth, 3 Jul Independence Day (substitute day), 4 Jul Independence Day, 7 Sept Labour Day, 12 Oct Columbus Day, 11 Nov Veterans Day, 26 Nov Thanksgiving Day, 25 Dec Christmas Day",
    },
    {
      q: 'jours fériés france 2026',
      lang: 'fr',
      text: 'Jours fériés, France 2026 : 1er janv. Nouvel An, 6 avr. Lundi de Pâques, 1er mai Fête du travail, 8 mai Fête de la Victoire 1945, 14 mai Ascension, 25 mai Lundi de Pentecôte, 14 juil. Fête Nationale de la France, 15 août Assomption, 1er nov. Toussaint, 11 nov. Armistice 1918, 25 déc. Noël',
    },
    {
      q: 'jours fériés 2026',
      lang: 'fr-BE',
      text: 'Jours fériés, Belgique 2026 : 1er janv. Nouvel An, 6 avr. Lundi de Pâques, 1er mai Fête du travail, 14 mai Ascension, 25 mai Lundi de Pentecôte, 21 juil. Fête nationale, 15 août Assomption, 1er nov. Toussaint, 11 nov. Armistice, 25 déc. Noël',
    },
    {
      q: 'prochain jour férié en belgique',
      lang: 'fr',
      text: 'Prochain jour férié, Belgique : Noël, vendredi 25 décembre 2026 (40 jours)',
    },
    {
      q: 'feiertage österreich 2027',
      lang: 'de',
      text: 'Gesetzliche Feiertage, Österreich 2027: 1. Jan. Neujahr, 6. Jan. Heilige Drei Könige, 29. März Ostermontag, 1. Mai Staatsfeiertag, 6. Mai Christi Himmelfahrt, 17. Mai Pfingstmontag, 27. Mai Fronleichnam, 15. Aug. Mariä Himmelfahrt, 26. Okt. Nationalfeiertag, 1. Nov. Allerheiligen, 8. Dez. Mariä Empfängnis, 25. Dez. Christtag, 26. Dez. Stefanitag',
    },
    {
      q: 'nächster feiertag in deutschland',
      text: 'Nächster Feiertag, Deutschland: 1. Weihnachtstag, Freitag, 25. Dezember 2026 (40 Tage)',
    },
    {
      q: 'feiertage 2026',
      lang: 'de-DE',
      text: 'Gesetzliche Feiertage, Deutschland 2026: 1. Jan. Neujahr, 3. Apr. Karfreitag, 6. Apr. Ostermontag, 1. Mai Maifeiertag, 14. Mai Christi Himmelfahrt, 25. Mai Pfingstmontag, 3. Okt. Tag der Deutschen Einheit, 25. Dez. 1. Weihnachtstag, 26. Dez. 2. Weihnachtstag',
    },
    {
      q: 'festivos españa 2026',
      lang: 'es',
      text: 'Días festivos, España 2026: 1 ene Año Nuevo, 6 ene Día de los Reyes Magos, 3 abr Viernes Santo, 1 may Día del Trabajador, 15 ago Asunción, 12 oct Fiesta Nacional de España, 1 nov Todos los Santos, 6 dic Día de la Constitución Española, 8 dic La inmaculada concepción, 25 dic Navidad',
    },
    {
      q: 'próximo feriado en argentina',
      lang: 'es',
      text: 'Próximo día festivo, Argentina: Día de la Soberanía Nacional, lunes, 23 de noviembre de 2026 (8 días)',
    },
    {
      q: 'giorni festivi italia 2026',
      lang: 'it',
      text: "Giorni festivi, Italia 2026: 1 gen Capodanno, 6 gen Epifania, 5 apr Domenica di Pasqua, 6 apr Lunedì dell’Angelo, 25 apr Liberazione dal nazifascismo (1945), 1 mag Festa del lavoro, 2 giu Festa della Repubblica, 15 ago Assunzione di Maria, 4 ott Festa nazionale di San Francesco d'Assisi, 1 nov Ognissanti, 8 dic Immacolata Concezione, 25 dic Natale di Gesù, 26 dic Santo Stefano",
    },
    {
      q: 'feriados brasil 2026',
      text: 'Feriados, Brasil 2026: 1 de jan. Ano Novo, 3 de abr. Sexta-Feira Santa, 21 de abr. Dia de Tiradentes, 1 de mai. Dia do trabalhador, 7 de set. Dia da Independência, 4 de out. Dia de Eleição, 12 de out. Nossa Senhora Aparecida, 25 de out. Dia de Eleição, 2 de nov. Dia de Finados, 15 de nov. Proclamação da República, 20 de nov. Dia da Consciência Negra, 25 de dez. Natal',
    },
    {
      q: 'próximo feriado em portugal',
      lang: 'pt',
      text: 'Próximo feriado, Portugal: Restauração da Independência, terça-feira, 1 de dezembro de 2026 (16 dias)',
    },
    {
      q: 'feestdagen nederland 2026',
      lang: 'nl',
      text: 'Feestdagen, Nederland 2026: 1 jan Nieuwjaar, 5 apr Pasen, 6 apr Tweede paasdag, 27 apr Koningsdag, 14 mei Hemelvaartsdag, 24 mei Pinksteren, 25 mei Tweede pinksterdag, 25 dec Kerstmis, 26 dec Tweede kerstdag',
    },
    {
      q: 'public holidays saudi arabia 2027',
      text: 'Public holidays, Saudi Arabia 2027: 22 Feb Founding Day, 9 Mar End of Ramadan (Eid al-Fitr), 15 May Feast of the Sacrifice (Eid al-Adha), 23 Sept National Day',
    },
  ],
  silent: [
    'cheap holidays in greece',
    'billie holiday',
    'the holiday',
    'roman holiday',
    'bank holiday opening times tesco',
    'holidays in greece',
    'all inclusive holidays spain',
    'public holidays',
    'public holidays germany 2040',
    'public holidays narnia',
    'public holidays scotland',
    { q: 'jours fériés 2026', lang: 'fr' },
    'jours fériés travaillés majoration',
    'feiertagszuschlag minijob',
    'feiertage',
    'festivos',
    'festival de cannes',
    'giorni festivi',
    'feriados',
    'feestdagen stress',
    'feestdagen',
    'holiday inn',
    'holiday let tax',
  ],
}
