/** Word lists of read-lexicon.ts: Spanish, French, Italian, Portuguese. */
export const SPANISH = `
numbers: un/una/uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis/dieciseis diecisiete dieciocho diecinueve veinte veintiuno/veintiún veintidós/veintidos veintitrés/veintitres veinticuatro veinticinco veintiséis/veintiseis veintisiete veintiocho veintinueve treinta treinta_y_uno
number 3: pocos pocas unos_pocos varios
ordinals: primero/primer/primera/1er segundo/segunda tercero/tercer/tercera cuarto/cuarta quinto/quinta sexto/sexta séptimo/séptima octavo/octava noveno/novena décimo/décima undécimo duodécimo
months: enero/ene febrero/feb marzo/mar abril/abr mayo/may junio/jun julio/jul agosto/ago septiembre/setiembre/sep/sept/set octubre/oct noviembre/nov diciembre/dic
weekdays: lunes martes miércoles/miercoles jueves viernes sábado/sabado domingo
short weekdays: lun mart mié/mie/miér jue vie sáb/sab dom
unit day: día días dia dias
unit week: semana semanas
unit weekend: fin_de_semana fines_de_semana
unit month: mes meses
unit quarter: trimestre trimestres
unit half: semestre
unit year: año años año_calendario calendario_año anos
unit decade: década décadas decada
unit century: siglo
unit hour: hora horas h
unit minute: minuto minutos
day -2: anteayer antes_de_ayer antier
day -1: ayer anoche ayer_por_la_noche
day 0: hoy esta_noche esta_mañana esta_tarde este_mediodía
day 1: mañana
day 2: pasado_mañana
which -2: antepasado antepasada
which -1: pasado pasada pasados pasadas último última últimos últimas ultimo ultima ultimos ultimas anterior anteriores previo previa este_pasado esta_pasada
which 0: este esta actual en_curso mismo misma
which 1: próximo próxima próximos próximas proximo proxima siguiente siguientes que_viene que_vienen este_próximo esta_próxima
ago: hace atrás
ahead: en dentro_de
in: en desde hasta durante a_partir_de para
on: el los del al para desde hasta día
from: de desde del
to: a al hasta y hacia
between: entre
and: y e
since: desde a_partir_de a_partir_del
before: antes_de antes_del antes
after: después_de después_del después despues_de tras
early: principios_de principio_de principios inicio_de inicios_de comienzos_de a_principios_de a_inicio_de a_principios
middle: mediados_de mediados medianos_de a_mediados_de
late: finales_de final_de fines_de fin_de finales últimos_de a_finales_de a_fin_de
filler: el la los las de del por_la_mañana por_la_tarde por_la_noche
future: voy vamos será tendré iré volveré regresaré saldré saldremos haré vencen vence vencerá programado
holiday christmas-eve: nochebuena
holiday christmas: navidad
holiday new-years-eve: nochevieja
holiday new-year: año_nuevo
holiday epiphany: día_de_reyes
holiday good-friday: viernes_santo
holiday palm-sunday: domingo_de_ramos
holiday easter: pascua domingo_de_pascua semana_santa domingo_de_resurrección
holiday workers-day: día_del_trabajador día_del_trabajo día_internacional_de_los_trabajadores
holiday valentine: san_valentín día_de_san_valentín
holiday all-saints: día_de_todos_los_santos
holiday thanksgiving: acción_de_gracias día_de_acción_de_gracias
holiday black-friday: viernes_negro
`

