import type { AnswerTable } from '../answer-table.test-rules.ts'

export const table: AnswerTable = {
  answers: [
    {
      q: 'public holidays germany 2026',
      text: 'Public holidays, Germany 2026: 1 Jan New Year’s Day, 3 Apr Good Friday, 6 Apr Easter Monday, 1 May Labour Day, 14 May Ascension Day, 25 May Whit Monday, 3 Oct German Unity Day, 25 Dec Christmas Day, 26 Dec Second Day of Christmas; regional: 6 Jan Epiphany (BW, BY, ST), 8 Mar International Women’s Day (BE, MV), 5 Apr Easter Sunday (BB), 24 May Whit Sunday (BB), 4 Jun Corpus Christi (BW, BY, HE, NW, RP, SL), 15 Aug Assumption (SL), 15 Aug Assumption (Catholic municipalities) (BY), 20 Sept World Children’s Day (TH), 31 Oct Reformation Day (BB, HB, HH, MV, NI, SH, SN, ST, TH), 1 Nov All Saints’ Day (BW, BY, NW, RP, SL), 18 Nov Day of Repentance and Prayer (SN)',
    },
    {
      q: 'public holidays in france',
      text: 'Public holidays, France 2026: 1 Jan New Year’s Day, 6 Apr Easter Monday, 1 May Labour Day, 8 May Victory Day, 14 May Ascension Day, 25 May Whit Monday, 14 Jul Bastille Day, 15 Aug Assumption, 1 Nov All Saints’ Day, 11 Nov Armistice Day, 25 Dec Christmas Day; regional: 3 Apr Good Friday (places with a Protestant church) (Alsace and Moselle), 27 Apr Abolition of slavery (Mayotte), 22 May Abolition of slavery (Martinique), 27 May Abolition of slavery (Guadeloupe), 10 Jun Abolition of slavery (French Guiana), 20 Dec Abolition of slavery (Réunion), 26 Dec St Stephen’s Day (Alsace and Moselle)',
    },
    {
      q: 'germany public holidays 2027',
      text: 'Public holidays, Germany 2027: 1 Jan New Year’s Day, 26 Mar Good Friday, 29 Mar Easter Monday, 1 May Labour Day, 6 May Ascension Day, 17 May Whit Monday, 3 Oct German Unity Day, 25 Dec Christmas Day, 26 Dec Second Day of Christmas; regional: 6 Jan Epiphany (BW, BY, ST), 8 Mar International Women’s Day (BE, MV), 28 Mar Easter Sunday (BB), 16 May Whit Sunday (BB), 27 May Corpus Christi (BW, BY, HE, NW, RP, SL), 15 Aug Assumption (SL), 15 Aug Assumption (Catholic municipalities) (BY), 20 Sept World Children’s Day (TH), 31 Oct Reformation Day (BB, HB, HH, MV, NI, SH, SN, ST, TH), 1 Nov All Saints’ Day (BW, BY, NW, RP, SL), 17 Nov Day of Repentance and Prayer (SN)',
    },
    {
      q: '2026 public holidays japan',
      text: "Public holidays, Japan 2026 (nationwide): 1 Jan New Year's Day, 12 Jan Coming of Age Day, 11 Feb Foundation Day, 23 Feb Emperor's Birthday, 20 Mar Spring Equinox Day, 29 Apr Showa Day, 3 May Constitution Day, 4 May Greenery Day, 5 May Children's Day, 6 May Constitution Day (substitute day), 20 Jul Marine Day, 11 Aug Mountain Day, 21 Sept Respect-for-the-Aged Day, 22 Sept Citizens' Holiday, 23 Sept Autumnal Equinox Day, 12 Oct Sports Day, 3 Nov Culture Day, 23 Nov Labor Thanksgiving Day",
    },
    {
      q: 'holidays in portugal 2026',
      text: "Public holidays, Portugal 2026 (nationwide): 1 Jan New Year's Day, 3 Apr Good Friday, 5 Apr Easter Sunday, 25 Apr Liberty Day, 1 May Labour Day, 4 Jun Corpus Christi, 10 Jun Portugal Day, 15 Aug Assumption, 5 Oct Implantação da República, 1 Nov All Saints' Day, 1 Dec Restauração da Independência, 8 Dec Immaculate Conception, 25 Dec Christmas Day",
    },
    {
      q: 'next holiday in france',
      text: 'Next public holiday, France: Christmas Day, Friday, 25 December 2026 (40 days, UTC); regional: 20 Dec Abolition of slavery (Réunion)',
    },
    {
      q: 'next bank holiday uk',
      text: 'Next public holiday, United Kingdom: Christmas Day, Friday, 25 December 2026 (40 days, UTC); regional: 30 Nov St Andrew’s Day (Scotland)',
    },
    {
      q: 'when is the next bank holiday',
      lang: 'en-GB',
      text: 'Next public holiday, United Kingdom: Christmas Day, Friday, 25 December 2026 (40 days, UTC); regional: 30 Nov St Andrew’s Day (Scotland)',
    },
    {
      q: 'federal holidays usa 2026',
      text: "Public holidays, United States 2026 (nationwide): 1 Jan New Year's Day, 19 Jan Martin Luther King Jr. Day, 16 Feb Washington's Birthday, 25 May Memorial Day, 19 Jun Juneteenth, 3 Jul Independence Day (substitute day), 4 Jul Independence Day, 7 Sept Labour Day, 12 Oct Columbus Day, 11 Nov Veterans Day, 26 Nov Thanksgiving Day, 25 Dec Christmas Day",
    },
    {
      q: 'jours fériés france 2026',
      lang: 'fr',
      text: 'Jours fériés, France 2026 : 1er janv. Jour de l’An, 6 avr. Lundi de Pâques, 1er mai Fête du Travail, 8 mai Victoire 1945, 14 mai Ascension, 25 mai Lundi de Pentecôte, 14 juil. Fête nationale, 15 août Assomption, 1er nov. Toussaint, 11 nov. Armistice 1918, 25 déc. Noël ; régionaux : 3 avr. Vendredi saint (communes ayant un temple protestant) (Alsace-Moselle), 27 avr. Abolition de l’esclavage (Mayotte), 22 mai Abolition de l’esclavage (Martinique), 27 mai Abolition de l’esclavage (Guadeloupe), 10 juin Abolition de l’esclavage (Guyane), 20 déc. Abolition de l’esclavage (La Réunion), 26 déc. Saint-Étienne (Alsace-Moselle)',
    },
    {
      q: 'jours fériés 2026',
      lang: 'fr-BE',
      text: 'Jours fériés, Belgique 2026 (nationaux) : 1er janv. Nouvel An, 6 avr. Lundi de Pâques, 1er mai Fête du travail, 14 mai Ascension, 25 mai Lundi de Pentecôte, 21 juil. Fête nationale, 15 août Assomption, 1er nov. Toussaint, 11 nov. Armistice, 25 déc. Noël',
    },
    {
      q: 'prochain jour férié en belgique',
      lang: 'fr',
      text: 'Prochain jour férié, Belgique : Noël, vendredi 25 décembre 2026 (40 jours, UTC)',
    },
    {
      q: 'feiertage österreich 2027',
      lang: 'de',
      text: 'Gesetzliche Feiertage, Österreich 2027 (landesweit): 1. Jan. Neujahr, 6. Jan. Heilige Drei Könige, 29. März Ostermontag, 1. Mai Staatsfeiertag, 6. Mai Christi Himmelfahrt, 17. Mai Pfingstmontag, 27. Mai Fronleichnam, 15. Aug. Mariä Himmelfahrt, 26. Okt. Nationalfeiertag, 1. Nov. Allerheiligen, 8. Dez. Mariä Empfängnis, 25. Dez. Christtag, 26. Dez. Stefanitag',
    },
    {
      q: 'nächster feiertag in deutschland',
      text: 'Nächster Feiertag, Deutschland: 1. Weihnachtstag, Freitag, 25. Dezember 2026 (40 Tage, UTC); regional: 18. Nov. Buß- und Bettag (SN)',
    },
    {
      q: 'feiertage 2026',
      lang: 'de-DE',
      text: 'Gesetzliche Feiertage, Deutschland 2026: 1. Jan. Neujahr, 3. Apr. Karfreitag, 6. Apr. Ostermontag, 1. Mai Tag der Arbeit, 14. Mai Christi Himmelfahrt, 25. Mai Pfingstmontag, 3. Okt. Tag der Deutschen Einheit, 25. Dez. 1. Weihnachtstag, 26. Dez. 2. Weihnachtstag; regional: 6. Jan. Heilige Drei Könige (BW, BY, ST), 8. März Internationaler Frauentag (BE, MV), 5. Apr. Ostersonntag (BB), 24. Mai Pfingstsonntag (BB), 4. Juni Fronleichnam (BW, BY, HE, NW, RP, SL), 15. Aug. Mariä Himmelfahrt (SL), 15. Aug. Mariä Himmelfahrt (katholische Gemeinden) (BY), 20. Sept. Weltkindertag (TH), 31. Okt. Reformationstag (BB, HB, HH, MV, NI, SH, SN, ST, TH), 1. Nov. Allerheiligen (BW, BY, NW, RP, SL), 18. Nov. Buß- und Bettag (SN)',
    },
    {
      q: 'festivos españa 2026',
      lang: 'es',
      text: 'Días festivos, España 2026 (nacionales): 1 ene Año Nuevo, 6 ene Día de los Reyes Magos, 3 abr Viernes Santo, 1 may Día del Trabajador, 15 ago Asunción, 12 oct Fiesta Nacional de España, 1 nov Todos los Santos, 6 dic Día de la Constitución Española, 8 dic La inmaculada concepción, 25 dic Navidad',
    },
    {
      q: 'próximo feriado en argentina',
      lang: 'es',
      text: 'Próximo día festivo, Argentina: Día de la Soberanía Nacional, lunes, 23 de noviembre de 2026 (8 días, UTC)',
    },
    {
      q: 'giorni festivi italia 2026',
      lang: 'it',
      text: "Giorni festivi, Italia 2026 (nazionali): 1 gen Capodanno, 6 gen Epifania, 5 apr Domenica di Pasqua, 6 apr Lunedì dell’Angelo, 25 apr Liberazione dal nazifascismo (1945), 1 mag Festa del lavoro, 2 giu Festa della Repubblica, 15 ago Assunzione di Maria, 4 ott Festa nazionale di San Francesco d'Assisi, 1 nov Ognissanti, 8 dic Immacolata Concezione, 25 dic Natale di Gesù, 26 dic Santo Stefano",
    },
    {
      q: 'feriados brasil 2026',
      text: 'Feriados, Brasil 2026 (nacionais): 1 de jan. Ano Novo, 3 de abr. Sexta-Feira Santa, 21 de abr. Dia de Tiradentes, 1 de mai. Dia do trabalhador, 7 de set. Dia da Independência, 4 de out. Dia de Eleição, 12 de out. Nossa Senhora Aparecida, 25 de out. Dia de Eleição, 2 de nov. Dia de Finados, 15 de nov. Proclamação da República, 20 de nov. Dia da Consciência Negra, 25 de dez. Natal',
    },
    {
      q: 'próximo feriado em portugal',
      lang: 'pt',
      text: 'Próximo feriado, Portugal: Restauração da Independência, terça-feira, 1 de dezembro de 2026 (16 dias, UTC)',
    },
    {
      q: 'feestdagen nederland 2026',
      lang: 'nl',
      text: 'Feestdagen, Nederland 2026 (landelijk): 1 jan Nieuwjaar, 5 apr Pasen, 6 apr Tweede paasdag, 27 apr Koningsdag, 14 mei Hemelvaartsdag, 24 mei Pinksteren, 25 mei Tweede pinksterdag, 25 dec Kerstmis, 26 dec Tweede kerstdag',
    },
    {
      q: 'public holidays saudi arabia 2027',
      text: 'Public holidays, Saudi Arabia 2027 (nationwide): 22 Feb Founding Day, 9 Mar End of Ramadan (Eid al-Fitr), 15 May Feast of the Sacrifice (Eid al-Adha), 23 Sept National Day',
    },
    // Regions, and holidays that only some of them keep.
    {
      q: 'bank holidays scotland',
      text: 'Public holidays, Scotland (United Kingdom) 2026: 1 Jan New Year’s Day, 2 Jan 2nd January, 3 Apr Good Friday, 4 May Early May bank holiday, 25 May Spring bank holiday, 3 Aug Summer bank holiday, 30 Nov St Andrew’s Day, 25 Dec Christmas Day, 28 Dec Boxing Day (substitute day)',
      has: { country: 'GB', region: 'SCT', scope: 'region', is_next: false },
    },
    {
      q: 'bank holidays england 2027',
      text: 'Public holidays, England (United Kingdom) 2027: 1 Jan New Year’s Day, 26 Mar Good Friday, 29 Mar Easter Monday, 3 May Early May bank holiday, 31 May Spring bank holiday, 30 Aug Summer bank holiday, 27 Dec Christmas Day (substitute day), 28 Dec Boxing Day (substitute day)',
    },
    {
      q: 'public holidays northern ireland 2027',
      text: 'Public holidays, Northern Ireland (United Kingdom) 2027: 1 Jan New Year’s Day, 17 Mar St Patrick’s Day, 26 Mar Good Friday, 29 Mar Easter Monday, 3 May Early May bank holiday, 31 May Spring bank holiday, 12 Jul Battle of the Boyne (Orangemen’s Day), 30 Aug Summer bank holiday, 27 Dec Christmas Day (substitute day), 28 Dec Boxing Day (substitute day)',
    },
    {
      q: 'public holidays uk 2026',
      text: 'Public holidays, United Kingdom 2026: 1 Jan New Year’s Day, 3 Apr Good Friday, 4 May Early May bank holiday, 25 May Spring bank holiday, 25 Dec Christmas Day, 28 Dec Boxing Day (substitute day); regional: 2 Jan 2nd January (Scotland), 17 Mar St Patrick’s Day (Northern Ireland), 6 Apr Easter Monday (England, Wales, Northern Ireland), 13 Jul Battle of the Boyne (Orangemen’s Day) (substitute day) (Northern Ireland), 3 Aug Summer bank holiday (Scotland), 31 Aug Summer bank holiday (England, Wales, Northern Ireland), 30 Nov St Andrew’s Day (Scotland)',
      has: { region: '', scope: 'all' },
    },
    {
      q: 'public holidays bavaria 2027',
      text: 'Public holidays, Bavaria (Germany) 2027: 1 Jan New Year’s Day, 6 Jan Epiphany, 26 Mar Good Friday, 29 Mar Easter Monday, 1 May Labour Day, 6 May Ascension Day, 17 May Whit Monday, 27 May Corpus Christi, 15 Aug Assumption (Catholic municipalities), 3 Oct German Unity Day, 1 Nov All Saints’ Day, 25 Dec Christmas Day, 26 Dec Second Day of Christmas',
      has: { country: 'DE', region: 'BY', scope: 'region' },
    },
    {
      q: 'feiertage bayern 2027',
      text: 'Gesetzliche Feiertage, Bayern (Deutschland) 2027: 1. Jan. Neujahr, 6. Jan. Heilige Drei Könige, 26. März Karfreitag, 29. März Ostermontag, 1. Mai Tag der Arbeit, 6. Mai Christi Himmelfahrt, 17. Mai Pfingstmontag, 27. Mai Fronleichnam, 15. Aug. Mariä Himmelfahrt (katholische Gemeinden), 3. Okt. Tag der Deutschen Einheit, 1. Nov. Allerheiligen, 25. Dez. 1. Weihnachtstag, 26. Dez. 2. Weihnachtstag',
    },
    {
      q: 'feiertage nrw 2026',
      lang: 'de',
      text: 'Gesetzliche Feiertage, Nordrhein-Westfalen (Deutschland) 2026: 1. Jan. Neujahr, 3. Apr. Karfreitag, 6. Apr. Ostermontag, 1. Mai Tag der Arbeit, 14. Mai Christi Himmelfahrt, 25. Mai Pfingstmontag, 4. Juni Fronleichnam, 3. Okt. Tag der Deutschen Einheit, 1. Nov. Allerheiligen, 25. Dez. 1. Weihnachtstag, 26. Dez. 2. Weihnachtstag',
    },
    {
      q: 'public holidays canada 2026',
      text: 'Public holidays, Canada 2026: 1 Jan New Year’s Day, 3 Apr Good Friday, 1 Jul Canada Day, 7 Sept Labour Day, 25 Dec Christmas Day; regional: 16 Feb Family Day (AB, BC, NB, ON, SK), 16 Feb Louis Riel Day (MB), 16 Feb Heritage Day (NS), 16 Feb Islander Day (PE), 18 May Victoria Day (AB, BC, MB, NT, NU, ON, SK, YT), 18 May National Patriots’ Day (QC), 21 Jun National Indigenous Peoples Day (NT, YT), 24 Jun Quebec National Holiday (QC), 9 Jul Nunavut Day (NU), 3 Aug British Columbia Day (BC), 3 Aug New Brunswick Day (NB), 3 Aug Saskatchewan Day (SK), 3 Aug Civic Holiday (NT, NU), 17 Aug Discovery Day (YT), 30 Sept National Day for Truth and Reconciliation (BC, MB, NT, NU, PE, YT), 12 Oct Thanksgiving (AB, BC, MB, NT, NU, ON, QC, SK, YT), 11 Nov Remembrance Day (AB, BC, NB, NL, NT, NU, PE, SK, YT), 26 Dec Boxing Day (ON)',
    },
    {
      q: 'public holidays ontario 2026',
      text: 'Public holidays, Ontario (Canada) 2026: 1 Jan New Year’s Day, 16 Feb Family Day, 3 Apr Good Friday, 18 May Victoria Day, 1 Jul Canada Day, 7 Sept Labour Day, 12 Oct Thanksgiving, 25 Dec Christmas Day, 26 Dec Boxing Day',
    },
    {
      q: 'jours fériés québec 2026',
      lang: 'fr',
      text: 'Jours fériés, Québec (Canada) 2026 : 1er janv. Jour de l’An, 3 avr. Vendredi saint, 18 mai Journée nationale des patriotes, 24 juin Fête nationale du Québec, 1er juil. Fête du Canada, 7 sept. Fête du Travail, 12 oct. Action de grâce, 25 déc. Noël',
    },
    {
      q: 'public holidays india 2026',
      text: 'Public holidays, India 2026 (nationwide): 26 Jan Republic Day, 4 Mar Holi, 21 Mar Eid al-Fitr, 31 Mar Mahavir Jayanti, 3 Apr Good Friday, 1 May Buddha Purnima, 27 May Eid al-Adha, 26 Jun Muharram, 15 Aug Independence Day, 26 Aug Milad un-Nabi, 4 Sept Janmashtami, 2 Oct Gandhi Jayanti, 20 Oct Dussehra, 8 Nov Diwali, 24 Nov Guru Nanak Jayanti, 25 Dec Christmas Day',
      has: { scope: 'nationwide', regions: [] },
    },
    {
      q: 'next bank holiday scotland',
      text: 'Next public holiday, Scotland (United Kingdom): St Andrew’s Day, Monday, 30 November 2026 (15 days, UTC)',
      has: { is_next: true },
    },
    {
      q: 'next bank holiday scotland',
      zone: 'Europe/London',
      text: 'Next public holiday, Scotland (United Kingdom): St Andrew’s Day, Monday, 30 November 2026 (15 days)',
    },
    {
      q: 'festivos baviera 2027',
      lang: 'es',
      text: 'Días festivos, Bavaria (Alemania) 2027: 1 ene New Year’s Day, 6 ene Epiphany, 26 mar Good Friday, 29 mar Easter Monday, 1 may Labour Day, 6 may Ascension Day, 17 may Whit Monday, 27 may Corpus Christi, 15 ago Assumption (Catholic municipalities), 3 oct German Unity Day, 1 nov All Saints’ Day, 25 dic Christmas Day, 26 dic Second Day of Christmas',
    },
    {
      q: 'giorni festivi scozia 2026',
      text: 'Giorni festivi, Scotland (Regno Unito) 2026: 1 gen New Year’s Day, 2 gen 2nd January, 3 apr Good Friday, 4 mag Early May bank holiday, 25 mag Spring bank holiday, 3 ago Summer bank holiday, 30 nov St Andrew’s Day, 25 dic Christmas Day, 28 dic Boxing Day (substitute day)',
    },
    {
      q: 'feriados escócia 2026',
      lang: 'pt',
      text: 'Feriados, Scotland (Reino Unido) 2026: 1 de jan. New Year’s Day, 2 de jan. 2nd January, 3 de abr. Good Friday, 4 de mai. Early May bank holiday, 25 de mai. Spring bank holiday, 3 de ago. Summer bank holiday, 30 de nov. St Andrew’s Day, 25 de dez. Christmas Day, 28 de dez. Boxing Day (substitute day)',
    },
    {
      q: 'feestdagen beieren 2027',
      lang: 'nl',
      text: 'Feestdagen, Bavaria (Duitsland) 2027: 1 jan New Year’s Day, 6 jan Epiphany, 26 mrt Good Friday, 29 mrt Easter Monday, 1 mei Labour Day, 6 mei Ascension Day, 17 mei Whit Monday, 27 mei Corpus Christi, 15 aug Assumption (Catholic municipalities), 3 okt German Unity Day, 1 nov All Saints’ Day, 25 dec Christmas Day, 26 dec Second Day of Christmas',
    },
    {
      q: 'public holidays ireland 2026',
      text: 'Public holidays, Ireland 2026 (nationwide): 1 Jan New Year’s Day, 2 Feb St Brigid’s Day, 17 Mar St Patrick’s Day, 6 Apr Easter Monday, 4 May May bank holiday, 1 Jun June bank holiday, 3 Aug August bank holiday, 26 Oct October bank holiday, 25 Dec Christmas Day, 26 Dec St Stephen’s Day',
    },
    {
      q: 'feiertage schweiz 2026',
      lang: 'de',
      text: 'Gesetzliche Feiertage, Schweiz 2026 (landesweit): 1. Jan. Neujahr, 14. Mai Auffahrt, 1. Aug. Bundesfeier, 25. Dez. Weihnachten',
      has: { scope: 'nationwide' },
    },
    {
      q: 'public holidays australia 2026',
      text: 'Public holidays, Australia 2026 (nationwide): 1 Jan New Year’s Day, 26 Jan Australia Day, 3 Apr Good Friday, 6 Apr Easter Monday, 25 Apr Anzac Day, 25 Dec Christmas Day, 26 Dec Boxing Day',
    },
  ],
  silent: [
    'public holidays new south wales',
    'feiertagskalender schweiz pdf',
    'ireland holiday homes',
    'bank holidays in the sun',
    'public holidays texas',
    'public holidays bavaria 2040',
    'feiertage auf mallorca',
    'bank holiday weekend scotland hotels',
    'ontario public schools holidays',
    'bavaria holidays',
    'holidays in scotland',
    'cheap holidays scotland',
    'feiertage hogwarts 2026',
    'jours fériés alsaciens payés',
    'scotland holiday cottages',
    'quebec winter holiday',
    'india holiday packages',
    'canada day',
    'thanksgiving holiday',
    'bank holiday monday',
    'national holidays museum',
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
