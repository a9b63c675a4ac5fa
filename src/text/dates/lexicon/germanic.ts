/** Word lists of read-lexicon.ts: German, Dutch, Swedish. */
export const GERMAN = `
numbers: ein/eins/eine/einen/einem/einer zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig einundzwanzig zweiundzwanzig dreiundzwanzig vierundzwanzig fünfundzwanzig sechsundzwanzig siebenundzwanzig achtundzwanzig neunundzwanzig dreißig einunddreißig
ordinals: erste/ersten/erster/erstes zweite/zweiten/zweiter/zweites dritte/dritten/dritter/drittes vierte/vierten/vierter/viertes fünfte/fünften/fünfter sechste/sechsten/sechster siebte/siebten/siebter/siebente achte/achten/achter neunte/neunten/neunter zehnte/zehnten/zehnter elfte/elften/elfter zwölfte/zwölften/zwölfter dreizehnte/dreizehnten vierzehnte/vierzehnten fünfzehnte/fünfzehnten sechzehnte/sechzehnten siebzehnte/siebzehnten achtzehnte/achtzehnten neunzehnte/neunzehnten zwanzigste/zwanzigsten einundzwanzigste/einundzwanzigsten zweiundzwanzigste/zweiundzwanzigsten dreiundzwanzigste/dreiundzwanzigsten vierundzwanzigste/vierundzwanzigsten fünfundzwanzigste/fünfundzwanzigsten sechsundzwanzigste/sechsundzwanzigsten siebenundzwanzigste/siebenundzwanzigsten achtundzwanzigste/achtundzwanzigsten neunundzwanzigste/neunundzwanzigsten dreißigste/dreißigsten einunddreißigste/einunddreißigsten
months: januar/jan/jänner februar/feb/feber märz/mär/mrz april/apr mai juni/jun juli/jul august/aug september/sep/sept oktober/okt november/nov dezember/dez
weekdays: montag/montags/montagmorgen/montagabend/montagnachmittag/montagvormittag/montagnacht dienstag/dienstagmorgen/dienstagabend/dienstagnachmittag/dienstagvormittag mittwoch/mittwochmorgen/mittwochabend/mittwochnachmittag/mittwochvormittag donnerstag/donnerstagmorgen/donnerstagabend/donnerstagnachmittag/donnerstagvormittag freitag/freitagmorgen/freitagabend/freitagnachmittag/freitagvormittag samstag/sonnabend/samstagmorgen/samstagabend/samstagnachmittag sonntag/sonntagmorgen/sonntagabend/sonntagnachmittag
short weekdays: mo di mi do fr sa so
unit day: tag tage tagen tages
unit week: woche wochen arbeitswoche kalenderwoche kw
unit weekend: wochenende wochenenden wochenendes
unit month: monat monate monaten monats
unit quarter: quartal quartals quartale
unit half: halbjahr halbjahres jahreshälfte
unit year: jahr jahre jahren jahres jahrs kalenderjahr
unit decade: jahrzehnt jahrzehnts jahrzehnte
unit century: jahrhundert jahrhunderts
unit hour: stunde stunden
unit minute: minute minuten
day -2: vorgestern vorgestern_abend
day -1: gestern gestern_abend gestern_nacht letzte_nacht gestern_morgen
day 0: heute heute_abend heute_morgen heute_nacht heutige heutigen heute_nachmittag dieser_abend dieser_morgen diesen_abend diesen_morgen
day 1: morgen_früh morgen morgen_abend morgigen
day 2: übermorgen
which -2: vorletzte vorletzten vorletzter vorletztes vorletztem
which -1: letzte letzten letzter letztes letztem vergangene vergangenen vergangener vergangenes vergangenem vorige vorigen voriger voriges vorheriger vorherige
which 0: diese diesen dieser dieses diesem laufenden aktuellen aktuelle
which 1: nächste nächsten nächster nächstes nächstem kommende kommenden kommender kommendes kommendem folgende folgenden
which 2: übernächste übernächsten übernächster übernächstes
ago: vor
before: vor bevor
ahead: in innerhalb_von
in: im in seit ab bis für ende anfang während
on: am den dem der vom zum bis ab seit für
from: von vom ab
to: bis bis_zum bis_zur und
between: zwischen
and: und
since: seit seit_dem ab
after: nach
early: anfang anfangs beginn
middle: mitte
late: ende
filler: der die das den dem des zum
future: werde wird werden fällig
holiday christmas-eve: heiligabend heiliger_abend
holiday christmas: weihnachten weihnachtstag
holiday new-years-eve: silvester
holiday new-year: neujahr neujahrstag
holiday epiphany: dreikönigstag
holiday palm-sunday: palmsonntag
holiday maundy-thursday: gründonnerstag
holiday good-friday: karfreitag
holiday holy-saturday: karsamstag ostersamstag
holiday easter: ostern ostersonntag
holiday easter-monday: ostermontag
holiday ascension: christi_himmelfahrt himmelfahrt
holiday pentecost: pfingsten pfingstsonntag
holiday whit-monday: pfingstmontag
holiday carnival-monday: rosenmontag
holiday shrove-tuesday: fastnachtsdienstag faschingsdienstag
holiday ash-wednesday: aschermittwoch
holiday workers-day: tag_der_arbeit maifeiertag
holiday midsummer-day: johannistag
holiday all-saints: allerheiligen
holiday nicholas: nikolaus nikolaustag
holiday valentine: valentinstag
`