export const FRENCH = `
numbers: un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt vingt_et_un/vingt-et-un vingt-deux vingt-trois vingt-quatre vingt-cinq vingt-six vingt-sept vingt-huit vingt-neuf trente trente_et_un/trente-et-un
number 3: quelques
ordinals: premier/première/1er/1ère deuxième/second/seconde troisième quatrième cinquième sixième septième huitième neuvième dixième onzième douzième
months: janvier/janv/jan février/févr/fév/fevrier mars avril/avr mai juin juillet/juil août/aout septembre/sept/sep octobre/oct novembre/nov décembre/déc/dec
weekdays: lundi mardi mercredi jeudi vendredi samedi dimanche
short weekdays: lun mar mer jeu ven sam dim
unit day: jour jours journée
unit week: semaine semaines
unit weekend: week-end weekend fin_de_semaine
unit month: mois
unit quarter: trimestre trimestres
unit half: semestre
unit year: an ans année années
unit decade: décennie décennies
unit century: siècle
unit hour: heure heures h
unit minute: minute minutes
day -2: avant-hier avant_hier
day -1: hier hier_soir la_nuit_dernière
day 0: aujourd’hui ce_soir ce_matin cette_nuit cet_après-midi
day 1: demain demain_matin lendemain
day 2: après-demain après_demain
which -1: dernier dernière derniers dernières passé passée passés précédent précédente précédents
which 0: ce cet cette actuel actuelle en_cours
which 1: prochain prochaine prochains prochaines suivant suivante suivants à_venir
ago: il_y_a il_y_a_environ il_y_a_à_peu_près
ahead: dans d’ici
in: en dès depuis de au_mois_de à_partir_de courant jusqu’en fin
on: le du au dès depuis sur jusqu’au
from: de du depuis dès d’
to: à au jusqu’à jusqu’au et
between: entre
and: et
since: depuis dès à_partir_de à_partir_du
before: avant avant_le
after: après après_le
early: début début_de au_début_de au_début
middle: mi milieu_de mi-
late: fin fin_de à_la_fin_de à_la_fin
filler: le la les l d de du des
future: reviendrai serai sera serons allons vais retournerai aura prévu
holiday christmas: noël noel
holiday christmas-eve: veille_de_noël
holiday new-years-eve: saint-sylvestre réveillon
holiday new-year: nouvel_an jour_de_l’an
holiday epiphany: épiphanie
holiday good-friday: vendredi_saint
holiday easter: pâques dimanche_de_pâques
holiday easter-monday: lundi_de_pâques
holiday ascension: ascension
holiday pentecost: pentecôte
holiday whit-monday: lundi_de_pentecôte
holiday shrove-tuesday: mardi_gras
holiday ash-wednesday: mercredi_des_cendres
holiday workers-day: fête_du_travail
holiday all-saints: toussaint
holiday valentine: saint-valentin
`

export const ITALIAN = `
numbers: un/uno/una due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti ventuno/ventun ventidue ventitré/ventitre ventiquattro venticinque ventisei ventisette ventotto ventinove trenta trentuno
number 3: pochi poche alcuni alcune qualche
ordinals: primo/prima secondo/seconda terzo/terza quarto/quarta quinto/quinta sesto/sesta settimo/settima ottavo/ottava nono/nona decimo/decima undicesimo dodicesimo
months: gennaio/gen/genn febbraio/feb/febbr marzo/mar aprile/apr maggio/mag giugno/giu luglio/lug agosto/ago settembre/set/sett ottobre/ott novembre/nov dicembre/dic
weekdays: lunedì/lunedi martedì/martedi mercoledì/mercoledi giovedì/giovedi venerdì/venerdi sabato domenica
short weekdays: lun mart mer gio ven sab dom
unit day: giorno giorni
unit week: settimana settimane
unit weekend: weekend fine_settimana week-end
unit month: mese mesi
unit quarter: trimestre trimestri
unit half: semestre
unit year: anno anni
unit decade: decennio decenni
unit century: secolo
unit hour: ora ore
unit minute: minuto minuti
day -2: l’altro_ieri altro_ieri ieri_l’altro
day -1: ieri ieri_sera
day 0: oggi stasera stamattina stamani stanotte questa_sera questa_mattina questo_pomeriggio
day 1: domani domattina domani_sera
day 2: dopodomani
which -1: scorso scorsa scorsi scorse ultimo ultima ultimi ultime passato passata passati precedente
which 0: questo questa quest corrente
which 1: prossimo prossima prossimi prossime seguente che_viene
ago: fa or_sono
ahead: tra fra entro
in: in a ad da nel di dal
on: il dal al del per entro sul
from: da dal dalla dall
to: a al alla all ad fino_a fino_al e
between: tra fra
and: e ed
since: dal da a_partire_da a_partire_dal
before: prima_di prima_del
after: dopo dopo_il
early: inizio inizio_di all’inizio_di inizi
middle: metà metà_di
late: fine fine_di alla_fine_di
filler: il la lo l i gli le di del della dello dell de d
future: tornerò sarò sarà torneremo saremo faremo andrò scade scadono
holiday christmas-eve: vigilia_di_natale
holiday christmas: natale
holiday boxing-day: santo_stefano
holiday new-years-eve: san_silvestro
holiday new-year: capodanno
holiday epiphany: epifania
holiday good-friday: venerdì_santo
holiday easter: pasqua
holiday easter-monday: pasquetta lunedì_dell’angelo
holiday workers-day: festa_dei_lavoratori festa_del_lavoro
holiday all-saints: ognissanti
holiday valentine: san_valentino
`

export const PORTUGUESE = `
numbers: um/uma dois/duas três/tres quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze quinze dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove vinte vinte_e_um vinte_e_dois vinte_e_três vinte_e_quatro vinte_e_cinco vinte_e_seis vinte_e_sete vinte_e_oito vinte_e_nove trinta trinta_e_um
number 3: poucos poucas alguns algumas
ordinals: primeiro/primeira segundo/segunda terceiro/terceira quarto/quarta quinto/quinta sexto/sexta sétimo/sétima oitavo/oitava nono/nona décimo/décima
months: janeiro/jan fevereiro/fev março/mar abril/abr maio/mai junho/jun julho/jul agosto/ago setembro/set outubro/out novembro/nov dezembro/dez
weekdays: segunda-feira/segunda_feira terça-feira/terça_feira quarta-feira/quarta_feira quinta-feira/quinta_feira sexta-feira/sexta_feira sábado/sabado domingo
short weekdays: segunda/seg terça/ter quarta/qua quinta/qui sexta/sex sáb dom
unit day: dia dias
unit week: semana semanas
unit weekend: fim_de_semana final_de_semana fins_de_semana
unit month: mês mes meses
unit quarter: trimestre trimestres
unit half: semestre
unit year: ano anos
unit decade: década décadas
unit century: século
unit hour: hora horas h
unit minute: minuto minutos
day -2: anteontem
day -1: ontem ontem_à_noite
day 0: hoje esta_noite esta_manhã esta_tarde hoje_à_noite
day 1: amanhã
day 2: depois_de_amanhã
which -2: retrasado retrasada
which -1: passado passada passados passadas último última últimos últimas ultimo ultima ultimos ultimas anterior anteriores
which 0: este esta neste nesta deste desta atual corrente
which 1: próximo próxima próximos próximas proximo proxima seguinte seguintes que_vem
ago: há atrás atras faz
ahead: em dentro_de daqui_a
in: em desde até de a_partir_de para durante
on: no na ao em dia do para desde até
from: de desde do da
to: a ao até e à
between: entre
and: e
since: desde a_partir_de a_partir_do
before: antes_de antes_do
after: depois_de depois_do após
early: início_de começo_de início_do começo_do no_início_de
middle: meados_de meio_de
late: fim_de final_de fim_do final_do
filler: o a os as de do da dos das
future: voltarei vou vamos será serão estarei sairei faremos irei
holiday christmas-eve: véspera_de_natal
holiday christmas: natal
holiday new-years-eve: véspera_de_ano_novo réveillon
holiday new-year: ano_novo
holiday good-friday: sexta-feira_santa
holiday easter: páscoa domingo_de_páscoa
holiday workers-day: dia_do_trabalho dia_do_trabalhador
holiday valentine: são_valentim
holiday halloween: dia_das_bruxas
holiday thanksgiving: ação_de_graças dia_de_ação_de_graças
`