export const DUTCH = `
numbers: een/één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig eenentwintig tweeëntwintig drieëntwintig vierentwintig vijfentwintig zesentwintig zevenentwintig achtentwintig negenentwintig dertig eenendertig
number 3: paar enkele
ordinals: eerste tweede derde vierde vijfde zesde zevende achtste negende tiende elfde twaalfde dertiende veertiende vijftiende zestiende zeventiende achttiende negentiende twintigste eenentwintigste tweeëntwintigste drieëntwintigste vierentwintigste vijfentwintigste zesentwintigste zevenentwintigste achtentwintigste negenentwintigste dertigste eenendertigste
months: januari/jan februari/feb maart/mrt/mar april/apr mei juni/jun juli/jul augustus/aug september/sep/sept oktober/okt november/nov december/dec
weekdays: maandag/maandagmiddag/maandagavond/maandagochtend dinsdag/dinsdagmiddag/dinsdagavond/dinsdagochtend woensdag/woensdagmiddag/woensdagavond/woensdagochtend donderdag/donderdagmiddag/donderdagavond/donderdagochtend vrijdag/vrijdagmiddag/vrijdagavond/vrijdagochtend zaterdag/zaterdagmiddag/zaterdagavond/zaterdagochtend zondag/zondagmiddag/zondagavond/zondagochtend
short weekdays: ma/maand di/din/dins/dinsd wo/woe/woens do/don/dond vr/vrij za/zat zo/zon
unit day: dag dagen
unit week: week weken werkweek
unit weekend: weekend weekeinde weekenden
unit month: maand maanden
unit quarter: kwartaal kwartalen
unit half: halfjaar
unit year: jaar jaren kalenderjaar
unit decade: decennium decennia
unit century: eeuw
unit hour: uur uren
unit minute: minuut minuten
day -2: eergisteren
day -1: gisteren gisteravond gisterenavond gistermiddag gisterenmiddag gisterochtend afgelopen_nacht vannacht
day 0: vandaag vanavond vanmiddag vanmorgen vanochtend deze_ochtend deze_middag deze_avond
day 1: morgen morgenavond morgenochtend morgenmiddag
day 2: overmorgen
which -1: vorige vorig afgelopen laatste voorafgaande voorbije voorgaande
which 0: deze dit huidige
which 1: volgende volgend komende komend aanstaande aankomende eerstvolgende
ago: geleden
ahead: over binnen
in: in sinds vanaf tot sedert
on: op sinds vanaf voor tot tegen
from: van vanaf
to: tot tot_en_met en t/m tot_aan naar
between: tussen
and: en
since: sinds vanaf sedert
before: voor vóór voordat
after: na
early: begin aanvang
middle: midden half medio
late: eind einde
filler: de het van der
future: zal zullen zult
holiday christmas-eve: kerstavond
holiday christmas: kerst kerstmis eerste_kerstdag
holiday boxing-day: tweede_kerstdag
holiday new-years-eve: oudejaarsavond oudjaar
holiday new-year: nieuwjaar nieuwjaarsdag
holiday good-friday: goede_vrijdag
holiday easter: pasen eerste_paasdag
holiday easter-monday: paasmaandag tweede_paasdag
holiday ascension: hemelvaartsdag hemelvaart
holiday pentecost: pinksteren
holiday whit-monday: pinkstermaandag tweede_pinksterdag
holiday valentine: valentijnsdag
holiday workers-day: dag_van_de_arbeid
`

export const SWEDISH = `
numbers: en/ett två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton tjugo
ordinals: första andra tredje fjärde femte sjätte sjunde åttonde nionde tionde elfte tolfte
months: januari/jan februari/feb mars/mar april/apr maj juni/jun juli/jul augusti/aug september/sep/sept oktober/okt november/nov december/dec
weekdays: måndag/måndags/måndagen tisdag/tisdags/tisdagen onsdag/onsdags/onsdagen torsdag/torsdags/torsdagen fredag/fredags/fredagen lördag/lördags/lördagen söndag/söndags/söndagen
unit day: dag dagar dagen
unit week: vecka veckan veckor
unit weekend: helg helgen
unit month: månad månaden månader
unit quarter: kvartal kvartalet
unit year: år året
unit decade: årtionde decennium
unit century: århundrade
unit hour: timme timmar
unit minute: minut minuter
day -2: i_förrgår förrgår
day -1: igår i_går
day 0: idag i_dag i_kväll ikväll
day 1: imorgon i_morgon
day 2: i_övermorgon övermorgon
year 0: i_år
year -1: i_fjol ifjol
which -1: förra senaste föregående
which 0: denna detta den_här det_här
which 1: nästa kommande följande
ago: sedan
ahead: om inom
in: i sedan under från
on: den på
from: från
to: till och
between: mellan
and: och
since: sedan
before: före innan
after: efter
early: början_av
middle: mitten_av
late: slutet_av
filler: den det av
future: ska kommer
holiday christmas-eve: julafton
holiday christmas: juldagen jul
holiday new-years-eve: nyårsafton
holiday new-year: nyårsdagen
holiday easter: påsk påskdagen
holiday midsummer-day: midsommardagen
`
